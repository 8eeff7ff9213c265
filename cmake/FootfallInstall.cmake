# What `cmake --install` puts into a prefix: the command, the library with its plug-ins, headers, scenes and models, and
# a package for find_package(footfall). Run paths are relative, so the prefix can be moved.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/footfall)
set(plugin_dir ${CMAKE_INSTALL_LIBDIR}/footfall/plugins)
get_property(plugins GLOBAL PROPERTY FOOTFALL_BUILT_PLUGINS)

set_target_properties(footfall_command PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
set_target_properties(footfall PROPERTIES INSTALL_RPATH "$ORIGIN")
# Libraries of the wheels lie outside of the linker's own folders. CMake keeps the run paths of those outside of this
# project by itself; the .venv of `./dev setup` lies inside.
set_target_properties(footfall footfall_command ${plugins} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
set(wheel_libraries "")
if(NOT SKBUILD)  # a wheel names no folder of the machine that made it
  file(GLOB wheel_libraries ${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/cmeel.prefix/lib
                            ${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/casadi)
endif()
foreach(plugin ${plugins})
  set_target_properties(${plugin} PROPERTIES INSTALL_RPATH "$ORIGIN/../..;${wheel_libraries}")
endforeach()

# All that a user runs, and no tests: what `./dev install` builds.
add_custom_target(product DEPENDS footfall_command ${plugins})
if(TARGET footfall_fmu)
  add_dependencies(product footfall_fmu)
endif()

install(TARGETS footfall_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS footfall EXPORT footfallTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS ${plugins} LIBRARY DESTINATION ${plugin_dir})
install(DIRECTORY include/footfall ${FOOTFALL_MADE_HEADERS}/footfall DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  PATTERN internal EXCLUDE)
foreach(folder scenes models)
  if(EXISTS ${PROJECT_SOURCE_DIR}/${folder})
    install(DIRECTORY ${folder} DESTINATION ${CMAKE_INSTALL_DATADIR}/footfall)
  endif()
endforeach()

install(FILES docs/scene.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/footfall)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/footfall/licenses)
install(DIRECTORY tools/licenses/ DESTINATION ${CMAKE_INSTALL_DATADIR}/footfall/licenses)

install(EXPORT footfallTargets NAMESPACE footfall:: DESTINATION ${package_dir})
configure_package_config_file(cmake/footfallConfig.cmake.in ${CMAKE_BINARY_DIR}/footfallConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/footfallConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/footfallConfig.cmake ${CMAKE_BINARY_DIR}/footfallConfigVersion.cmake
              cmake/FootfallAddPlugin.cmake
  DESTINATION ${package_dir})
