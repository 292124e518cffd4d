/**
 * @file symvi/model/weight_samples.hpp
 *
 * Weight samples of any tool, with their hidden units in one common order.
 */
#ifndef SYMVI_MODEL_WEIGHT_SAMPLES_HPP
#define SYMVI_MODEL_WEIGHT_SAMPLES_HPP

#include <symvi/model/pipeline.hpp>
#include <symvi/symmetry/alignment.hpp>

#include <armadillo>
#include <ostream>
#include <string>
#include <vector>

namespace symvi {

/**
 * In which order the numbers of one sample stand: layer by layer from the
 * inputs, the weights W (outputs x inputs) and the biases b of each.
 */
struct WeightLayout
{
  //! The place of the biases.
  enum class Bias
  {
    AfterWeights,  //!< W_1, b_1, W_2, b_2, ...
    BeforeWeights, //!< b_1, W_1, b_2, W_2, ...
    AtEnd,         //!< W_1, W_2, ..., b_1, b_2, ...
    None           //!< W_1, W_2, ...: the network has none.
  };

  //! Whether W stands row by row, so that the weights into one unit are
  //! neighbours; if not, those out of one unit are.
  bool byRows = false;
  Bias bias = Bias::AfterWeights;

  /**
   * The layout of a tool:
   *
   *  - mlpack, symvi, keras: W column by column (a kernel of inputs x outputs
   *    row by row), then b;
   *  - pytorch: W row by row, then b, as parameters_to_vector() has it;
   *  - flax: b, then W column by column, as ravel_pytree() has it;
   *  - sklearn: all W column by column (coefs_), then all b (intercepts_).
   */
  static WeightLayout Named(const std::string& name);
  //! The names of those tools.
  static const std::vector<std::string>& Names();
};

//! Which part of sample files is read.
struct SampleFileOptions
{
  //! First and last column that hold weights, from 1; 0: all columns do.
  size_t firstColumn = 0, lastColumn = 0;
  //! How many samples at the beginning of each chain are left out.
  size_t burnIn = 0;
  //! Only every thin-th of the others is taken.
  size_t thin = 1;
};

/**
 * Samples w_1, ..., w_S of the weights of one network: a Markov chain, the
 * members of an ensemble, draws of another posterior.  Samples that differ by
 * an element of the symmetry group G are the same function, so each may be
 * replaced by g_s . w_s, and statistics of single weights are meaningful only
 * after that.  G is that of NetworkSymmetry: permutations of the units of each
 * hidden layer, signed ones behind tanh.
 *
 * @code
 * symvi::WeightSamples samples = symvi::WeightSamples::Load(spec,
 *     { "chain.npy" }, symvi::WeightLayout::Named("pytorch"));
 * samples.AlignToEachOther();
 * samples.Canonicalize();
 * symvi::Pipeline posterior = samples.Model();
 * @endcode
 */
class WeightSamples
{
 public:
  /**
   * @param spec The network, with its inputs and outputs.
   * @param samples One sample per column, in the order of `layout`; finite.
   * @param layout See WeightLayout.
   * @param chains Numbers of samples of the chains that `samples` consists of;
   *     empty: one chain.
   */
  WeightSamples(const NetworkSpec& spec, const arma::mat& samples,
      const WeightLayout& layout = WeightLayout(),
      const std::vector<size_t>& chains = {});

  //! The posterior means of models of the same shape and scaling: members of
  //! an ensemble, networks that came as ONNX files.
  explicit WeightSamples(const std::vector<Pipeline>& models);

  /**
   * Read samples from tables (see io::LoadTable()) and NumPy files (.npy,
   * float32 or float64).
   *
   *  - A table has one sample per line.  Columns whose names end in two
   *    underscores (Stan's diagnostics) and row numbers without a name (as
   *    pandas writes them) are left out.
   *  - The last axes of an array, as many as multiply to the number of
   *    weights, are one sample; the axes before number the samples, and if
   *    there are several, the first of them numbers chains.
   *  - Each file is a chain of its own; or there is one file for each W and b,
   *    in the order of the layout.
   *
   * @throws std::invalid_argument that names the file and what is wrong.
   */
  static WeightSamples Load(const NetworkSpec& spec,
      const std::vector<std::string>& paths,
      const WeightLayout& layout = WeightLayout(),
      const SampleFileOptions& options = SampleFileOptions());

  //! Some of the samples, as they are now, as one chain.
  WeightSamples Subset(const std::vector<size_t>& chosen) const;

  //! The network.
  const NetworkSpec& Spec() const { return spec; }
  //! The order in which samples came, and in which Save() writes them.
  const WeightLayout& Layout() const { return layout; }
  //! Number S of samples, number of weights of each, samples of each chain.
  size_t Size() const { return weights.n_cols; }
  size_t Dimension() const { return weights.n_rows; }
  const std::vector<size_t>& Chains() const { return chains; }
  //! G.
  PermutationGroup Group() const;
  //! One sample per column, as they are now: W column by column, then b, layer
  //! by layer, whatever the layout.
  const arma::mat& Weights() const { return weights; }

  //! Class names (numbers from 0), and the scaling that the network expects
  //! (none), for models and losses.
  const io::LabelCodec& Labels() const { return labels; }
  io::LabelCodec& Labels() { return labels; }
  const io::Standardizer& InputScaling() const { return inputs; }
  io::Standardizer& InputScaling() { return inputs; }
  const io::Standardizer& TargetScaling() const { return targets; }
  io::Standardizer& TargetScaling() { return targets; }

