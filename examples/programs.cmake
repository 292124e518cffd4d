# The experiments; docs/experiments.md explains them.  Their short runs check the
# claims and write into the build tree.
foreach(name IN ITEMS
    evidence
    from_pretrained
    mnist
    mode_interpolation
    mode_proximity
    model_selection
    ood_detection
    regression_uncertainty
    small_data
    symmetrization
    tractable_posterior
    uci
    weight_samples
    zero_barrier)
  symvi_add_example(${name} SOURCES ${name}.cpp QUICK_ARGS --quick
    --output ${CMAKE_CURRENT_BINARY_DIR}/results/${name})
endforeach()

symvi_add_example(quickstart SOURCES quickstart.cpp)
