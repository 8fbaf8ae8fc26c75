# The law of the layers: who may see whom. A layer is a static library with an include root of its own, so linking is
# the only way to see a header, and this table is the only place that says what may be linked.

set(STEPWELL_LAYERS base value expr model compile kernel store runtime tools worker server cli)
set(STEPWELL_SEES_base)
set(STEPWELL_SEES_value base)
set(STEPWELL_SEES_expr value)
set(STEPWELL_SEES_model expr)
set(STEPWELL_SEES_compile model)
set(STEPWELL_SEES_kernel model)
set(STEPWELL_SEES_store value)
set(STEPWELL_SEES_runtime compile kernel store)
set(STEPWELL_SEES_tools model)
set(STEPWELL_SEES_worker tools)
set(STEPWELL_SEES_server runtime worker)
set(STEPWELL_SEES_cli base value expr model compile kernel store runtime tools worker server)

# stepwell_layer(NAME [LIBS lib...] [TEST_LIBS lib...])
# Makes the library stepwell_NAME of the folder's sources and the program NAME_test of its *_test.cc files. LIBS are
# third-party libraries; they stay private, because no header of ours may show a third-party type.
function(stepwell_layer name)
  cmake_parse_arguments(ARG "" "" "LIBS;TEST_LIBS" ${ARGN})
  if(NOT name IN_LIST STEPWELL_LAYERS)
    message(FATAL_ERROR "'${name}' is not a layer; the layers are: ${STEPWELL_LAYERS} (cmake/layers.cmake)")
  endif()

  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cc)
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER sources EXCLUDE REGEX "(_test|/main)\\.cc$")

  # "stepwell/NAME/x.h" is src/NAME/x.h, but only for those who link the layer.
  set(root ${CMAKE_BINARY_DIR}/include/${name})
  file(MAKE_DIRECTORY ${root}/stepwell)
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${root}/stepwell/${name} SYMBOLIC)

  add_library(stepwell_${name} STATIC ${sources})
  target_include_directories(stepwell_${name} PUBLIC ${root})
  foreach(seen IN LISTS STEPWELL_SEES_${name})
    if(TARGET stepwell_${seen})
      target_link_libraries(stepwell_${name} PUBLIC stepwell_${seen})
    endif()
  endforeach()
  target_link_libraries(stepwell_${name} PRIVATE stepwell_warnings ${ARG_LIBS})
  set_property(GLOBAL APPEND PROPERTY STEPWELL_BUILT_LAYERS ${name})

  if(tests AND STEPWELL_TESTS)
    stepwell_test(${name}_test SOURCES ${tests} LIBS stepwell_${name} ${ARG_TEST_LIBS})
  endif()
endfunction()

# Every layer reachable from `name` by the table above.
function(stepwell_allowed name out)
  set(allowed ${STEPWELL_SEES_${name}})
  foreach(seen IN LISTS STEPWELL_SEES_${name})
    stepwell_allowed(${seen} deeper)
    list(APPEND allowed ${deeper})
  endforeach()
  list(REMOVE_DUPLICATES allowed)
  set(${out} ${allowed} PARENT_SCOPE)
endfunction()

# Refuses any link between layers that the table does not allow, whoever made it. Runs after all folders were read.
function(stepwell_check_layers)
  get_property(built GLOBAL PROPERTY STEPWELL_BUILT_LAYERS)
  foreach(name IN LISTS built)
    stepwell_allowed(${name} allowed)
    get_target_property(private stepwell_${name} LINK_LIBRARIES)
    get_target_property(public stepwell_${name} INTERFACE_LINK_LIBRARIES)
    foreach(library IN LISTS private public)
      string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" library "${library}")
      string(REGEX REPLACE "^stepwell_" "" layer "${library}")
      if(layer STREQUAL library OR NOT layer IN_LIST STEPWELL_LAYERS)
        continue()
      endif()
      if(NOT layer IN_LIST allowed)
        message(FATAL_ERROR "layer '${name}' links '${layer}', which it may not see; '${name}' sees: ${allowed}. "
                            "Move the code, or change the law in cmake/layers.cmake.")
      endif()
    endforeach()
  endforeach()
endfunction()
cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR} CALL stepwell_check_layers)
