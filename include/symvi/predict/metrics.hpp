/**
 * @file symvi/predict/metrics.hpp
 *
 * All metrics: classification, regression and rankings by uncertainty.  Needs Armadillo only.
 */
#ifndef SYMVI_PREDICT_METRICS_HPP
#define SYMVI_PREDICT_METRICS_HPP

#include "classification_metrics.hpp"
#include "ranking_metrics.hpp"
#include "regression_metrics.hpp"

#endif
