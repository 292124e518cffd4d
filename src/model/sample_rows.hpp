/**
 * @file src/model/sample_rows.hpp
 *
 * Where the weights of a network stand in a row of numbers.
 */
#ifndef SYMVI_SRC_MODEL_SAMPLE_ROWS_HPP
#define SYMVI_SRC_MODEL_SAMPLE_ROWS_HPP

#include <symvi/model/weight_samples.hpp>

namespace symvi {

//! Sizes of the arrays that a row consists of, in its order.
std::vector<size_t> ArraySizes(const NetworkSpec& spec,
    const WeightLayout& layout);

//! For each weight in symvi's order (W column by column, b, layer by layer) its
//! place in a row.
arma::uvec RowOrder(const NetworkSpec& spec, const WeightLayout& layout);

//! Throws std::invalid_argument if no unit can be permuted or change its sign.
void RequireSymmetry(const NetworkSpec& spec);

//! Throws std::invalid_argument unless there are two samples.
void RequireSeveral(size_t samples);

//! The network that all models share, and their means, one per column.
NetworkSpec SpecOf(const std::vector<Pipeline>& models);
arma::mat MeansOf(const std::vector<Pipeline>& models);

} // namespace symvi

#endif
