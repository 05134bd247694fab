# Gives every name that a static library defines for itself the prefix of the library, so that none
# can meet a name of the program it is linked into. Members stay apart: a program takes those it needs.
#   cmake -DNM=nm -DOBJCOPY=objcopy -DLIBRARY=libbristle.a -P prefix.cmake
execute_process(COMMAND ${NM} -g --defined-only -P ${LIBRARY}
  OUTPUT_VARIABLE listed COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" lines "${listed}")
set(pairs "")
foreach(line ${lines})
  # "name type value size"; "library[member]:" heads a member. Names with __ are the compiler's.
  if(NOT line MATCHES "^(bri_|__)" AND line MATCHES "^([A-Za-z_][A-Za-z0-9_.]*) [A-Z] ")
    list(APPEND pairs "${CMAKE_MATCH_1} bri_own_${CMAKE_MATCH_1}")
  endif()
endforeach()
if(NOT pairs)
  return()
endif()
list(REMOVE_DUPLICATES pairs)
list(JOIN pairs "\n" pairs)
file(WRITE ${LIBRARY}.names "${pairs}\n")
execute_process(COMMAND ${OBJCOPY} --redefine-syms=${LIBRARY}.names ${LIBRARY}
  COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE ${LIBRARY}.names)
