# Build speed and place of the programs; nothing here changes what the code means.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)

find_package(Threads REQUIRED)

find_program(STELE_LLD NAMES ld.lld ld.lld-14)
if(STELE_LLD AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_link_options(-fuse-ld=lld)
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Ninja hides the terminal from the compiler.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fcolor-diagnostics>)
endif()

find_program(STELE_CCACHE ccache)
if(STELE_CCACHE)
  # Relative paths and an unhashed working folder let clones and presets with
  # equal flags share one cache.
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
      CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=time_macros ${STELE_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
  unset(launcher)
endif()
