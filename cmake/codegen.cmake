# Generated C++ lands in <build>/generated and is included as the schema is
# named below proto/: "stele/v1/log.pb.h", "disk/v1/frames.capnp.h".
set(STELE_GENERATED_DIR ${PROJECT_BINARY_DIR}/generated)

# A library of generated sources; INTERFACE while there is no schema yet.
function(stele_generated_library target)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPS" ${ARGN})
  file(MAKE_DIRECTORY ${STELE_GENERATED_DIR})
  if(arg_SOURCES)
    add_library(${target} STATIC ${arg_SOURCES})
    target_link_libraries(${target} PUBLIC ${arg_DEPS} PRIVATE stele_no_warnings)
    target_include_directories(${target} SYSTEM PUBLIC ${STELE_GENERATED_DIR})
  else()
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE ${arg_DEPS})
    target_include_directories(${target} SYSTEM INTERFACE ${STELE_GENERATED_DIR})
  endif()
endfunction()

# stele_proto(<target> ROOT <dir> PROTOS <file relative to ROOT>... [DEPS ...])
# gRPC code is generated only for files that declare a service: its headers are
# the slowest to compile.
function(stele_proto target)
  cmake_parse_arguments(arg "" "ROOT" "PROTOS;DEPS" ${ARGN})
  list(TRANSFORM arg_PROTOS PREPEND ${arg_ROOT}/ OUTPUT_VARIABLE paths)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${paths})
  set(sources)
  foreach(proto IN LISTS arg_PROTOS)
    string(REGEX REPLACE "\\.proto$" "" stem ${proto})
    set(out ${STELE_GENERATED_DIR}/${stem})
    set(outputs ${out}.pb.cc ${out}.pb.h)
    set(flags --cpp_out=${STELE_GENERATED_DIR})
    file(STRINGS ${arg_ROOT}/${proto} services REGEX "^service ")
    if(services)
      list(APPEND outputs ${out}.grpc.pb.cc ${out}.grpc.pb.h)
      list(APPEND flags --grpc_out=${STELE_GENERATED_DIR}
        --plugin=protoc-gen-grpc=${STELE_GRPC_CPP_PLUGIN})
    endif()
    add_custom_command(OUTPUT ${outputs}
      COMMAND protobuf::protoc -I ${arg_ROOT} ${flags} ${arg_ROOT}/${proto}
      DEPENDS ${paths}
      COMMENT "protoc ${proto}" VERBATIM)
    list(APPEND sources ${outputs})
  endforeach()
  stele_generated_library(${target} SOURCES ${sources} DEPS ${arg_DEPS})
endfunction()

# stele_capnp(<target> ROOT <dir> SCHEMAS <file relative to ROOT>... [DEPS ...])
function(stele_capnp target)
  cmake_parse_arguments(arg "" "ROOT" "SCHEMAS;DEPS" ${ARGN})
  list(TRANSFORM arg_SCHEMAS PREPEND ${arg_ROOT}/ OUTPUT_VARIABLE paths)
  set(sources)
  foreach(schema IN LISTS arg_SCHEMAS)
    set(out ${STELE_GENERATED_DIR}/${schema})
    add_custom_command(OUTPUT ${out}.c++ ${out}.h
      COMMAND ${STELE_CAPNP} compile -I ${arg_ROOT} --src-prefix=${arg_ROOT} -o ${STELE_CAPNPC_CPP}:${STELE_GENERATED_DIR}
        ${arg_ROOT}/${schema}
      DEPENDS ${paths}
      COMMENT "capnp ${schema}" VERBATIM)
    list(APPEND sources ${out}.c++ ${out}.h)
  endforeach()
  stele_generated_library(${target} SOURCES ${sources} DEPS ${arg_DEPS})
endfunction()
