/**
 * @file tables.hpp
 *
 * The option tables of all programs.
 */
#ifndef SYMVI_BINDINGS_PROGRAMS_TABLES_HPP
#define SYMVI_BINDINGS_PROGRAMS_TABLES_HPP

#include "options/program.hpp"

namespace symvi {
namespace cli {

const Program& AlignProgram();
const Program& BnnProgram();
const Program& BnnMpiProgram();
const Program& EvaluateProgram();
const Program& InspectProgram();
const Program& OnnxProgram();

//! The options that every program that computes has.
Option SeedOption();
Option ThreadsOption();
Option DrawsOption();
Option IntervalOption();
Option TargetColumnOption();
Option TestLabelsOption();
Option EstimatorOption();
Option PermutationsOption();

} // namespace cli
} // namespace symvi

#endif
