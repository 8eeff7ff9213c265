# Eigen, fmt, GoogleTest and the standard library are most of what a file of this project costs to compile. They are read
# once for many files; only headers of others are, so that a change of ours never compiles everything anew.
option(FOOTFALL_PRECOMPILED_HEADERS "Read the headers of Eigen, fmt, GoogleTest and the like once for many files" ON)

set(FOOTFALL_STANDARD_HEADERS <algorithm> <cmath> <functional> <map> <memory> <optional> <span> <string> <utility>
  <vector>)

# footfall_precompiled_headers(<kind> HEADERS <headers> LIBRARIES <whose headers they are>)
function(footfall_precompiled_headers kind)
  cmake_parse_arguments(PCH "" "" "HEADERS;LIBRARIES" ${ARGN})
  if(NOT FOOTFALL_PRECOMPILED_HEADERS)
    return()
  endif()
  set(nothing ${CMAKE_BINARY_DIR}/precompiled/${kind}.cpp)  # a target needs a source
  if(NOT EXISTS ${nothing})
    file(WRITE ${nothing} "")
  endif()
  add_library(footfall_headers_${kind} OBJECT EXCLUDE_FROM_ALL ${nothing})
  target_link_libraries(footfall_headers_${kind} PRIVATE Eigen3::Eigen ${PCH_LIBRARIES})
  target_compile_options(footfall_headers_${kind} PRIVATE ${FOOTFALL_WARNINGS})
  target_precompile_headers(footfall_headers_${kind}
    PRIVATE <Eigen/Core> <Eigen/Geometry> ${FOOTFALL_STANDARD_HEADERS} ${PCH_HEADERS})
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)  # a compiler's cache lends them to clones, whose files have other times
    target_compile_options(footfall_headers_${kind} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
  footfall_cache_precompiled(footfall_headers_${kind})
endfunction()

# footfall_precompile(<target> <kind>): uses them. Compilers refuse headers that were read with other options, so
# programs are compiled like libraries.
function(footfall_precompile target kind)
  if(NOT FOOTFALL_PRECOMPILED_HEADERS)
    return()
  endif()
  target_precompile_headers(${target} REUSE_FROM footfall_headers_${kind})
  get_target_property(type ${target} TYPE)
  if(type STREQUAL EXECUTABLE)
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
  footfall_cache_precompiled(${target})
endfunction()

# Without being told so, ccache keeps nothing that was compiled with such headers: they could hold the time of day.
function(footfall_cache_precompiled target)
  if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache$")
    set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros;${CMAKE_CXX_COMPILER_LAUNCHER}")
  endif()
endfunction()
