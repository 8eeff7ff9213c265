# footfall_add_plugin(<kind> <name> <sources>…): a library that footfall finds by its name, in a folder of
# FOOTFALL_PLUGIN_PATH. Kinds: block, contact, engine, integrator, solver, terrain. The target is called <name>. Where no
# build type is given it is Release: Eigen without optimisation is many times slower.
function(footfall_add_plugin kind name)
  set(kinds block contact engine integrator solver terrain)
  if(NOT kind IN_LIST kinds)
    message(FATAL_ERROR "footfall_add_plugin: there is no kind of plug-in '${kind}'; known: ${kinds}")
  endif()
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release PARENT_SCOPE)
  endif()
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE footfall::footfall)
  set_target_properties(${name} PROPERTIES PREFIX "lib" OUTPUT_NAME footfall_${kind}_${name} SUFFIX ".so")
endfunction()
