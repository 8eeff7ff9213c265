# The libraries that Footfall is made of besides its own. Those that are compiled go into whatever needs them: libfootfall, FMUs,
# MEX files and wheels then ask nothing of the machine they land on, and show none of these names to other libraries in the
# same process. FOOTFALL_SELF_CONTAINED says whether that is so.
#
# Targets: fmt::fmt, tinyxml2::tinyxml2, yaml-cpp, Eigen3::Eigen, CLI11::CLI11; and, where they are found,
#   footfall_zlib, footfall_zstd, Boost::headers, nlohmann_json::nlohmann_json, fmi_headers
set(FOOTFALL_SYSTEM_LIBRARIES AUTO CACHE STRING
  "ON: all from the system; OFF: all from the Python registry; AUTO: headers from the system where they are found, sources from the registry")
include(FootfallArchives)
enable_language(C)  # zlib and zstd
if(NOT CMAKE_C_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()

# footfall_static_library(<target> <include folder> <sources…>)
function(footfall_static_library target include_folder)
  add_library(${target} STATIC EXCLUDE_FROM_ALL ${ARGN})
  set_target_properties(${target} PROPERTIES UNITY_BUILD OFF)  # C files that define the same names
  target_include_directories(${target} SYSTEM PUBLIC ${include_folder})
  target_compile_options(${target} PRIVATE -w)
  set_target_properties(${target} PROPERTIES
    C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endfunction()

# footfall_headers(<target> <package> <folder inside>): a library of headers out of an archive, unless the system has it
function(footfall_headers target package folder)
  if(TARGET ${target})
    return()
  endif()
  footfall_unpack(${package} ${folder} include_folder)
  if(include_folder)
    add_library(${target} INTERFACE IMPORTED GLOBAL)
    target_include_directories(${target} SYSTEM INTERFACE ${include_folder})
  endif()
endfunction()

# footfall_want(<target> <package>): adds the package to `wanted`, unless the system has the target
macro(footfall_want target package)
  if(NOT TARGET ${target})
    list(APPEND wanted ${package})
  endif()
endmacro()

# ---- what the system has -------------------------------------------------------------------------------------------

if(FOOTFALL_SYSTEM_LIBRARIES)  # ON or AUTO
  find_package(Eigen3 3.4 QUIET NO_MODULE)
  find_package(CLI11 QUIET)
  find_package(Boost 1.74 QUIET CONFIG)
  find_package(nlohmann_json QUIET)
  file(GLOB fmpy_headers ${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/fmpy/c-code)
  find_path(FMI_HEADERS fmi3Functions.h HINTS ${fmpy_headers})
  if(FMI_HEADERS)
    add_library(fmi_headers INTERFACE IMPORTED)
    target_include_directories(fmi_headers SYSTEM INTERFACE ${FMI_HEADERS})
  endif()
endif()

# ---- what the registry has -----------------------------------------------------------------------------------------

if(NOT FOOTFALL_SYSTEM_LIBRARIES STREQUAL ON)
  set(wanted cmeel-fmt cmeel-tinyxml2 cmeel-yaml-cpp)
  footfall_want(Eigen3::Eigen cmeel-eigen)
  if(NOT FOOTFALL_DEMO_ONLY)
    footfall_want(CLI11::CLI11 goofit)
  endif()
  if(FOOTFALL_ZLIB OR FOOTFALL_ZSTD)
    list(APPEND wanted blosc)
  endif()
  if(FOOTFALL_STUDIO)
    footfall_want(Boost::headers cmeel-boost)
    footfall_want(nlohmann_json::nlohmann_json nlohmann-json)
  endif()
  if(FOOTFALL_FMU)
    footfall_want(fmi_headers fmpy)
  endif()
  footfall_fetch(${wanted})

  footfall_headers(Eigen3::Eigen cmeel-eigen cmeel.prefix/include/eigen3)
  footfall_headers(CLI11::CLI11 goofit extern/CLI11/include)
  if(FOOTFALL_STUDIO)
    footfall_headers(Boost::headers cmeel-boost cmeel.prefix/include)
    footfall_headers(nlohmann_json::nlohmann_json nlohmann-json nlohmann_json/include)
  endif()
  if(FOOTFALL_FMU)
    footfall_headers(fmi_headers fmpy fmpy/c-code)
  endif()
  footfall_unpack(cmeel-fmt fmt fmt_source)
  footfall_unpack(cmeel-tinyxml2 tinyxml2 tinyxml2_source)
  footfall_unpack(cmeel-yaml-cpp yaml-cpp yaml_source)
  footfall_unpack(blosc blosc/c-blosc/internal-complibs compressors_source)
endif()

if(NOT TARGET Eigen3::Eigen)
  message(FATAL_ERROR "Eigen 3.4 is neither on this system nor to be had from the Python registry: install libeigen3-dev")
endif()
if(NOT TARGET CLI11::CLI11 AND NOT FOOTFALL_DEMO_ONLY)
  message(FATAL_ERROR "CLI11 is neither on this system nor to be had from the Python registry: install libcli11-dev")
endif()

# ---- sources that go inside ----------------------------------------------------------------------------------------

set(FOOTFALL_SELF_CONTAINED OFF)
if(fmt_source AND tinyxml2_source AND yaml_source)
  set(FOOTFALL_SELF_CONTAINED ON)
  footfall_static_library(footfall_fmt ${fmt_source}/include ${fmt_source}/src/format.cc)
  footfall_static_library(footfall_tinyxml2 ${tinyxml2_source} ${tinyxml2_source}/tinyxml2.cpp)
  file(GLOB yaml_files ${yaml_source}/src/*.cpp)
  footfall_static_library(yaml-cpp ${yaml_source}/include ${yaml_files})
  target_compile_definitions(yaml-cpp PUBLIC YAML_CPP_STATIC_DEFINE)
  # Forty small files that all read the same headers: a tenth of the time when they are compiled together.
  set_target_properties(yaml-cpp PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
  add_library(fmt::fmt ALIAS footfall_fmt)
  add_library(tinyxml2::tinyxml2 ALIAS footfall_tinyxml2)
else()
  find_package(fmt REQUIRED)
  find_package(tinyxml2 REQUIRED)
  find_package(yaml-cpp REQUIRED)
endif()

# Without zlib there are no FMUs, and pictures are larger; without zstd, logs are larger.
if(FOOTFALL_ZLIB AND compressors_source)
  file(GLOB zlib_files ${compressors_source}/zlib-*/*.c)
  list(FILTER zlib_files EXCLUDE REGEX "/(gz[a-z]+|infback)\\.c$")  # files of its own kind
  file(GLOB zlib_source ${compressors_source}/zlib-*)
  footfall_static_library(footfall_zlib ${zlib_source} ${zlib_files})
elseif(FOOTFALL_ZLIB)
  find_package(ZLIB QUIET)
  if(ZLIB_FOUND)
    add_library(footfall_zlib INTERFACE)
    target_link_libraries(footfall_zlib INTERFACE ZLIB::ZLIB)
  endif()
endif()

if(FOOTFALL_ZSTD AND compressors_source)
  file(GLOB zstd_source ${compressors_source}/zstd-*)
  file(GLOB zstd_files ${zstd_source}/common/*.c ${zstd_source}/compress/*.c ${zstd_source}/decompress/*.c)
  footfall_static_library(footfall_zstd ${zstd_source} ${zstd_files})
  target_compile_definitions(footfall_zstd PRIVATE ZSTD_DISABLE_ASM ZSTD_LEGACY_SUPPORT=0)
elseif(FOOTFALL_ZSTD)
  find_library(FOOTFALL_ZSTD_LIBRARY NAMES libzstd.a zstd)  # inside, like the other libraries
  find_path(ZSTD_INCLUDE_DIR zstd.h)
  if(FOOTFALL_ZSTD_LIBRARY AND ZSTD_INCLUDE_DIR)
    add_library(footfall_zstd INTERFACE)
    target_include_directories(footfall_zstd SYSTEM INTERFACE ${ZSTD_INCLUDE_DIR})
    target_link_libraries(footfall_zstd INTERFACE ${FOOTFALL_ZSTD_LIBRARY})
  endif()
endif()
message(STATUS "Third-party libraries inside libfootfall: ${FOOTFALL_SELF_CONTAINED}")
