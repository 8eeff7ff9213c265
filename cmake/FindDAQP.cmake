# DAQP, static or shared.
#
# Target: DAQP::DAQP
if(TARGET DAQP::DAQP)
  return()
endif()
find_path(DAQP_INCLUDE_DIR daqp/api.h)
find_library(DAQP_LIBRARY NAMES daqpstat daqp)
mark_as_advanced(DAQP_INCLUDE_DIR DAQP_LIBRARY)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(DAQP REQUIRED_VARS DAQP_LIBRARY DAQP_INCLUDE_DIR)

if(DAQP_FOUND)
  add_library(DAQP::DAQP UNKNOWN IMPORTED)
  set_target_properties(DAQP::DAQP PROPERTIES
    IMPORTED_LOCATION ${DAQP_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${DAQP_INCLUDE_DIR})
endif()
