# ProxSuite: headers only. Its own package file stops the configuration where cereal is missing, which the dense
# solver does not need.
#
# Target: proxsuite::proxsuite
if(TARGET proxsuite::proxsuite)
  return()
endif()
find_path(PROXSUITE_INCLUDE_DIR proxsuite/proxqp/dense/dense.hpp)
mark_as_advanced(PROXSUITE_INCLUDE_DIR)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(proxsuite REQUIRED_VARS PROXSUITE_INCLUDE_DIR)

if(proxsuite_FOUND)
  add_library(proxsuite::proxsuite INTERFACE IMPORTED)
  set_target_properties(proxsuite::proxsuite PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES ${PROXSUITE_INCLUDE_DIR}
    INTERFACE_LINK_LIBRARIES Eigen3::Eigen)
endif()
