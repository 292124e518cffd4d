# The experiments; docs/experiments.md explains them.  Their short runs check the
# claims and write into the build tree.
foreach(name IN ITEMS
    convolution
    from_pretrained
    mode_interpolation
    mode_proximity
    ood_detection
    regression_uncertainty
    symmetrization
    tractable_posterior
    weight_samples
    zero_barrier)
  symvi_add_example(${name} SOURCES ${name}.cpp QUICK_ARGS --quick
    --output ${CMAKE_CURRENT_BINARY_DIR}/results/${name})
endforeach()

# Those that mpirun can share out: see docs/mpi.md.
foreach(name IN ITEMS
    evidence
    mnist
    model_selection
    small_data
    uci)
  symvi_add_example(${name} RANKS SOURCES ${name}.cpp QUICK_ARGS --quick
    --output ${CMAKE_CURRENT_BINARY_DIR}/results/${name})
endforeach()

symvi_add_example(quickstart SOURCES quickstart.cpp)
