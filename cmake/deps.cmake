# Every library from outside, as an imported target. All are Debian 12 packages
# (scripts/install-deps); what has no CMake package there is wrapped here.

# stele_imported_library(<target> HEADER <file> [LIBRARY <name>] [DEPS <target>...])
function(stele_imported_library target)
  cmake_parse_arguments(arg "" "HEADER;LIBRARY" "DEPS" ${ARGN})
  if(TARGET ${target})
    return()
  endif()
  string(MAKE_C_IDENTIFIER "STELE_${target}" key)
  find_path(${key}_INCLUDE ${arg_HEADER} REQUIRED)
  if(arg_LIBRARY)
    find_library(${key}_LIBRARY ${arg_LIBRARY} REQUIRED)
    add_library(${target} UNKNOWN IMPORTED GLOBAL)
    set_target_properties(${target} PROPERTIES IMPORTED_LOCATION ${${key}_LIBRARY})
  else()
    add_library(${target} INTERFACE IMPORTED GLOBAL)
  endif()
  # The compiler's own folder must keep its place in the search order.
  if(NOT ${key}_INCLUDE STREQUAL "/usr/include")
    target_include_directories(${target} SYSTEM INTERFACE ${${key}_INCLUDE})
  endif()
  target_link_libraries(${target} INTERFACE ${arg_DEPS})
  mark_as_advanced(${key}_INCLUDE ${key}_LIBRARY)
endfunction()

set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)

find_package(absl CONFIG REQUIRED)
find_package(OpenSSL 3.0 REQUIRED)
find_package(simdjson CONFIG REQUIRED)
find_package(double-conversion CONFIG REQUIRED)
find_package(Protobuf 3.21 MODULE REQUIRED)
find_package(CapnProto CONFIG QUIET REQUIRED)
find_package(CURL REQUIRED)
find_package(CLI11 CONFIG REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_package(spdlog CONFIG REQUIRED)
find_package(yaml-cpp CONFIG REQUIRED)
find_package(prometheus-cpp CONFIG REQUIRED)
find_package(toml11 CONFIG REQUIRED)
find_package(ZLIB REQUIRED)

stele_imported_library(RocksDB::rocksdb HEADER rocksdb/db.h LIBRARY rocksdb)
stele_imported_library(zstd::libzstd HEADER zstd.h LIBRARY zstd)
stele_imported_library(sodium::sodium HEADER sodium.h LIBRARY sodium)
stele_imported_library(xxhash::xxhash HEADER xxhash.h LIBRARY xxhash)
stele_imported_library(ctemplate::ctemplate HEADER ctemplate/template.h LIBRARY ctemplate
  DEPS Threads::Threads)
stele_imported_library(yaml-cpp::yaml-cpp HEADER yaml-cpp/yaml.h LIBRARY yaml-cpp)

# gRPC's own package insists on a Protobuf package that Debian does not ship.
stele_imported_library(gRPC::gpr HEADER grpc/support/log.h LIBRARY gpr)
stele_imported_library(gRPC::grpc HEADER grpc/grpc.h LIBRARY grpc DEPS gRPC::gpr)
stele_imported_library(gRPC::grpc++ HEADER grpcpp/grpcpp.h LIBRARY grpc++
  DEPS gRPC::grpc protobuf::libprotobuf absl::base absl::strings absl::status absl::synchronization
       absl::cord absl::optional)
stele_imported_library(gRPC::grpc++_reflection
  HEADER grpcpp/ext/proto_server_reflection_plugin.h LIBRARY grpc++_reflection DEPS gRPC::grpc++)
find_program(STELE_GRPC_CPP_PLUGIN grpc_cpp_plugin REQUIRED)

# The tool targets of Debian's Cap'n Proto package point to files that do not exist.
find_program(STELE_CAPNP capnp REQUIRED)
find_program(STELE_CAPNPC_CPP capnpc-c++ REQUIRED)

if(BUILD_TESTING)
  find_package(GTest CONFIG REQUIRED)
  find_package(benchmark CONFIG REQUIRED)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
endif()
