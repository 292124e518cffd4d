/**
 * @file symvi.hpp
 *
 * Everything a program that trains and predicts needs: symmetrized variational
 * inference for mlpack networks.
 */
#ifndef SYMVI_HPP
#define SYMVI_HPP

#include <symvi/version.hpp>

#include <symvi/kernel/threads.hpp>
#include <symvi/layer/bayesian_linear.hpp>
#include <symvi/layer/fixed_linear.hpp>
#include <symvi/layer/learned_noise.hpp>
#include <symvi/likelihood/categorical.hpp>
#include <symvi/likelihood/gaussian.hpp>
#include <symvi/model/bayesian_ffn.hpp>
#include <symvi/model/convert.hpp>
#include <symvi/model/prune.hpp>
#include <symvi/network/network.hpp>
#include <symvi/objective/symmetrized_elbo.hpp>
#include <symvi/optimizer/adam.hpp>
#include <symvi/predict/metrics.hpp>

#endif
