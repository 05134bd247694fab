# How everything is compiled: bristle_target(target) and bristle_kernels(target level sources [flags]).

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug or RelWithDebInfo" FORCE)
  endif()
  set(CMAKE_C_FLAGS_RELEASE "-O2 -g1 -DNDEBUG") # lines, no variables: compiles in five sixths of the time
  if(BRISTLE_SANITIZE)
    # Lines for reports, but no variables: compiling takes two fifths of the time of -O1 -g.
    set(CMAKE_C_FLAGS_DEBUG "-Og -g1 -fno-omit-frame-pointer")
    set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g1")
  endif()
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
endif()

# What the innermost loops are compiled with; not where sanitizers watch, who take their time already.
set(BRISTLE_FAST -O3)
if(BRISTLE_SANITIZE)
  set(BRISTLE_FAST -Og)
endif()

set(BRISTLE_WARNINGS
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wmissing-prototypes -Wstrict-prototypes
  # All laws share the signatures of bri_model; most need neither self nor every argument.
  -Wno-unused-parameter
  # Rows of tables leave out at their end what does not apply, as a role where there is no law.
  -Wno-missing-field-initializers)
if(BRISTLE_WERROR)
  list(APPEND BRISTLE_WARNINGS -Werror)
endif()

# Hardening, where the compiler and the linker know it: the stack is guarded and not skipped, jumps go
# where a function begins, the C library checks sizes that are known, addresses are bound before main()
# and then read-only, executables stand at no fixed address.
set(BRISTLE_HARD_FLAGS "")
set(BRISTLE_HARD_LINKS "")
if(BRISTLE_HARDEN)
  include(CheckLinkerFlag)
  include(CheckPIESupported)
  check_pie_supported(LANGUAGES C)
  foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection)
    string(MAKE_C_IDENTIFIER BRISTLE_TAKES${flag} known)
    check_c_compiler_flag("${flag} -Werror" ${known})
    if(${known})
      list(APPEND BRISTLE_HARD_FLAGS ${flag})
    endif()
  endforeach()
  foreach(flag -z,relro -z,now -z,noexecstack)
    string(MAKE_C_IDENTIFIER BRISTLE_LINKS${flag} known)
    check_linker_flag(C LINKER:${flag} ${known})
    if(${known})
      list(APPEND BRISTLE_HARD_LINKS LINKER:${flag})
    endif()
  endforeach()
  if(NOT BRISTLE_SANITIZE) # which watch the same calls better
    list(APPEND BRISTLE_HARD_FLAGS
      $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-U_FORTIFY_SOURCE$<SEMICOLON>-D_FORTIFY_SOURCE=2>)
  endif()
endif()

# The x87 unit of 32-bit x86 keeps more digits than a double has, and other ones in every build: take
# SSE2, which every such processor has had since 2003, so that numbers are those of other machines.
set(BRISTLE_MACHINE_FLAGS "")
check_c_source_compiles("#ifndef __i386__\n#error\n#endif\nint main(void) { return 0; }" BRISTLE_IS_I386)
if(BRISTLE_IS_I386)
  set(BRISTLE_MACHINE_FLAGS -msse2 -mfpmath=sse)
endif()

function(bristle_target target)
  set_target_properties(${target} PROPERTIES
    C_STANDARD 17
    C_STANDARD_REQUIRED ON
    C_EXTENSIONS OFF
    C_VISIBILITY_PRESET hidden
    POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include)
  target_compile_options(${target} PRIVATE
    ${BRISTLE_WARNINGS}
    # The same source gives the same numbers whatever the machine: without this the compiler
    # fuses a * b + c wherever the target has the instruction, and results change in the last bit.
    -ffp-contract=off
    # Public functions call each other directly inside the shared library.
    -fno-semantic-interposition
    ${BRISTLE_MACHINE_FLAGS}
    ${BRISTLE_HARD_FLAGS})
  target_link_options(${target} PRIVATE ${BRISTLE_HARD_LINKS})
  if(BRISTLE_SANITIZE)
    target_compile_options(${target} PRIVATE
      -fsanitize=${BRISTLE_SANITIZE} -fno-sanitize-recover=all)
    target_link_options(${target} PRIVATE -fsanitize=${BRISTLE_SANITIZE})
  endif()
  if(BRISTLE_FUZZ) # a list of words stands in for the numbers compared, which take two fifths of the time
    target_compile_options(${target} PRIVATE -fno-sanitize-coverage=trace-cmp)
    target_compile_definitions(${target} PRIVATE FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION)
  endif()
  if(BRISTLE_COVERAGE)
    target_compile_options(${target} PRIVATE --coverage -fprofile-update=atomic) # threads count, too
    target_link_options(${target} PRIVATE --coverage)
  endif()
endfunction()

# What runs seldom is not optimised where sanitizers watch: clang compiles it in a fifth of the time.
# A target, but for the files of it that run often; or files.
set(bristle_seldom_flags "")
set(bristle_often_flags "")
if(BRISTLE_SANITIZE AND CMAKE_BUILD_TYPE STREQUAL "Debug")
  set(bristle_seldom_flags -O0)
  set(bristle_often_flags -Og)
endif()
function(bristle_seldom target)
  target_compile_options(${target} PRIVATE ${bristle_seldom_flags})
endfunction()
function(bristle_seldom_sources)
  set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS ${bristle_seldom_flags})
endfunction()
function(bristle_often)
  set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS ${bristle_often_flags})
endfunction()

# Laws, and loops of solvers and systems: a pointer that is null, or beyond an object, is one that the sanitizer of
# addresses sees as well, and the tables are all of doubles. To ask three times takes clang half as long again
# to compile, and the tests a tenth longer to run.
function(bristle_watched_lightly target)
  if(BRISTLE_SANITIZE MATCHES "address,undefined")
    target_compile_options(${target} PRIVATE -fno-sanitize=null,alignment,object-size)
  endif()
endfunction()

# Sets `result`: whether this machine has the instructions of a level.
function(bristle_runs level result)
  include(CheckCSourceRuns)
  set(feature_v3 avx2)
  set(feature_v4 avx512vl)
  check_c_source_runs("int main(void) { return !__builtin_cpu_supports(\"${feature_${level}}\"); }"
    BRISTLE_RUNS_${level})
  set(${result} ${BRISTLE_RUNS_${level}} PARENT_SCOPE)
endfunction()

# Programs of which there are many, each with the whole library: lld links them in a third of the time.
function(bristle_many_programs)
  include(CheckLinkerFlag)
  check_linker_flag(C -fuse-ld=lld BRISTLE_LINKS_LLD)
  if(BRISTLE_LINKS_LLD AND NOT CMAKE_CROSSCOMPILING)
    add_link_options(-fuse-ld=lld)
  endif()
endfunction()

# The kernels for one instruction set: symbols with the suffix of the level, extra flags last.
function(bristle_kernels target level sources)
  list(TRANSFORM sources PREPEND ${PROJECT_SOURCE_DIR}/)
  add_library(${target} OBJECT ${sources})
  bristle_target(${target})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_BINARY_DIR}/laws)
  add_dependencies(${target} bristle_law_code)
  target_compile_definitions(${target} PRIVATE BRI_KERNEL_LEVEL=${level})
  # Lines, but no variables, for debuggers: following those takes two fifths of the time of compiling.
  target_compile_options(${target} PRIVATE ${ARGN} -g1)
endfunction()
