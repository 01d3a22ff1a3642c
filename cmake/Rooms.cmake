# Rooms and programs: warnings, hardening and the one-folder-one-target rule of the design.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

find_program(APPROVAL_CCACHE ccache)
if(APPROVAL_CCACHE)
  # Precompiled headers are cacheable only with this much trust; a clone in another folder shares
  # the cache, and a miss does not pay for a preprocessor run of its own.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_DEPEND=1 CCACHE_NOHASHDIR=1
    CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} ${APPROVAL_CCACHE})
endif()

# Parsing these takes most of the time of a plain file; each target parses them once.
set(APPROVAL_COMMON_HEADERS
  <algorithm> <functional> <map> <memory> <optional> <string> <string_view> <vector>
  <boost/json/array.hpp> <boost/json/object.hpp> <boost/json/string.hpp> <boost/json/value.hpp>
  <tl/expected.hpp>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-fpch-preprocess)
endif()

option(APPROVAL_WERROR "Treat warnings as errors" ON)
set(APPROVAL_SANITIZE "" CACHE STRING "Value of -fsanitize= for every target")

add_library(approval_flags INTERFACE)
target_include_directories(approval_flags INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(approval_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wold-style-cast
  -Wnon-virtual-dtor -Woverloaded-virtual)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(approval_flags INTERFACE
    -Wduplicated-branches -Wlogical-op -Wbidi-chars=any
    # gcc 12 takes the inside of an empty std::optional for uninitialized use, and a string that
    # outgrows its own small buffer for an overrun.
    -Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
endif()
if(APPROVAL_WERROR)
  target_compile_options(approval_flags INTERFACE -Werror)
endif()
if(APPROVAL_SANITIZE)
  target_compile_options(approval_flags INTERFACE
    -fsanitize=${APPROVAL_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(approval_flags INTERFACE -fsanitize=${APPROVAL_SANITIZE})
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  target_compile_options(approval_flags INTERFACE
    -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fstack-clash-protection)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64")
    target_compile_options(approval_flags INTERFACE -fcf-protection)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # At -O3 gcc 12 sees an overlap in `"literal" + string` (gcc bug 105651).
    target_compile_options(approval_flags INTERFACE -Wno-restrict)
  endif()
  target_link_options(approval_flags INTERFACE -Wl,-z,relro,-z,now -Wl,-z,noexecstack)
endif()
target_link_options(approval_flags INTERFACE -Wl,--as-needed)

# approval_room(<name> DIR <folder> DEPS <targets>...): the static target approval_<name> of every
# .cc directly in the folder. A room without sources yet is an interface target.
function(approval_room name)
  cmake_parse_arguments(ROOM "" "DIR" "DEPS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${ROOM_DIR}/*.cc)
  if(sources)
    add_library(approval_${name} STATIC ${sources})
    target_link_libraries(approval_${name} PUBLIC ${ROOM_DEPS} PRIVATE approval_flags)
    # Of the product only: gcc 12 suspects every optional that a test reads after asserting on it.
    target_compile_options(approval_${name} PRIVATE -Wnull-dereference)
    target_include_directories(approval_${name} PUBLIC ${CMAKE_SOURCE_DIR})
    target_precompile_headers(approval_${name} PRIVATE ${APPROVAL_COMMON_HEADERS})
  else()
    add_library(approval_${name} INTERFACE)
    target_link_libraries(approval_${name} INTERFACE ${ROOM_DEPS})
  endif()
endfunction()

# approval_program(<name> MAIN <file> DEPS <targets>...): an executable with build id and PIE.
function(approval_program name)
  cmake_parse_arguments(PROGRAM "" "MAIN" "DEPS" ${ARGN})
  add_executable(${name} ${PROGRAM_MAIN})
  target_link_libraries(${name} PRIVATE ${PROGRAM_DEPS} approval_flags)
  target_link_options(${name} PRIVATE -pie -Wl,--build-id=sha1)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
endfunction()
