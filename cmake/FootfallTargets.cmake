# One folder is one module is one target; all modules together are libfootfall.

set(FOOTFALL_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wno-psabi)
if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND FOOTFALL_WARNINGS -Wno-subobject-linkage)  # a file that another includes is taken for a header
endif()

# Nobody puts functions of his own in the place of ours by loading a library first; told so, GCC inlines within a file as
# it does for programs, and calls within libfootfall do not go through a table (-Bsymbolic-functions, src/CMakeLists.txt).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-fno-semantic-interposition)
endif()

set(FOOTFALL_MADE_HEADERS ${CMAKE_BINARY_DIR}/include)  # of the build, installed with the others

include(FootfallPrecompile)

# footfall_module(<name> DEPENDS <modules below> SOURCES <files> [LIBRARIES <external targets>])
function(footfall_module name)
  cmake_parse_arguments(MODULE "" "" "DEPENDS;SOURCES;LIBRARIES" ${ARGN})
  add_library(footfall_${name} OBJECT ${MODULE_SOURCES})
  target_include_directories(footfall_${name} PUBLIC ${PROJECT_SOURCE_DIR}/include PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_options(footfall_${name} PRIVATE ${FOOTFALL_WARNINGS})
  target_link_libraries(footfall_${name} PUBLIC Eigen3::Eigen ${MODULE_LIBRARIES})
  foreach(below ${MODULE_DEPENDS})
    target_link_libraries(footfall_${name} PUBLIC footfall_${below})
  endforeach()
  footfall_precompile(footfall_${name} common)
  set_target_properties(footfall_${name} PROPERTIES FOOTFALL_BELOW "${MODULE_DEPENDS}")
  set_property(GLOBAL APPEND PROPERTY FOOTFALL_MODULES footfall_${name})
endfunction()

# footfall_kernel(<module> <file>): compiles one source for each instruction set; the code picks one at run time.
# The file sees FOOTFALL_ISA as the name of the namespace that it must live in. No Eigen inside: inline functions
# compiled for a wide machine must never be linked into the code for a narrow one.
set(FOOTFALL_KERNEL_OPTIONS "" CACHE STRING "Compiler options for the kernels alone")
set(FOOTFALL_WIDE_KERNEL_OPTIONS "" CACHE STRING "The same for those of wide instruction sets alone")
set(FOOTFALL_ONLY_ISA "" CACHE STRING "Compile kernels for one instruction set alone (baseline, avx2, avx512); empty: for all")
# The demo runs where it is built, and so needs one of them: with all three it takes 40 s longer on two cores.
if(FOOTFALL_DEMO_ONLY AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  include(CheckCXXSourceRuns)
  check_cxx_source_runs("int main() {
    return __builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\") && __builtin_cpu_supports(\"bmi\") &&
           __builtin_cpu_supports(\"bmi2\") ? 0 : 1; }" FOOTFALL_AVX2_HERE)
  if(FOOTFALL_AVX2_HERE)
    set(FOOTFALL_ONLY_ISA avx2)
  else()
    set(FOOTFALL_ONLY_ISA baseline)
  endif()
endif()
function(footfall_kernel module source)
  get_filename_component(stem ${source} NAME_WE)
  set(isas baseline)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(APPEND isas avx2 avx512)
  endif()
  if(FOOTFALL_ONLY_ISA)
    set(isas ${FOOTFALL_ONLY_ISA})
    target_compile_definitions(footfall_${module} PRIVATE FOOTFALL_ONLY_ISA=${FOOTFALL_ONLY_ISA})
  endif()
  # Vectors and tiles that are cleared have a few hundred bytes: for these `rep stos`, which GCC takes, costs as much as
  # what is computed with them.
  set(clearing "")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(clearing -mmemset-strategy=vector_loop:4096:noalign,libcall:-1:noalign)
  endif()
  set(flags_baseline "")
  set(flags_avx2 ${FOOTFALL_WIDE_KERNEL_OPTIONS} -march=x86-64-v3)
  set(flags_avx512 ${FOOTFALL_WIDE_KERNEL_OPTIONS} -march=x86-64-v4 -mprefer-vector-width=512)
  foreach(isa ${isas})
    add_library(footfall_${module}_${stem}_${isa} OBJECT ${source})
    target_include_directories(footfall_${module}_${stem}_${isa}
      PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
    target_compile_options(footfall_${module}_${stem}_${isa}
      PRIVATE ${FOOTFALL_WARNINGS} ${FOOTFALL_KERNEL_OPTIONS} ${clearing} ${flags_${isa}})
    target_compile_definitions(footfall_${module}_${stem}_${isa} PRIVATE FOOTFALL_ISA=${isa})
    set_property(GLOBAL APPEND PROPERTY FOOTFALL_MODULES footfall_${module}_${stem}_${isa})
    set_property(TARGET footfall_${module} APPEND PROPERTY FOOTFALL_KERNELS footfall_${module}_${stem}_${isa})
  endforeach()
endfunction()

# footfall_modules(<variable> <module>…): the object libraries of these modules and of all below them.
function(footfall_modules variable)
  set(modules "")
  set(left ${ARGN})
  while(left)
    list(POP_FRONT left name)
    get_target_property(below footfall_${name} FOOTFALL_BELOW)
    get_target_property(kernels footfall_${name} FOOTFALL_KERNELS)
    list(APPEND left ${below})
    list(APPEND modules footfall_${name})
    if(kernels)
      list(APPEND modules ${kernels})
    endif()
  endwhile()
  list(REMOVE_DUPLICATES modules)
  set(${variable} ${modules} PARENT_SCOPE)
endfunction()

# footfall_plugin(<kind> <name> SOURCES <files> LIBRARIES <external targets>): a library that is opened by name.
function(footfall_plugin kind name)
  cmake_parse_arguments(PLUGIN "" "" "SOURCES;LIBRARIES" ${ARGN})
  set(target footfall_${kind}_${name})
  add_library(${target} MODULE ${PLUGIN_SOURCES})
  target_compile_options(${target} PRIVATE ${FOOTFALL_WARNINGS})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${target} PRIVATE footfall ${PLUGIN_LIBRARIES})
  set_target_properties(${target} PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/footfall/plugins
    BUILD_RPATH_USE_ORIGIN ON)
  set_property(GLOBAL APPEND PROPERTY FOOTFALL_BUILT_PLUGINS ${target})
endfunction()

# footfall_self_contained(<target>): links Footfall into a module that strangers load (an FMU, a MEX file): it asks only
# for the C library, and shows only the symbols that its own sources mark with default visibility.
function(footfall_self_contained target)
  target_compile_options(${target} PRIVATE ${FOOTFALL_WARNINGS})
  target_link_libraries(${target} PRIVATE footfall_core_static)
  target_link_options(${target} PRIVATE
    -static-libstdc++ -static-libgcc -Wl,--exclude-libs,ALL -Wl,--no-undefined -Wl,--gc-sections)
  set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endfunction()

# footfall_merged_archive(<name> <static libraries>…): lib/lib<name>.a with the objects of all of them, to be installed
function(footfall_merged_archive name)
  set(archive ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/lib${name}.a)
  set(script ${CMAKE_BINARY_DIR}/${name}.mri)
  set(lines "create ${archive}\n")
  foreach(library ${ARGN})
    string(APPEND lines "addlib $<TARGET_FILE:${library}>\n")
  endforeach()
  file(GENERATE OUTPUT ${script} CONTENT "${lines}save\nend\n")
  add_custom_command(OUTPUT ${archive} DEPENDS ${ARGN} ${script}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${archive} COMMAND ${CMAKE_AR} -M < ${script} VERBATIM)
  add_custom_target(${name} ALL DEPENDS ${archive})
  install(FILES ${archive} DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()

# footfall_report_plugin(<kind> <name> <found> <version or empty> <what to install>): one line for each.
function(footfall_report_plugin kind name found version missing)
  if(found)
    message(STATUS "${kind} ${name}: yes ${version}")
  else()
    message(STATUS "${kind} ${name}: no (${missing} not found)")
  endif()
endfunction()

# footfall_part(<option> <what it is> <targets that it needs>…): turns the option off where one of them is not there, and says why
function(footfall_part option what)
  if(NOT ${option})
    message(STATUS "Footfall: without ${what} (${option} is off)")
    return()
  endif()
  foreach(target ${ARGN})
    if(NOT TARGET ${target})
      message(STATUS "Footfall: without ${what}: ${target} was not found, neither on this system nor on the Python registry")
      set(${option} OFF PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(STATUS "Footfall: with ${what}")
endfunction()

# footfall_knows_source_dir(<target>): it may ask sourceDir() (tests/tools/source_dir.hpp) for the folder of this project.
function(footfall_knows_source_dir target)
  if(NOT TARGET footfall_source_dir)
    add_library(footfall_source_dir STATIC EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/tests/tools/source_dir.cpp)
    target_compile_options(footfall_source_dir PRIVATE ${FOOTFALL_WARNINGS})
    target_compile_definitions(footfall_source_dir PRIVATE FOOTFALL_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    target_include_directories(footfall_source_dir PUBLIC ${PROJECT_SOURCE_DIR}/tests)
  endif()
  target_link_libraries(${target} PRIVATE footfall_source_dir)
endfunction()

# footfall_test(<name> SOURCES <files> [LIBRARIES <targets>] [PROPERTIES <of the tests>])
function(footfall_test name)
  cmake_parse_arguments(TEST "" "" "SOURCES;LIBRARIES;PROPERTIES" ${ARGN})
  add_executable(test_${name} ${TEST_SOURCES})
  target_compile_options(test_${name} PRIVATE ${FOOTFALL_WARNINGS})
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(test_${name} PRIVATE footfall GTest::gtest_main ${TEST_LIBRARIES})
  footfall_knows_source_dir(test_${name})
  footfall_precompile(test_${name} test)
  gtest_discover_tests(test_${name} DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 600 ${TEST_PROPERTIES})
  if("threads" IN_LIST TEST_PROPERTIES)
    add_dependencies(tests_with_threads test_${name})
  endif()
endfunction()

# footfall_foreign_host(<test>): the test runs a program that is not ours (Python, Octave) and loads libraries of this
# build. Those of a build with sanitizers want the sanitizer to be there before anything else.
function(footfall_foreign_host test)
  if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize=(address|thread)")
    return()
  endif()
  string(SUBSTRING ${CMAKE_MATCH_1} 0 1 letter)
  foreach(library lib${letter}san.so libstdc++.so.6)  # the sanitizer looks for `throw` in the latter as it starts
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${library}
      OUTPUT_VARIABLE path OUTPUT_STRIP_TRAILING_WHITESPACE)
    list(APPEND preload ${path})
  endforeach()
  list(JOIN preload ":" preload)
  # Interpreters leave memory behind as they end: what leaks is no business of theirs.
  set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT LD_PRELOAD=${preload} ASAN_OPTIONS=detect_leaks=0)
endfunction()

# footfall_benchmark(<name> SOURCES <files> [LIBRARIES <targets>]): bin/bench_<name>, part of the target `benchmarks`
function(footfall_benchmark name)
  cmake_parse_arguments(BENCH "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(bench_${name} EXCLUDE_FROM_ALL ${BENCH_SOURCES})
  target_compile_options(bench_${name} PRIVATE ${FOOTFALL_WARNINGS})
  target_include_directories(bench_${name} PRIVATE ${PROJECT_SOURCE_DIR}/benchmarks ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(bench_${name} PRIVATE footfall benchmark::benchmark_main ${BENCH_LIBRARIES})
  footfall_knows_source_dir(bench_${name})
  add_dependencies(benchmarks bench_${name})
endfunction()
