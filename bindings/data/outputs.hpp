/**
 * @file outputs.hpp
 *
 * The output files of a run: all or none.
 */
#ifndef SYMVI_BINDINGS_DATA_OUTPUTS_HPP
#define SYMVI_BINDINGS_DATA_OUTPUTS_HPP

#include <symvi/io/atomic_file.hpp>

#include <string>
#include <vector>

#include "model/spec.hpp"
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

  void AddTable(const std::string& option,
                const arma::mat& values,
                const std::vector<std::string>& header = {});
  void AddLines(const std::string& option,
                const std::vector<std::string>& lines);
  void AddText(const std::string& option, const std::string& text);
  void AddModel(const std::string& option, const Model& model);

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
