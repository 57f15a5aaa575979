# The few ways a target is made; one library a folder.

# stele_add_subfolders(): adds every folder below this one that has a
# CMakeLists.txt, at any depth. Folders do not add their own subfolders.
function(stele_add_subfolders)
  file(GLOB_RECURSE lists CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}
    ${CMAKE_CURRENT_SOURCE_DIR}/CMakeLists.txt)
  list(REMOVE_ITEM lists CMakeLists.txt)
  list(SORT lists)
  foreach(file IN LISTS lists)
    get_filename_component(folder ${file} DIRECTORY)
    add_subdirectory(${folder})
  endforeach()
endfunction()

# stele_library(<name> [PUBLIC_DEPS <target>...] [DEPS <target>...])
# Target stele_<name> from the *.cc of this folder, without *_main.cc.
function(stele_library name)
  cmake_parse_arguments(arg "" "" "PUBLIC_DEPS;DEPS" ${ARGN})
  stele_reject_unparsed("stele_library(${name})" "${arg_UNPARSED_ARGUMENTS}")
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  list(FILTER sources EXCLUDE REGEX "_main\\.cc$")
  set(target stele_${name})
  if(sources)
    add_library(${target} STATIC ${sources})
    target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR})
    target_link_libraries(${target} PUBLIC ${arg_PUBLIC_DEPS} PRIVATE ${arg_DEPS} stele_warnings)
  else()
    add_library(${target} INTERFACE)
    target_include_directories(${target} INTERFACE ${PROJECT_SOURCE_DIR})
    target_link_libraries(${target} INTERFACE ${arg_PUBLIC_DEPS} ${arg_DEPS})
  endif()
endfunction()

# stele_program(<name> MAIN <file> [DEPS <target>...]) → <build>/bin/<name>
function(stele_program name)
  cmake_parse_arguments(arg "" "MAIN" "DEPS" ${ARGN})
  stele_reject_unparsed("stele_program(${name})" "${arg_UNPARSED_ARGUMENTS}")
  add_executable(${name} ${arg_MAIN})
  stele_executable(${name} "${arg_DEPS}")
  target_compile_definitions(${name} PRIVATE STELE_VERSION="${PROJECT_VERSION}")
endfunction()

# stele_tests(<name> [DEPS <target>...] [LABELS <label>...] [TIMEOUT <seconds>]
#             [PROGRAMS <program>...] [SERIAL])
# One gtest executable <build>/bin/tests/<name>, target test_<name>, from the
# *_test.cc of this folder (other *.cc there are its helpers); ctest names are
# <name>.Suite.Case. PROGRAMS are built first; SERIAL runs each case alone.
function(stele_tests name)
  cmake_parse_arguments(arg "SERIAL" "TIMEOUT" "DEPS;LABELS;PROGRAMS" ${ARGN})
  stele_reject_unparsed("stele_tests(${name})" "${arg_UNPARSED_ARGUMENTS}")
  if(STELE_FUZZ)
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  list(FILTER sources EXCLUDE REGEX "_main\\.cc$")
  if(NOT sources)
    message(STATUS "stele_tests(${name}): no *_test.cc yet")
    return()
  endif()
  set(target test_${name})
  add_executable(${target} ${sources})
  stele_executable(${target} "${arg_DEPS};GTest::gmock;GTest::gtest_main")
  stele_test_definitions(${target})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name}
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin/tests)
  if(arg_PROGRAMS)
    add_dependencies(${target} ${arg_PROGRAMS})
  endif()
  stele_test_timeout(timeout "${arg_TIMEOUT}")
  set(properties TIMEOUT ${timeout})
  if(arg_SERIAL)
    list(APPEND properties RUN_SERIAL ON)
  endif()
  gtest_discover_tests(${target} TEST_PREFIX ${name}. NO_PRETTY_TYPES NO_PRETTY_VALUES
    DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
    WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR} PROPERTIES ${properties})
  if(arg_LABELS)
    # gtest_discover_tests loses all but the first of a list, so the labels are
    # set by a file that ctest reads after its own.
    set(file ${CMAKE_CURRENT_BINARY_DIR}/${target}_labels.cmake)
    file(WRITE ${file}
      "set_tests_properties(\${${target}_TESTS} PROPERTIES LABELS \"${arg_LABELS}\")\n")
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${file})
  endif()
