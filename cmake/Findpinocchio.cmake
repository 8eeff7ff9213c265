# Pinocchio's compiled algorithms for double, and Boost's headers. Its own package file also asks for coal, urdfdom
# and OpenMP, and stops the configuration where one of them is missing; none of them is needed here.
#
# Targets: pinocchio::pinocchio_default, and pinocchio::pinocchio_parsers where the URDF parser is there too.
if(TARGET pinocchio::pinocchio_default)
  return()
endif()
find_path(PINOCCHIO_INCLUDE_DIR pinocchio/algorithm/crba.hpp)
find_library(PINOCCHIO_LIBRARY pinocchio_default)
find_library(PINOCCHIO_PARSERS_LIBRARY pinocchio_parsers)
# Pinocchio's URDF parser includes urdfdom's headers, which their wheel keeps in a folder of their own.
find_path(PINOCCHIO_URDFDOM_INCLUDE_DIR urdf_model/model.h PATH_SUFFIXES urdfdom_headers)
find_path(PINOCCHIO_BOOST_INCLUDE_DIR boost/fusion/include/vector.hpp)
find_library(PINOCCHIO_BOOST_SERIALIZATION_LIBRARY boost_serialization)
mark_as_advanced(PINOCCHIO_INCLUDE_DIR PINOCCHIO_LIBRARY PINOCCHIO_PARSERS_LIBRARY PINOCCHIO_URDFDOM_INCLUDE_DIR
  PINOCCHIO_BOOST_INCLUDE_DIR PINOCCHIO_BOOST_SERIALIZATION_LIBRARY)

if(PINOCCHIO_INCLUDE_DIR AND EXISTS ${PINOCCHIO_INCLUDE_DIR}/pinocchio/config.hpp)
  file(STRINGS ${PINOCCHIO_INCLUDE_DIR}/pinocchio/config.hpp version_line
    REGEX "define +PINOCCHIO_VERSION +\"?[0-9.]+")
  string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" pinocchio_VERSION "${version_line}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(pinocchio
  REQUIRED_VARS PINOCCHIO_LIBRARY PINOCCHIO_INCLUDE_DIR PINOCCHIO_BOOST_INCLUDE_DIR
    PINOCCHIO_BOOST_SERIALIZATION_LIBRARY
  VERSION_VAR pinocchio_VERSION)

if(pinocchio_FOUND)
  # "deprecated" holds the header names of Pinocchio 3, which serve for both.
  add_library(pinocchio::pinocchio_default SHARED IMPORTED)
  set_target_properties(pinocchio::pinocchio_default PROPERTIES
    IMPORTED_LOCATION ${PINOCCHIO_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES
      "${PINOCCHIO_INCLUDE_DIR};${PINOCCHIO_INCLUDE_DIR}/pinocchio/deprecated;${PINOCCHIO_BOOST_INCLUDE_DIR}"
    INTERFACE_COMPILE_DEFINITIONS
      "PINOCCHIO_ENABLE_TEMPLATE_INSTANTIATION;BOOST_MPL_LIMIT_LIST_SIZE=30;BOOST_MPL_LIMIT_VECTOR_SIZE=30;BOOST_MPL_CFG_NO_PREPROCESSED_HEADERS;BOOST_FUSION_INVOKE_MAX_ARITY=12"
    INTERFACE_LINK_LIBRARIES "${PINOCCHIO_BOOST_SERIALIZATION_LIBRARY};Eigen3::Eigen")
  if(PINOCCHIO_PARSERS_LIBRARY AND PINOCCHIO_URDFDOM_INCLUDE_DIR)
    add_library(pinocchio::pinocchio_parsers SHARED IMPORTED)
    set_target_properties(pinocchio::pinocchio_parsers PROPERTIES
      IMPORTED_LOCATION ${PINOCCHIO_PARSERS_LIBRARY}
      INTERFACE_INCLUDE_DIRECTORIES ${PINOCCHIO_URDFDOM_INCLUDE_DIR}
      INTERFACE_COMPILE_DEFINITIONS PINOCCHIO_WITH_URDFDOM
      INTERFACE_LINK_LIBRARIES pinocchio::pinocchio_default)
  endif()
endif()
