# The optional engines and solvers may come from Python wheels in .venv (`./dev setup` puts them there). Included by
# the folders that need them, so that the search path of everything else stays as it is. What the user names in
# CMAKE_PREFIX_PATH comes first.
foreach(wheel cmeel.prefix idyntree casadi)  # in this order: CasADi brings copies of other libraries along
  file(GLOB prefix ${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/${wheel})
  list(APPEND FOOTFALL_WHEEL_PREFIXES ${prefix})
endforeach()
list(APPEND CMAKE_PREFIX_PATH ${FOOTFALL_WHEEL_PREFIXES})
# The wheel of CasADi keeps its libraries at the top of its prefix.
list(APPEND CMAKE_LIBRARY_PATH ${FOOTFALL_WHEEL_PREFIXES})
