# OSQP, version 1 (its interface changed with it), static or shared.
#
# Target: OSQP::OSQP
if(TARGET OSQP::OSQP)
  return()
endif()
find_path(OSQP_INCLUDE_DIR osqp/osqp_api_types.h)
find_library(OSQP_LIBRARY NAMES osqpstatic osqp)
mark_as_advanced(OSQP_INCLUDE_DIR OSQP_LIBRARY)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OSQP REQUIRED_VARS OSQP_LIBRARY OSQP_INCLUDE_DIR)

if(OSQP_FOUND)
  add_library(OSQP::OSQP UNKNOWN IMPORTED)
  set_target_properties(OSQP::OSQP PROPERTIES
    IMPORTED_LOCATION ${OSQP_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES "${OSQP_INCLUDE_DIR};${OSQP_INCLUDE_DIR}/osqp"
    INTERFACE_LINK_LIBRARIES "${CMAKE_DL_LIBS}")
endif()
