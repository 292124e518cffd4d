/**
 * @file examples/uci/sets.hpp
 *
 * Data sets in the layout of the standard splits, and tables of labels that are
 * split at random.
 */
#ifndef SYMVI_EXAMPLES_UCI_SETS_HPP
#define SYMVI_EXAMPLES_UCI_SETS_HPP

#include <symvi/io/dataset.hpp>
#include <symvi/kernel/random_stream.hpp>
#include <symvi/train/columns.hpp>

#include "../common/idx.hpp"

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace examples {

//! Training and test part of one split.
struct Split
{
  symvi::io::Dataset train, test;
};

/**
 * A data set of which splits can be had.  MNIST has one: the first 10,000
 * images of its training part, and its test part.  A folder holds data.txt,
 * index_features.txt, index_target.txt, index_train_K.txt, index_test_K.txt and
 * n_splits.txt (a regression); a file is a table with labels in its last column
 * (a classification), of which every split holds back a tenth.
 */
class DataSet
{
 public:
  explicit DataSet(const std::string& path) :
      path(path),
      name(std::filesystem::path(path).stem().string())
  {
    if (std::filesystem::is_directory(path + "/data"))
      this->path += "/data";
    mnist = std::filesystem::exists(path + "/train-labels-idx1-ubyte") ||
        std::filesystem::exists(path + "/train-labels-idx1-ubyte.gz");
    classification = mnist || !std::filesystem::is_directory(path);
    splits = 1;
    if (mnist)
      return;
    if (classification)
    {
      symvi::io::DatasetOptions options;
      table = symvi::io::LoadDataset(path, options);
      splits = 5;
      return;
    }
    data = Load("data.txt").t();
    features = arma::conv_to<arma::uvec>::from(
        arma::vectorise(Load("index_features.txt")));
    target = arma::uword(Load("index_target.txt")(0));
    splits = size_t(Load("n_splits.txt")(0));
  }

  const std::string& Name() const { return name; }
  size_t Splits() const { return splits; }
  bool IsClassification() const { return classification; }
  bool IsMnist() const { return mnist; }

  Split GetSplit(const size_t k) const
  {
    if (mnist)
      return { Images("train", 10000), Images("t10k", 0) };
    if (classification)
      return RandomSplit(k);
    const std::string number = std::to_string(k) + ".txt";
    return { Part(Load("index_train_" + number)),
      Part(Load("index_test_" + number)) };
  }

 private:
  arma::mat Load(const std::string& file) const
  {
    arma::mat values;
    if (!values.load(path + "/" + file, arma::raw_ascii) || values.is_empty())
      throw std::runtime_error("'" + path + "/" + file +
          "' is not a table of "
          "numbers.");
    return values;
  }

  symvi::io::Dataset Part(const arma::mat& index) const
  {
    const arma::uvec columns = arma::conv_to<arma::uvec>::from(
        arma::vectorise(index));
    symvi::io::Dataset part;
    part.points = data.submat(features, columns);
    part.responses = data.submat(arma::uvec{ target }, columns);
    part.source = part.targetSource = path;
    return part;
  }

  //! The first images of a part of MNIST, with pixels in [0, 1]; 0 for all.
  symvi::io::Dataset Images(const std::string& part, const size_t limit) const
  {
    symvi::io::Dataset images;
    images.points = ReadIdx<arma::mat>(path, part + "-images-idx3-ubyte", 255.0,
        limit);
    for (const double label :
        ReadIdx<arma::mat>(path, part + "-labels-idx1-ubyte", 1.0, limit))
      images.labels.push_back(std::to_string(int(label)));
    return images;
  }

  Split RandomSplit(const size_t k) const
  {
    std::vector<size_t> order(table.points.n_cols);
    std::iota(order.begin(), order.end(), size_t(0));
    symvi::ShuffleOrder(k + 1, order);
    Split split{ table, table };
    for (symvi::io::Dataset* part : { &split.train, &split.test })
    {
      part->points.reset();
      part->labels.clear();
    }
    const size_t held = order.size() / 10;
    arma::uvec test(held), train(order.size() - held);
    for (size_t i = 0; i < order.size(); ++i)
    {
      (i < held ? test[i] : train[i - held]) = order[i];
      (i < held ? split.test : split.train)
          .labels.push_back(table.labels[order[i]]);
    }
    split.test.points = table.points.cols(test);
    split.train.points = table.points.cols(train);
    return split;
  }

  std::string path, name;
  size_t splits = 0;
  bool classification = false, mnist = false;
  arma::mat data;
  arma::uvec features;
  arma::uword target = 0;
  symvi::io::Dataset table;
};

//! All data sets in a folder, by name.
inline std::vector<DataSet> DataSetsIn(const std::string& folder)
{
  if (!std::filesystem::is_directory(folder))
    throw std::invalid_argument("--data must be a folder of data sets, but is "
                                "'" +
        folder + "'");
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.is_directory() || entry.path().extension() == ".csv")
      paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  std::vector<DataSet> sets;
  for (const std::string& path : paths)
    sets.emplace_back(path);
  return sets;
}

} // namespace examples

#endif
