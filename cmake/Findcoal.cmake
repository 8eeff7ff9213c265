# Coal, the collision library that comes with the wheel of Pinocchio. Its own package file also asks for octomap, assimp and Boost, and stops the
# configuration where one of them is missing; their headers are not needed here.
#
# Target: coal::coal
if(TARGET coal::coal)
  return()
endif()
find_path(COAL_INCLUDE_DIR coal/distance.h)
find_library(COAL_LIBRARY coal)
find_path(COAL_BOOST_INCLUDE_DIR boost/math/constants/constants.hpp)
mark_as_advanced(COAL_INCLUDE_DIR COAL_LIBRARY COAL_BOOST_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(coal REQUIRED_VARS COAL_LIBRARY COAL_INCLUDE_DIR COAL_BOOST_INCLUDE_DIR)
if(coal_FOUND)
  add_library(coal::coal SHARED IMPORTED)
  set_target_properties(coal::coal PROPERTIES
    IMPORTED_LOCATION ${COAL_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES "${COAL_INCLUDE_DIR};${COAL_BOOST_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES Eigen3::Eigen)
endif()
