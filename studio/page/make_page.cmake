# cmake -DNODE=… -DNPM=… -DSOURCE=… -DWORK=… -P make_page.cmake: makes WORK/studio.html. The packages are fetched into WORK, and only when their
# list has changed. Where they cannot be had (no network) the page says so, unless it is REQUIRED; everything else of footfall is built all
# the same.
file(COPY ${SOURCE}/src ${SOURCE}/tsconfig.json DESTINATION ${WORK})
file(SHA256 ${SOURCE}/package-lock.json wanted)
set(there "")
if(EXISTS ${WORK}/packages.stamp)
  file(READ ${WORK}/packages.stamp there)
endif()

if(NOT there STREQUAL wanted)
  file(COPY ${SOURCE}/package.json ${SOURCE}/package-lock.json DESTINATION ${WORK})
  execute_process(COMMAND ${NODE} ${NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error
    WORKING_DIRECTORY ${WORK} RESULT_VARIABLE status ERROR_VARIABLE problem OUTPUT_QUIET)
  if(NOT status EQUAL 0 AND REQUIRED)
    message(FATAL_ERROR "studio: the page's packages could not be fetched:\n${problem}")
  endif()
  if(NOT status EQUAL 0)
    message(WARNING "studio: the page's packages could not be fetched, so `footfall view` has no page:\n${problem}")
    configure_file(${SOURCE}/missing.html ${WORK}/studio.html COPYONLY)
    file(TOUCH ${WORK}/studio.html)
    return()
  endif()
  file(WRITE ${WORK}/packages.stamp ${wanted})
endif()

execute_process(COMMAND ${NODE} ${SOURCE}/bundle.mjs ${WORK} ${WORK}/studio.html RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "studio: the page cannot be bundled")
endif()
