/**
 * @file src/model/ensemble.cpp
 */
#include <symvi/kernel/random_stream.hpp>
#include <symvi/kernel/threads.hpp>
#include <symvi/model/ensemble.hpp>
#include <symvi/require.hpp>
#include <symvi/train/train_objective.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "io/binary_file.hpp"
#include "model/pipeline_network.hpp"
#include "predict/normal_mixture.hpp"
#include "train/checkpoint.hpp"

namespace symvi {

namespace {

bool Exists(const std::string& path)
{
  return std::ifstream(path).good();
}

//! A report and the model that it is about, as bytes.
std::string Pack(const FitReport& report, const Pipeline& model)
{
  io::BinaryWriter writer;
  for (const uint64_t value :
      { uint64_t(report.outcome), uint64_t(report.epochs),
          uint64_t(report.plannedEpochs), uint64_t(report.keptEpoch),
          uint64_t(report.batchSize), report.seed })
    writer.Integer(value);
  writer.Real(report.seconds);
  WriteHistory(report.history, writer);
  std::ostringstream file;
  if (model.IsFitted())
    model.Write(file);
  writer.Text(file.str());
  return writer.Bytes();
}

void Unpack(std::string bytes, FitReport& report, Pipeline& model)
{
  io::BinaryReader reader(std::move(bytes));
  report.outcome = FitOutcome(reader.Integer());
  report.epochs = reader.Integer();
  report.plannedEpochs = reader.Integer();
  report.keptEpoch = reader.Integer();
  report.batchSize = reader.Integer();
  report.seed = reader.Integer();
  report.seconds = reader.Real();
  report.history = ReadHistory(reader);
  const std::string file = reader.Text();
  if (file.empty())
    return;
  const BoundOptions bound = model.Bound();
  std::istringstream stream(file);
  model = Pipeline::Read(stream, "member");
  model.Bound() = bound;
  report.priors = model.Priors();
}

//! Each member is trained by one rank; all ranks get all of them.
void ShareMembers(Communicator& ranks, const std::function<void(size_t)>& train,
    std::vector<Pipeline>& members, std::vector<FitReport>& reports)
{
  std::vector<std::string> packed(members.size());
  ranks.Share(
      members.size(),
      [&](const size_t m)
      {
    train(m);
    return Pack(reports[m], members[m]);
      },
      [&](const size_t m, std::string bytes) { packed[m] = std::move(bytes); });
  for (size_t m = 0; m < members.size(); ++m)
  {
    ranks.Broadcast(packed[m]);
    Unpack(std::move(packed[m]), reports[m], members[m]);
  }
}

//! H(p) of every column.
arma::rowvec Entropy(arma::mat p)
{
  p.transform([](const double x) { return x > 0.0 ? -x * std::log(x) : 0.0; });
  return arma::sum(p, 0);
}

/**
 * The Gaussians of all draws of all members at some points: one column per
 * response and point, the draws of member m in the rows [m S, (m + 1) S).
 */
class MixtureBlock
{
 public:
  MixtureBlock(const size_t members, const size_t draws, const size_t columns) :
      members(members),
      draws(draws),
      means(members * draws, columns),
      stddevs(members * draws, columns)
  { }

  void Set(const size_t m, const arma::cube& f, const arma::cube& s)
  {
    for (size_t draw = 0; draw < draws; ++draw)
    {
      means.row(m * draws + draw) = arma::vectorise(f.slice(draw)).t();
      stddevs.row(m * draws + draw) = arma::vectorise(s.slice(draw)).t();
    }
  }

  arma::rowvec Mean() const { return arma::mean(means, 0); }
  arma::rowvec Epistemic() const { return arma::var(means, 1, 0); }
  arma::rowvec Aleatoric() const
  {
    return arma::mean(arma::square(stddevs), 0);
  }
  arma::rowvec BetweenMembers() const
  {
    arma::mat centres(members, means.n_cols);
    for (size_t m = 0; m < members; ++m)
      centres.row(
          m) = arma::mean(means.rows(m * draws, (m + 1) * draws - 1), 0);
    return arma::var(centres, 1, 0);
  }
  arma::rowvec Quantile(const double level) const
  {
    const double z = predict::NormalQuantile(level);
    arma::rowvec quantiles(means.n_cols);
    for (size_t c = 0; c < means.n_cols; ++c)
      quantiles[c] = predict::NormalMixture<double>(means.colptr(c),
          stddevs.colptr(c), means.n_rows)
                         .Quantile(level, z);
    return quantiles;
  }

