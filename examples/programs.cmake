# The experiments; docs/experiments.md explains them.  The short runs check the
# claims and write into the build tree.
foreach(name IN ITEMS
    mode_interpolation)
  symvi_add_example(${name} SOURCES ${name}.cpp QUICK_ARGS --quick
    --output ${CMAKE_CURRENT_BINARY_DIR}/results/${name})
endforeach()
