/**
 * @file symvi/io/label_codec.hpp
 *
 * Class names of a data set and the numbers that stand for them.
 */
#ifndef SYMVI_IO_LABEL_CODEC_HPP
#define SYMVI_IO_LABEL_CODEC_HPP

#include <armadillo>
#include <string>
#include <unordered_map>
#include <vector>

namespace symvi {
namespace io {

/**
 * A one-to-one map between labels as a user wrote them ("setosa", "7",
 * "-1.0") and class numbers 0 .. C-1 as mlpack wants them.
 *
 * Labels that are all numbers are compared as numbers ("1" is "1.0") and
 * ordered by value; others are compared as text and ordered alphabetically.
 * The spelling that was seen first is the one written back.
 */
class LabelCodec
{
 public:
  LabelCodec() = default;

  //! Learn the classes of `labels`.
  explicit LabelCodec(const std::vector<std::string>& labels);

  //! Classes whose numbers are given by their order in `names`.
  static LabelCodec Ordered(const std::vector<std::string>& names);

  //! Number of classes.
  size_t Classes() const { return names.size(); }

  //! Names in the order of their numbers.
  const std::vector<std::string>& Names() const { return names; }

  //! The name of class `index`.
  const std::string& Decode(const size_t index) const;

  //! True if `label` was seen; then `index` is its class.
  bool Find(const std::string& label, size_t& index) const;

  /**
   * Class numbers of `labels`, as the row vector that mlpack's classifiers
   * take.  An unknown label is a std::invalid_argument that says which one it
   * is and where (`source` names the file, the position counts from 1).
   */
  arma::mat Encode(const std::vector<std::string>& labels,
      const std::string& source) const;

 private:
  void Index();
  std::string Key(const std::string& label) const;

  std::vector<std::string> names;
  std::unordered_map<std::string, size_t> indices;
  bool numeric = false;
};

} // namespace io
} // namespace symvi

#endif