 private:
  size_t members, draws;
  arma::mat means, stddevs;
};

} // namespace

Ensemble::Ensemble(const NetworkSpec& spec, const BoundOptions& bound,
    const size_t members) :
    members(members, Pipeline(spec, bound))
{
  RequirePositive("Ensemble", "the number of members", members);
}

Ensemble::Ensemble(std::vector<Pipeline> members) : members(std::move(members))
{
  CheckMembers();
}

void Ensemble::CheckMembers() const
{
  if (members.empty())
    Refuse("Ensemble", "there must be at least one member", "there is none");
  const NetworkSpec& first = members.front().Spec();
  for (size_t m = 0; m < members.size(); ++m)
  {
    const NetworkSpec& spec = members[m].Spec();
    if (!members[m].IsFitted() || spec.task != first.task ||
        spec.inputs != first.inputs || spec.outputs != first.outputs ||
        members[m].ClassNames() != members.front().ClassNames())
      Refuse("Ensemble",
          "members must be fitted and have the same task, inputs, outputs and "
          "classes",
          "member " + std::to_string(m + 1) + " (" + spec.Describe() +
              ") does not fit the first (" + first.Describe() + ")");
  }
}

uint64_t Ensemble::MemberSeed(const uint64_t seed, const size_t m)
{
  if (m == 0)
    return seed;
  RandomStream stream(seed);
  stream.Seek(uint64_t(m) << 40);
  // Below 2^53, so that programs can pass it on as a number.
  return 1 + stream.NextBits() % 9007199254740990;
}

std::vector<FitReport> Ensemble::Fit(const io::Dataset& data,
    const FitOptions& options, const size_t threads,
    const std::function<void(const Pipeline&)>& ready)
{
  const size_t count = members.size();
  // One member is trained by all ranks, several are shared out.
  Communicator& ranks = options.Ranks();
  const bool isShared = ranks.Size() > 1 && count > 1;
  const size_t workers = std::min<size_t>(count,
      isShared        ? ranks.Size() :
          threads > 0 ? threads :
                        std::max(1u, std::thread::hardware_concurrency()));
  const auto checkpoint = [&](const size_t m)
  {
    return (options.Checkpoint().empty() || count == 1) ?
        options.Checkpoint() :
        options.Checkpoint() + "." + std::to_string(m + 1);
  };
  FitOptions first = options;
  first.Checkpoint(checkpoint(0), options.CheckpointEvery());
  if (count > 1)
    first.Resume(options.Resume() && Exists(checkpoint(0)));
  const uint64_t seed = SeedOf(first);
  if (isShared)
    first.Over(Communicator::Alone());

  std::vector<Pipeline> next(members);
  std::vector<FitReport> reports(count);
  std::once_flag prepared;
  std::mutex mutex;
  size_t epochs = 0;
  const auto train = [&](const size_t m)
  {
    if (m >= workers && options.Interrupted() && options.Interrupted()())
    {
      reports[m].outcome = FitOutcome::Interrupted;
      return;
    }
    FitOptions own = first;
    own.Seed(MemberSeed(seed, m))
        .SplitSeed(seed)
        .TimeLimit(
            options.TimeLimit() / double((count + workers - 1) / workers))
        .Checkpoint(checkpoint(m), options.CheckpointEvery());
    if (count > 1)
      own.Resume(options.Resume() && Exists(checkpoint(m)));
    if (options.OnEpoch())
      own.OnEpoch(
          [&](EpochRecord record, const size_t planned)
          {
        const std::lock_guard<std::mutex> lock(mutex);
        record.epoch = (count == 1) ? record.epoch : ++epochs;
        options.OnEpoch()(record, planned * count);
      });
    reports[m] = next[m].Fit(data, own,
        [&](const Pipeline& model)
        {
      std::call_once(prepared,
          [&]
          {
        if (ready)
          ready(model);
      });
    });
  };
  if (isShared)
    ShareMembers(ranks, train, next, reports);
  else
    kernel::InParallel(count, workers, train);

  // What an interruption left without a posterior.
  next.erase(std::remove_if(next.begin(), next.end(),
                 [](const Pipeline& model) { return !model.IsFitted(); }),
      next.end());
  members = std::move(next);
  return reports;
}

void Ensemble::Align()
{
  CheckMembers();
  for (size_t m = 1; m < members.size(); ++m)
    members[m].AlignTo(members.front());
}

PredictOptions Ensemble::Share(const PredictOptions& options,
    const size_t m) const
{
  PredictOptions share = options;
  share.samples = (options.samples + members.size() - 1) / members.size();
  share.seed = MemberSeed(options.seed, m);
  return share;
}

std::vector<std::string> Ensemble::Predict(const arma::mat& points,
    const PredictOptions& options) const
{
  std::vector<std::string> names;
  for (const arma::uword index : arma::urowvec(
           arma::index_max(Classify(points, options).probabilities, 0)))
    names.push_back(ClassNames()[index]);
  return names;
}

EnsembleClassification Ensemble::Classify(const arma::mat& points,
    const PredictOptions& options) const
{
  EnsembleClassification mixture;
  static_cast<ClassificationPrediction<arma::mat>&>(
      mixture) = members.front().Classify(points, Share(options, 0));
  const double share = 1.0 / double(members.size());
  if (members.size() == 1)
  {
    mixture.betweenMembers.zeros(1, points.n_cols);
    return mixture;
  }
  // Sums over the members, of squares as well, and of their entropies.
  arma::mat squares = mixture.variance + arma::square(mixture.probabilities);
  arma::mat entropies = mixture.entropy;
  for (size_t m = 1; m < members.size(); ++m)
  {
    const ClassificationPrediction<arma::mat> p = members[m].Classify(points,
        Share(options, m));
    mixture.probabilities += p.probabilities;
    squares += p.variance + arma::square(p.probabilities);
    entropies += p.entropy;
    mixture.expectedEntropy += p.expectedEntropy;
    mixture.samples += p.samples;
  }
  mixture.probabilities *= share;
  mixture.expectedEntropy *= share;
  mixture.variance = arma::clamp(
      squares * share - arma::square(mixture.probabilities), 0.0, 1.0);
  mixture.entropy = Entropy(mixture.probabilities);
  mixture.mutualInformation = arma::clamp(
      mixture.entropy - mixture.expectedEntropy, 0.0, arma::datum::inf);
  mixture.betweenMembers = arma::clamp(mixture.entropy - entropies * share, 0.0,
      arma::datum::inf);
  return mixture;
}

EnsembleRegression Ensemble::Regress(const arma::mat& points,
    const PredictOptions& options) const
{
  EnsembleRegression mixture;
  RegressionPrediction<arma::mat>& result = mixture;
  if (members.size() == 1)
  {
    result = members.front().Regress(points, options);
    mixture.betweenMembers.zeros(arma::size(result.mean));
    return mixture;
  }
  options.Check("Regress");
  const size_t rows = Spec().outputs, draws = Share(options, 0).samples;
  result.samples = draws * members.size();
  result.interval = options.interval;
  result.levels = options.quantiles;
  result.quantiles.resize(options.quantiles.size());

  // As many points at once as 64 MB of draws allow.
  const size_t block = std::max<size_t>(1,
      (size_t(1) << 22) / (rows * result.samples));
  for (size_t begin = 0; begin < points.n_cols; begin += block)
  {
    const size_t count = std::min<size_t>(block, points.n_cols - begin);
    MixtureBlock all(members.size(), draws, rows * count);
    for (size_t m = 0; m < members.size(); ++m)
    {
      arma::cube means, stddevs;
      members[m].Components(points.cols(begin, begin + count - 1),
          Share(options, m), means, stddevs);
      all.Set(m, means, stddevs);
    }
    const auto add = [&](arma::mat& to, const arma::rowvec& values)
    { to = arma::join_rows(to, arma::reshape(values, rows, count)); };
    add(result.mean, all.Mean());
    add(result.epistemicVariance, all.Epistemic());
    add(result.aleatoricVariance, all.Aleatoric());
    add(mixture.betweenMembers, all.BetweenMembers());
    for (size_t l = 0; l < options.quantiles.size(); ++l)
      add(result.quantiles[l], all.Quantile(options.quantiles[l]));
    if (options.interval == 0.0)
      continue;
    add(result.lower, all.Quantile(0.5 * (1.0 - options.interval)));
    add(result.upper, all.Quantile(0.5 * (1.0 + options.interval)));
  }
  return mixture;
}

arma::cube Ensemble::Draws(const arma::mat& points,
    const PredictOptions& options) const
{
  arma::cube draws = members.front().Draws(points, Share(options, 0));
  for (size_t m = 1; m < members.size(); ++m)
    draws = arma::join_slices(draws,
        members[m].Draws(points, Share(options, m)));
  return draws;
}

arma::rowvec Ensemble::LogDensity(const io::Dataset& data,
    const PredictOptions& options) const
{
  arma::mat terms(members.size(), data.points.n_cols);
  for (size_t m = 0; m < members.size(); ++m)
    terms.row(m) = members[m].LogDensity(data, Share(options, m));
  if (members.size() == 1)
    return terms.row(0);
  const arma::rowvec top = arma::max(terms, 0);
  terms.each_row() -= top;
  return top + arma::log(arma::mean(arma::exp(terms), 0));
}

namespace {

//! The weights of all members side by side, so that every batch of draws has
//! the same share of each.
EvidenceReport Pool(const std::vector<std::vector<double>>& members)
{
  std::vector<double> pooled;
  for (size_t s = 0; s < members.front().size(); ++s)
    for (const std::vector<double>& logWeights : members)
    {
      if (s >= logWeights.size())
        return EvidenceReport();
      pooled.push_back(logWeights[s]);
    }
  return pooled.empty() ? EvidenceReport() :
                          SummarizeEvidence(std::move(pooled));
}

} // namespace

ElboReport Ensemble::Elbo(const io::Dataset& data,
    const EvaluateOptions& options) const
{
  ElboReport mean = members.front().Elbo(data, options);
  if (members.size() == 1)
    return mean;
  const auto values = [](ElboReport& r)
  {
    return std::vector<double*>{ &r.logLikelihood, &r.kl, &r.information.value,
      &r.information.lower, &r.information.upper, &r.elbo, &r.symmetrizedElbo,
      &r.symmetrizedElboLower, &r.symmetrizedElboUpper, &r.logGroupOrder };
  };
  const auto errors = [](ElboReport& r)
  {
    return std::vector<double*>{ &r.logLikelihoodStandardError,
      &r.information.standardError, &r.information.lowerStandardError,
      &r.information.upperStandardError, &r.elboStandardError,
      &r.symmetrizedElboStandardError };
  };
  std::vector<std::vector<double>> logWeights = { mean.evidence.logWeights };
  for (size_t m = 1; m < members.size(); ++m)
  {
    EvaluateOptions own = options;
    own.predict.seed = MemberSeed(options.predict.seed, m);
    ElboReport report = members[m].Elbo(data, own);
    logWeights.push_back(report.evidence.logWeights);
    for (size_t i = 0; i < values(mean).size(); ++i)
      *values(mean)[i] += *values(report)[i];
    for (size_t i = 0; i < errors(mean).size(); ++i)
      *errors(mean)[i] = std::hypot(*errors(mean)[i], *errors(report)[i]);
    mean.information.exact = mean.information.exact && report.information.exact;
  }
  for (double* value : values(mean))
    *value /= double(members.size());
  for (double* error : errors(mean))
    *error /= double(members.size());
  mean.evidence = Pool(logWeights);
  return mean;
}

} // namespace symvi
