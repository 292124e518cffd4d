/**
 * @file symvi/model/ensemble.hpp
 *
 * Several independent fits of one model, and the mixture of their posteriors.
 */
#ifndef SYMVI_MODEL_ENSEMBLE_HPP
#define SYMVI_MODEL_ENSEMBLE_HPP

#include <symvi/model/pipeline.hpp>
#include <symvi/kernel/communicator.hpp>

#include <functional>
#include <istream>
#include <ostream>
#include <string>
#include <vector>

namespace symvi {

//! A ClassificationPrediction of M members, each with the probabilities p_m.
struct EnsembleClassification : public ClassificationPrediction<arma::mat>
{
  //! H(p) - (1/M) sum_m H(p_m): the part of mutualInformation that stems from
  //! members that disagree; the rest is that of the members themselves.
  arma::mat betweenMembers;
};

//! A RegressionPrediction of M members, each with the mean f_m.
struct EnsembleRegression : public RegressionPrediction<arma::mat>
{
  //! (1/M) sum_m (f_m - mean)^2: the part of epistemicVariance that stems from
  //! members that disagree; the rest is that of the members themselves.
  arma::mat betweenMembers;
};

/**
 * M pipelines fitted independently to the same data, and their mixture
 *
 *   q(w) = (1/M) sum_m q_m(w),   p(y | x, D) = (1/M) sum_m p_m(y | x, D).
 *
 * An ensemble of one is its only member: same predictions, same file.
 *
 * @code
 * symvi::Ensemble model(spec, symvi::BoundOptions(), 5);
 * model.Fit(dataset);
 * model.Save("five.bin");
 * @endcode
 */
class Ensemble
{
 public:
  explicit Ensemble(const NetworkSpec& spec = NetworkSpec(),
      const BoundOptions& bound = BoundOptions(), size_t members = 1);

  //! The mixture of given models, which must be fitted and agree in task,
  //! inputs, outputs and classes.
  explicit Ensemble(std::vector<Pipeline> members);

  /**
   * Train all members, side by side.  They differ by their seed alone:
   * MemberSeed(seed, m); held-out points are the same for all.
   *
   * Member m writes its checkpoint to the file of Checkpoint() with ".m"
   * behind it, m = 1 ... M.  With Resume(), members whose checkpoint exists go
   * on from there (a complete one is kept as it is) and others start.
   * TimeLimit() is that of all members together.  OnEpoch() is called with the
   * epochs of all members counted together, from one thread at a time.  Members
   * that were not begun when training was interrupted are left out.  With
   * FitOptions::Over() all ranks hold all data, and members are shared out.
   *
   * @param data, options See Pipeline::Fit().
   * @param threads Members that are trained at the same time; 0 for as many as
   *     there are processors.
   * @param ready Called once, when everything but the weights is known.
   * @return The report of every member.
   */
  std::vector<FitReport> Fit(const io::Dataset& data,
      const FitOptions& options = FitOptions(), size_t threads = 0,
      const std::function<void(const Pipeline&)>& ready = nullptr);

  //! The seed of member m = 0, 1, ... of a run; that of the first is the seed
  //! itself.
  static uint64_t MemberSeed(uint64_t seed, size_t m);

  /**
   * Permute the hidden units of all members but the first so that their means
   * come close to those of the first (see Alignment).  Predictions and bounds
   * stay as they are.  Members must have the same hidden layers.
   */
  void Align();

  //! The most probable label of every point.
  std::vector<std::string> Predict(const arma::mat& points,
      const PredictOptions& options = PredictOptions()) const;

  //! Class probabilities and their uncertainty; samples / M draws, rounded up,
  //! of every member.
  EnsembleClassification Classify(const arma::mat& points,
      const PredictOptions& options = PredictOptions()) const;

  //! Expected responses and their uncertainty, and quantiles of the mixture.
  EnsembleRegression Regress(const arma::mat& points,
      const PredictOptions& options = PredictOptions()) const;

  //! What every draw of the weights predicts, member by member.
  arma::cube Draws(const arma::mat& points,
      const PredictOptions& options = PredictOptions()) const;

  //! log p(y | x, D) of every point, in nats.
  arma::rowvec LogDensity(const io::Dataset& data,
      const PredictOptions& options = PredictOptions()) const;

  /**
   * The mean of the members' reports, with the priors of the first.  Its L and L^G are lower bounds of the
   * log-evidence: the ELBO of the mixture of the symmetrized posteriors is
   *
   *   (1/M) sum_m L^G_m + I(m; w),   0 <= I(m; w) <= log M,
   *
   * where I(m; w), the information of the weights on the member they were drawn
   * from, is left out.
   */
  ElboReport Elbo(const io::Dataset& data,
      const EvaluateOptions& options = EvaluateOptions()) const;

  //! Scores of the predictions, and the bounds.
  Evaluation Evaluate(const io::Dataset& data,
      const EvaluateOptions& options = EvaluateOptions()) const;

  //! Save all members in one file, completely or not at all.
  void Save(const std::string& path) const;
  //! The same to a stream.
  void Write(std::ostream& stream) const;
  //! Load what Save() or Pipeline::Save() wrote.
  static Ensemble Load(const std::string& path);
  //! The same from a stream, to its end; `source` names it in errors.
  static Ensemble Read(std::istream& stream,
      const std::string& source = "stream");

  //! Number of members M.
  size_t Size() const { return members.size(); }
  //! Member m = 0, 1, ...
  const Pipeline& Member(const size_t m) const { return members.at(m); }
  Pipeline& Member(const size_t m) { return members.at(m); }
  //! Whether the members have posteriors.
  bool IsFitted() const { return members.front().IsFitted(); }
  //! What all members share.
  const NetworkSpec& Spec() const { return members.front().Spec(); }
  const std::vector<std::string>& ClassNames() const
  {
    return members.front().ClassNames();
  }
  //! The seed of the last Fit().
  uint64_t Seed() const { return members.front().Seed(); }

 private:
  void CheckMembers() const;
  static Ensemble FromMembers(std::vector<Pipeline> members,
      const std::string& source);
  static Ensemble FromContent(std::string content, const std::string& source);
  //! The options of member m's share of the draws.
  PredictOptions Share(const PredictOptions& options, size_t m) const;

  std::vector<Pipeline> members;
};

/**
 * Distribute the points of rank 0, which alone has read them: each rank gets a
 * contiguous part, and their sizes differ by one at most.  Collective, as all
 * functions below.
 *
 * @param data The points of rank 0; what other ranks have is replaced.
 */
void DealOut(io::Dataset& data, Communicator& ranks);

//! Give all ranks the points of rank 0.
void Broadcast(io::Dataset& data, Communicator& ranks);

//! Give all ranks the fitted model of rank 0.
void Broadcast(Ensemble& model, Communicator& ranks);

/**
 * Ensemble::Classify() of the points of rank 0, of which each rank predicts an
 * equal share; the result, in the order of the points, is on rank 0, and empty
 * on the others.  All ranks must have the model.
 */
EnsembleClassification Classify(const Ensemble& model, const arma::mat& points,
    const PredictOptions& options, Communicator& ranks);

//! Ensemble::Regress() in the same way.
EnsembleRegression Regress(const Ensemble& model, const arma::mat& points,
    const PredictOptions& options, Communicator& ranks);

} // namespace symvi

#endif
