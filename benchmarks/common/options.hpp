/**
 * @file benchmarks/common/options.hpp
 *
 * The arguments of the program that prints the table.
 */
#ifndef SYMVI_BENCHMARKS_OPTIONS_HPP
#define SYMVI_BENCHMARKS_OPTIONS_HPP

#include "rows.hpp"

namespace bench {

struct Options
{
  Settings settings;
  //! Where to write the rows; empty for nowhere.
  std::string json;
  //! The group to measure; empty for all.
  std::string only;
  //! What to run on behalf of MemoryRows(); empty for nothing.
  std::string child;
};

/**
 * @param argc, argv The arguments of main().
 * @param groups Names of the groups.
 * @return The options; an std::invalid_argument says what is wrong with them.
 */
Options ParseOptions(const int argc, char** argv,
    const std::vector<std::string>& groups);

} // namespace bench

#endif
