/**
 * @file src/model/over_ranks.cpp
 */
#include <symvi/model/ensemble.hpp>

#include <algorithm>
#include <cstring>
#include <sstream>
#include <stdexcept>

#include "io/binary_file.hpp"

namespace symvi {

namespace {

//! Matrices with their sizes as bytes, and back.
void Put(const arma::mat& values, std::string& bytes)
{
  const uint64_t sizes[] = { values.n_rows, values.n_cols };
  bytes.append(reinterpret_cast<const char*>(sizes), sizeof(sizes));
  bytes.append(reinterpret_cast<const char*>(values.memptr()),
      values.n_elem * sizeof(double));
}

arma::mat Get(const std::string& bytes, size_t& at)
{
  uint64_t sizes[2];
  std::memcpy(sizes, bytes.data() + at, sizeof(sizes));
  at += sizeof(sizes);
  arma::mat values(sizes[0], sizes[1]);
  if (!values.is_empty())
    std::memcpy(values.memptr(), bytes.data() + at,
        values.n_elem * sizeof(double));
  at += values.n_elem * sizeof(double);
  return values;
}

//! The first of n points that rank `rank` of `size` gets.
size_t First(const size_t n, const size_t rank, const size_t size)
{
  return rank * (n / size) + std::min(rank, n % size);
}

//! Points begin, ..., end - 1 and all that is known of the data.
std::string Pack(const io::Dataset& data, const size_t begin, const size_t end)
{
  io::BinaryWriter writer;
  const auto part = [&](const std::vector<std::string>& all)
  {
    return all.empty() ?
        all :
        std::vector<std::string>(all.begin() + begin, all.begin() + end);
  };
  writer.Texts(part(data.labels));
  writer.Texts(data.classNames);
  writer.Texts(data.features);
  writer.Texts({ data.targetColumn, data.source, data.targetSource });
  const std::string& texts = writer.Bytes();
  std::string bytes;
  for (const arma::mat* all : { &data.points, &data.responses })
    Put(arma::mat(all->memptr() + begin * all->n_rows, all->n_rows,
            all->is_empty() ? 0 : end - begin),
        bytes);
  return bytes + texts;
}

io::Dataset Unpack(const std::string& bytes)
{
  io::Dataset data;
  size_t at = 0;
  data.points = Get(bytes, at);
  data.responses = Get(bytes, at);
  io::BinaryReader reader(bytes.substr(at));
  data.labels = reader.Texts();
  data.classNames = reader.Texts();
  data.features = reader.Texts();
  const std::vector<std::string> names = reader.Texts();
  data.targetColumn = names.at(0);
  data.source = names.at(1);
  data.targetSource = names.at(2);
  return data;
}

/**
 * The columns of rank 0's points, dealt out; what `predict` makes of them is a
 * list of matrices, which rank 0 gets for all points.
 */
template<typename Predict>
std::vector<arma::mat> OverRanks(const arma::mat& points, Communicator& ranks,
    const Predict& predict)
{
  io::Dataset own;
  if (ranks.IsRoot())
    own.points = points;
  DealOut(own, ranks);
  std::string bytes;
  ranks.Agree(
      [&]
      {
    if (own.points.n_cols == 0)
      return;
    for (const arma::mat& part : predict(own.points))
      Put(part, bytes);
  });
  std::vector<arma::mat> all;
  for (const std::string& part : ranks.Gather(std::move(bytes)))
  {
    size_t at = 0;
    for (size_t i = 0; at < part.size(); ++i)
    {
      if (i == all.size())
        all.emplace_back();
      all[i] = arma::join_rows(all[i], Get(part, at));
    }
  }
  return all;
}

} // namespace

void DealOut(io::Dataset& data, Communicator& ranks)
{
  if (ranks.Size() == 1)
    return;
  const size_t n = data.points.n_cols, size = ranks.Size();
  io::Dataset own;
  for (size_t rank = size; rank-- > 0;)
  {
    std::string bytes;
    if (ranks.IsRoot())
      bytes = Pack(data, First(n, rank, size), First(n, rank + 1, size));
    ranks.Move(bytes, 0, rank);
    if (rank == ranks.Rank())
      own = Unpack(bytes);
  }
  data = std::move(own);
}

void Broadcast(io::Dataset& data, Communicator& ranks)
{
  if (ranks.Size() == 1)
    return;
  std::string bytes;
  if (ranks.IsRoot())
    bytes = Pack(data, 0, data.points.n_cols);
  ranks.Broadcast(bytes);
  if (!ranks.IsRoot())
    data = Unpack(bytes);
}

void Broadcast(Ensemble& model, Communicator& ranks)
{
  if (ranks.Size() == 1)
    return;
  std::vector<Pipeline> members;
  const double count = ranks.Broadcast(double(model.Size()));
  for (size_t m = 0; m < size_t(count); ++m)
  {
    std::string bytes;
    if (ranks.IsRoot())
    {
      std::ostringstream file;
      model.Member(m).Write(file);
      bytes = file.str();
    }
    ranks.Broadcast(bytes);
    std::istringstream file(bytes);
    members.push_back(Pipeline::Read(file, "the model of rank 0"));
  }
  if (!ranks.IsRoot())
    model = Ensemble(std::move(members));
}

EnsembleClassification Classify(const Ensemble& model, const arma::mat& points,
    const PredictOptions& options, Communicator& ranks)
{
  if (ranks.Size() == 1)
    return model.Classify(points, options);
  size_t samples = 0;
  const std::vector<arma::mat> all = OverRanks(points, ranks,
      [&](const arma::mat& own)
      {
    const EnsembleClassification p = model.Classify(own, options);
    samples = p.samples;
    return std::vector<arma::mat>{ p.probabilities, p.variance, p.entropy,
      p.expectedEntropy, p.mutualInformation, p.betweenMembers };
  });
  EnsembleClassification p;
  if (all.empty())
    return p;
  p.probabilities = all[0];
  p.variance = all[1];
  p.entropy = all[2];
  p.expectedEntropy = all[3];
  p.mutualInformation = all[4];
  p.betweenMembers = all[5];
  p.samples = samples;
  return p;
}

EnsembleRegression Regress(const Ensemble& model, const arma::mat& points,
    const PredictOptions& options, Communicator& ranks)
{
  if (ranks.Size() == 1)
    return model.Regress(points, options);
  EnsembleRegression p;
  const std::vector<arma::mat> all = OverRanks(points, ranks,
      [&](const arma::mat& own)
      {
    const EnsembleRegression part = model.Regress(own, options);
    p.samples = part.samples;
    p.interval = part.interval;
    p.levels = part.levels;
    std::vector<arma::mat> list = { part.mean, part.epistemicVariance,
      part.aleatoricVariance, part.lower, part.upper, part.betweenMembers };
    list.insert(list.end(), part.quantiles.begin(), part.quantiles.end());
    return list;
  });
  if (all.empty())
    return EnsembleRegression();
  p.mean = all[0];
  p.epistemicVariance = all[1];
  p.aleatoricVariance = all[2];
  p.lower = all[3];
  p.upper = all[4];
  p.betweenMembers = all[5];
  p.quantiles.assign(all.begin() + 6, all.end());
  return p;
}

} // namespace symvi
