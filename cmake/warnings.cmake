# `stele_warnings`: linked by every target of ours, never by generated code.
add_library(stele_warnings INTERFACE)
target_compile_options(stele_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Werror -Wshadow -Wconversion -Wno-sign-conversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_compile_options(stele_warnings INTERFACE -Wthread-safety)
endif()

# Generated code is somebody else's style: quiet, and its headers are SYSTEM.
add_library(stele_no_warnings INTERFACE)
target_compile_options(stele_no_warnings INTERFACE -w)
