# Makes FOOTFALL_STUDIO_PAGE: one html file with everything in it. A source distribution brings it along; in a clone npm's packages
# bundle it. Without both it is a page that says so, and everything else works.
set(FOOTFALL_STUDIO_PAGE_SOURCE ${CMAKE_CURRENT_LIST_DIR})
set(FOOTFALL_STUDIO_PAGE_DIR ${CMAKE_CURRENT_BINARY_DIR}/page)
set(FOOTFALL_STUDIO_PAGE ${FOOTFALL_STUDIO_PAGE_DIR}/studio.html)
set(FOOTFALL_BUILT_PAGE "" CACHE FILEPATH "The studio's page, already made; empty: make it")

set(built ${FOOTFALL_BUILT_PAGE})
if(NOT built AND EXISTS ${FOOTFALL_STUDIO_PAGE_SOURCE}/built/studio.html)
  set(built ${FOOTFALL_STUDIO_PAGE_SOURCE}/built/studio.html)
endif()
if(built)
  message(STATUS "studio: the page is ${built}")
  configure_file(${built} ${FOOTFALL_STUDIO_PAGE} COPYONLY)
  return()
endif()

include(${CMAKE_CURRENT_LIST_DIR}/node.cmake)
if(NOT FOOTFALL_NODE OR NOT FOOTFALL_NPM)
  message(STATUS "studio: no npm, so `footfall view` has no page; install Node.js or the wheels of requirements.txt")
  configure_file(${FOOTFALL_STUDIO_PAGE_SOURCE}/missing.html ${FOOTFALL_STUDIO_PAGE} COPYONLY)
  return()
endif()

file(GLOB page_sources CONFIGURE_DEPENDS ${FOOTFALL_STUDIO_PAGE_SOURCE}/src/*)
file(GLOB license_texts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/licenses/*.txt)
add_custom_command(OUTPUT ${FOOTFALL_STUDIO_PAGE}
  COMMAND ${CMAKE_COMMAND} -DNODE=${FOOTFALL_NODE} -DNPM=${FOOTFALL_NPM} -DSOURCE=${FOOTFALL_STUDIO_PAGE_SOURCE}
          -DWORK=${FOOTFALL_STUDIO_PAGE_DIR} -P ${FOOTFALL_STUDIO_PAGE_SOURCE}/make_page.cmake
  DEPENDS ${page_sources} ${license_texts}
          ${FOOTFALL_STUDIO_PAGE_SOURCE}/make_page.cmake ${FOOTFALL_STUDIO_PAGE_SOURCE}/bundle.mjs
          ${FOOTFALL_STUDIO_PAGE_SOURCE}/package.json ${FOOTFALL_STUDIO_PAGE_SOURCE}/package-lock.json
          ${FOOTFALL_STUDIO_PAGE_SOURCE}/tsconfig.json
  COMMENT "Making the page of the studio")
