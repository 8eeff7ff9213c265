# cmake -DINCLUDE=<folder of the headers> -DOUTPUT=<file> -P plugin_headers.cmake: a header with a hash of all others that
# are installed. A plug-in and the library that opens it must have been compiled with the same ones, and the version
# alone does not say so: between two releases, and in a checkout, it stays while classes change. Comments and spaces
# do not count.
cmake_minimum_required(VERSION 3.22)  # as that of the project: a script has policies of its own
file(GLOB_RECURSE headers RELATIVE ${INCLUDE} ${INCLUDE}/footfall/*.hpp)
list(FILTER headers EXCLUDE REGEX "/internal/")
list(SORT headers)
set(all "")
foreach(header ${headers})
  file(READ ${INCLUDE}/${header} text)
  string(REGEX REPLACE "//[^\n]*" "" text "${text}")
  string(REGEX REPLACE "[ \t\r\n]+" " " text "${text}")
  string(SHA256 hash "${text}")
  string(APPEND all "${header} ${hash}\n")
endforeach()
string(SHA256 hash "${all}")
string(SUBSTRING ${hash} 0 12 hash)
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT
"#pragma once

/// Of all headers that are installed, made while Footfall is built; see footfall/base/plugin_identity.hpp.
#define FOOTFALL_PLUGIN_HEADERS \"@hash@\"
")