endfunction()

# stele_script_test(<name> COMMAND <command>... [LABELS ...] [TIMEOUT s] [SERIAL])
# A test that is a script; exit code 77 means skipped. It finds its way by
# STELE_SOURCE_DIR and STELE_BIN_DIR in the environment.
function(stele_script_test name)
  cmake_parse_arguments(arg "SERIAL" "TIMEOUT" "COMMAND;LABELS" ${ARGN})
  stele_reject_unparsed("stele_script_test(${name})" "${arg_UNPARSED_ARGUMENTS}")
  if(STELE_FUZZ)
    return()
  endif()
  stele_test_timeout(timeout "${arg_TIMEOUT}")
  add_test(NAME ${name} COMMAND ${arg_COMMAND} WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${timeout} LABELS "${arg_LABELS}"
    RUN_SERIAL ${arg_SERIAL} SKIP_RETURN_CODE 77 ENVIRONMENT
    "STELE_SOURCE_DIR=${PROJECT_SOURCE_DIR};STELE_BIN_DIR=${PROJECT_BINARY_DIR}/bin;PYTHONDONTWRITEBYTECODE=1")
endfunction()

# stele_fuzz(<name> SOURCE <file> [DEPS <target>...]) → <build>/bin/fuzz/<name>
# libFuzzer in the fuzz preset. In the others the same function is linked to a
# driver that replays tests/fuzz/corpus/<name>/, as the test fuzz.<name>.
function(stele_fuzz name)
  cmake_parse_arguments(arg "" "SOURCE" "DEPS" ${ARGN})
  stele_reject_unparsed("stele_fuzz(${name})" "${arg_UNPARSED_ARGUMENTS}")
  set(target fuzz_${name})
  set(corpus ${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${name})
  add_executable(${target} ${arg_SOURCE})
  stele_executable(${target} "${arg_DEPS}")
  stele_test_definitions(${target})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name}
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin/fuzz)
  if(STELE_FUZZ)
    target_link_options(${target} PRIVATE -fsanitize=fuzzer)
  else()
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests/fuzz/replay_main.cc)
    stele_test_timeout(timeout "")
    add_test(NAME fuzz.${name} COMMAND ${target} ${corpus})
    set_tests_properties(fuzz.${name} PROPERTIES TIMEOUT ${timeout} LABELS fuzz)
  endif()
endfunction()

# stele_bench(<name> [DEPS <target>...]) → <build>/bin/bench/<name>, from the
# *_bench.cc of this folder, with Google Benchmark's main.
function(stele_bench name)
  cmake_parse_arguments(arg "" "" "DEPS" ${ARGN})
  stele_reject_unparsed("stele_bench(${name})" "${arg_UNPARSED_ARGUMENTS}")
  if(STELE_FUZZ)
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*_bench.cc)
  if(NOT sources)
    return()
  endif()
  set(target bench_${name})
  add_executable(${target} ${sources})
  stele_executable(${target} "${arg_DEPS};benchmark::benchmark;benchmark::benchmark_main")
  stele_test_definitions(${target})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name}
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin/bench)
endfunction()

# What every executable has.
function(stele_executable target deps)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${target} PRIVATE ${deps} stele_warnings Threads::Threads
    stele_sanitizer_defaults)
endfunction()

# Where tests find their files.
function(stele_test_definitions target)
  target_compile_definitions(${target} PRIVATE
    STELE_SOURCE_DIR="${PROJECT_SOURCE_DIR}" STELE_BIN_DIR="${PROJECT_BINARY_DIR}/bin")
endfunction()

# Seconds, 300 when not given; sanitizers are slow, not stuck.
function(stele_test_timeout out seconds)
  if(NOT seconds)
    set(seconds 300)
  endif()
  if(STELE_SANITIZE)
    math(EXPR seconds "${seconds} * 4")
  endif()
  set(${out} ${seconds} PARENT_SCOPE)
endfunction()

# A misspelt keyword would silently drop what follows it.
function(stele_reject_unparsed call rest)
  if(rest)
    message(FATAL_ERROR "${call}: unknown arguments: ${rest}")
  endif()
endfunction()

if(BUILD_TESTING)
  include(GoogleTest)
endif()
