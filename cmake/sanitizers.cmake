# STELE_SANITIZE=address|thread and STELE_FUZZ=ON, set by the presets.
set(STELE_SANITIZE "" CACHE STRING "address (with undefined) or thread")
set_property(CACHE STELE_SANITIZE PROPERTY STRINGS "" address thread)
option(STELE_FUZZ "Build the fuzz targets with libFuzzer and ASan" OFF)

if(STELE_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link,address -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address)
elseif(STELE_SANITIZE STREQUAL "address")
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined
    -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
elseif(STELE_SANITIZE STREQUAL "thread")
  # The older spelling of -fsanitize-ignorelist: ccache knows that this one names
  # a file on which the object depends.
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer
    -fsanitize-blacklist=${PROJECT_SOURCE_DIR}/cmake/tsan.ignorelist)
  add_link_options(-fsanitize=thread)
elseif(NOT STELE_SANITIZE STREQUAL "")
  message(FATAL_ERROR "STELE_SANITIZE is '${STELE_SANITIZE}'; use address or thread")
endif()

# Options and suppressions are compiled into each program and not left to the
# environment, so a server started by a test, or by hand, has them too.
add_library(stele_sanitizer_defaults OBJECT ${PROJECT_SOURCE_DIR}/cmake/sanitizer_defaults.cc)
target_compile_definitions(stele_sanitizer_defaults PRIVATE
  STELE_SUPPRESSIONS_DIR="${PROJECT_SOURCE_DIR}/cmake")
target_link_libraries(stele_sanitizer_defaults PRIVATE stele_warnings)
if(STELE_SANITIZE STREQUAL "thread")
  target_sources(stele_sanitizer_defaults PRIVATE ${PROJECT_SOURCE_DIR}/cmake/tsan_grpc.cc)
endif()
