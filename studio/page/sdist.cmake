# For a source distribution: makes the page at once, where pyproject.toml takes it from. Whoever builds from such a distribution needs
# no npm.
set(page ${PROJECT_SOURCE_DIR}/build/sdist/studio.html)
if(FOOTFALL_BUILT_PAGE)
  configure_file(${FOOTFALL_BUILT_PAGE} ${page} COPYONLY)
  return()
endif()
include(${CMAKE_CURRENT_LIST_DIR}/node.cmake)
if(NOT FOOTFALL_NODE OR NOT FOOTFALL_NPM)
  message(FATAL_ERROR "A source distribution holds the studio's page, and npm is needed to make it: install Node.js, "
    "or name a page with -DFOOTFALL_BUILT_PAGE")
endif()
execute_process(
  COMMAND ${CMAKE_COMMAND} -DNODE=${FOOTFALL_NODE} -DNPM=${FOOTFALL_NPM} -DSOURCE=${CMAKE_CURRENT_LIST_DIR}
          -DWORK=${PROJECT_SOURCE_DIR}/build/sdist -DREQUIRED=ON -P ${CMAKE_CURRENT_LIST_DIR}/make_page.cmake
  COMMAND_ERROR_IS_FATAL ANY)