  //! How weights are compared; Standardized: by the deviations of the samples
  //! that are aligned to each other.
  UnitMetric Metric() const { return metric; }
  UnitMetric& Metric() { return metric; }
  //! Threads; 0 for one per processor.
  size_t Threads() const { return threads; }
  size_t& Threads() { return threads; }

  /**
   * Align all samples to each other: to the first one, then to their mean mu
   * until no sample moves any more.  Each round makes
   *
   *   sum_s sum_i d((g_s . w_s)_i, mu_i)
   *
   * smaller, with d the squared difference or, Standardized, that divided by
   * sigma_i^2: the likelihood of the mean-field fit [Stephens 2000].  With one
   * hidden layer each round is optimal given mu; the whole is a local optimum.
   *
   * @return Number of rounds.
   */
  size_t AlignToEachOther();

  //! Align all samples to one of them, counted from 0, which stays as it is.
  void AlignTo(size_t sample);
  //! Align all samples to the one sample of a reference of the same network.
  void AlignTo(const WeightSamples& reference);

  //! Apply to all samples the element that brings their mean-field fit to its
  //! canonical form (see CanonicalForm()).
  void Canonicalize();

  //! What has been applied to each sample: unit a of hidden layer h of sample
  //! s became unit g_s(h, a), times its sign.
  const std::vector<Permutation>& Permutations() const { return permutations; }
  //! What takes the units of sample i, as it came, to those of sample j:
  //! g_j^-1 g_i.  Transpositions() tells how many exchanges that is.
  Permutation Between(size_t i, size_t j) const;
  //! How many of the equivalent modes the samples came from: the number of
  //! different g_s.
  size_t EquivalentModes() const;

  //! ||w_i - w_j|| of the samples as they are now.
  double Distance(size_t i, size_t j) const;
  //! Root mean square of ||w_s - mu||, with S - 1 in the denominator.
  double Spread() const;

  //! sum_n log p(y_n | x_n, w) of weights in the order of Weights(), in nats.
  double LogLikelihood(const arma::vec& w, const io::Dataset& data) const;

  /**
   * The loss barrier between two samples: by how much -log p(Y | X, w) on the
   * line from w_i to w_j rises above the straight line between its ends,
   *
   *   max_t  -log p(Y|X, (1-t) w_i + t w_j)
   *          + (1-t) log p(Y|X, w_i) + t log p(Y|X, w_j),
   *
   * at t = 0, 1/steps, ..., 1; in nats of all points, at least 0.
   */
  double Barrier(size_t i, size_t j, const io::Dataset& data,
      size_t steps = 10) const;

  /**
   * Modes that are not equivalent: a sample belongs to the first mode to whose
   * first sample there is no barrier above `tolerance` nats, or is the first
   * sample of a new one.
   *
   * @return The mode of each sample, numbered from 0.
   */
  std::vector<size_t> Modes(const io::Dataset& data, double tolerance = 3.0,
      size_t steps = 10) const;
  //! The same without data: by a distance of at most `radius`.
  std::vector<size_t> ModesWithin(double radius) const;

  /**
   * The mean-field fit: mean and standard deviation (S - 1 in the denominator)
   * of every weight, layer by layer.  Biases that the network does not have are
   * zero.
   *
   * @param minSigma Least standard deviation, positive; weights that are the
   *     same in all samples have it.
   */
  std::vector<LayerPosterior> Posterior(double minSigma = 1e-6) const;

  //! The fit as a model, which predicts, can be saved and trained further.
  //! Learned noise has the level NetworkSpec::noiseStddev.
  Pipeline Model(double minSigma = 1e-6) const;

  //! The equivalent modes that are closest to the mean-field fit: where the
  //! two overlap, alignment is a matter of chance.
  std::vector<EquivalentMode> NearestModes(size_t count) const;

  /**
   * Split R-hat of every weight [Gelman et al. 2013, Sec. 11.4]: each chain is
   * cut into halves, of the length n of the shortest; with the mean W of their
   * variances and the variance B / n of their means,
   *
   *   R^2 = ((n - 1) / n W + B / n) / W,
   *
   * 1 for a weight that never changes.  Empty if a chain has less than 4
   * samples.
   */
  arma::vec SplitRHat() const;

  //! Write the samples as they are now, in their layout, one per line or as
  //! float64 array of samples x weights if `path` ends in .npy.
  void Write(std::ostream& stream, const std::string& path) const;
  //! The same to a file, completely or not at all.
  void Save(const std::string& path) const;

 private:
  SymmetricChain<double> ChainOf(const double* mu, const double* sigma) const;
  size_t AlignAll(const double* mu, const double* sigma,
      UnitMetric chosenMetric);
  void Move(size_t sample, const Permutation& g);
  void Check(const char* where, size_t sample) const;
  Pipeline Make(const arma::vec& mean, const arma::vec& sigma,
      double missingSigma) const;
  std::vector<LayerPosterior> Layers(const arma::vec& mean,
      const arma::vec& sigma, double missingSigma) const;

  NetworkSpec spec;
  WeightLayout layout;
  std::vector<size_t> chains;
  //! The place in a row of each weight.
  arma::uvec order;
  arma::mat weights;
  std::vector<Permutation> permutations;
  io::LabelCodec labels;
  io::Standardizer inputs, targets;
  UnitMetric metric = UnitMetric::Euclidean;
  size_t threads = 1;
};

} // namespace symvi

#endif
