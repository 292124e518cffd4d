/**
 * @file case_writer.hpp
 *
 * What a runtime is asked and should answer, as JSON for another process.
 */
#ifndef SYMVI_TESTS_ONNX_RUNTIME_CASE_WRITER_HPP
#define SYMVI_TESTS_ONNX_RUNTIME_CASE_WRITER_HPP

#include <symvi/onnx/file.hpp>

#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace symvi {
namespace test {

//! A tensor of a case: name and a matrix whose columns are ONNX's rows.
using NamedMatrix = std::pair<std::string, arma::mat>;

//! A model file with inputs and the library's answers.
struct RuntimeCase
{
  std::string name;
  NetworkDescription description;
  //! Of an ensemble, instead of the description.
  std::vector<NetworkDescription> members;
  onnx::ExportOptions options;
  std::vector<NamedMatrix> inputs;
  std::vector<NamedMatrix> expected;
  //! Largest difference, relative to the largest number of the output.
  double tolerance = 1e-5;
  //! Sampling mode: draws, and how many standard errors are too many.
  size_t draws = 0;
  //! Variance over draws of the expected mean, and draws behind it.
  arma::mat variance;
  size_t libraryDraws = 0;
};

//! Writes models and cases into a folder.
class CaseWriter
{
 public:
  explicit CaseWriter(const std::string& folder) :
      folder(folder),
      file(folder + "/cases.json")
  {
    file.precision(17);
    file << "[";
  }

  ~CaseWriter() { file << "\n]\n"; }

  void Write(const RuntimeCase& c)
  {
    const std::string path = folder + "/" + c.name + ".onnx";
    if (c.members.empty())
      onnx::Export(c.description, path, c.options);
    else
      std::ofstream(path, std::ios::binary)
          << onnx::Serialize(c.members, c.options);
    const bool isFloat = c.description.element == ElementKind::Float;
    file << (first ? "\n" : ",\n") << "{\"name\": \"" << c.name
         << "\", \"type\": \"" << (isFloat ? "float32" : "float64")
         << "\", \"tolerance\": " << c.tolerance << ", \"draws\": " << c.draws
         << ", \"libraryDraws\": " << c.libraryDraws << ", \"inputs\": ";
    WriteMatrices(c.inputs, c.description.input);
    file << ", \"expected\": ";
    WriteMatrices(c.expected);
    file << ", \"variance\": ";
    WriteMatrix(c.variance);
    file << "}";
    first = false;
  }

  bool Good() const { return bool(file); }

 private:
  //! @param image Sizes of the points of `x`, where they are images.
  void WriteMatrices(const std::vector<NamedMatrix>& matrices,
      const Extent& image = Extent())
  {
    file << "{";
    for (size_t i = 0; i < matrices.size(); ++i)
    {
      file << (i > 0 ? ", \"" : "\"") << matrices[i].first << "\": ";
      WriteMatrix(matrices[i].second,
          matrices[i].first == "x" ? image : Extent());
    }
    file << "}";
  }

  void WriteMatrix(const arma::mat& m, const Extent& image = Extent())
  {
    file << "{\"dims\": [" << m.n_cols << ", ";
    if (image.isImage)
      file << image.maps << ", " << image.height << ", " << image.width;
    else
      file << m.n_rows;
    file << "], \"data\": [";
    for (size_t i = 0; i < m.n_elem; ++i)
      file << (i > 0 ? "," : "") << m[i];
    file << "]}";
  }

  std::string folder;
  std::ofstream file;
  bool first = true;
};

} // namespace test
} // namespace symvi

#endif
