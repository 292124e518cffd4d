/**
 * @file outputs.hpp
 *
 * The output files of a run: all or none.
 */
#ifndef SYMVI_BINDINGS_PROGRAMS_OUTPUTS_HPP
#define SYMVI_BINDINGS_PROGRAMS_OUTPUTS_HPP

#include <symvi/io/file.hpp>
#include <symvi/model/ensemble.hpp>

#include <string>
#include <vector>

#include "options/arguments.hpp"

namespace symvi {
namespace cli {

//! Throws unless every output file that was asked for can be written.
void CheckOutputs(const Arguments& arguments);

/**
 * Files that are written during a run and appear together at its end.  Adding
 * one that was not asked for does nothing.
 */
class Outputs
{
 public:
  explicit Outputs(const Arguments& arguments) : arguments(arguments) { }

  void AddTable(const std::string& option, const arma::mat& values,
      const std::vector<std::string>& header = {});
  void AddText(const std::string& option, const std::string& text);
  //! --output_model_file.
  void AddModel(const Ensemble& model);

  //! The stream of an output that was asked for, otherwise nullptr.
  std::ostream* Open(const std::string& option);

  //! Give all files their names.
  void Commit();

 private:
  const Arguments& arguments;
  std::vector<io::AtomicFile> files;
};

} // namespace cli
} // namespace symvi

#endif
