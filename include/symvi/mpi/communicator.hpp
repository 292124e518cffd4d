/**
 * @file symvi/mpi/communicator.hpp
 *
 * Processes that MPI has started.
 */
#ifndef SYMVI_MPI_COMMUNICATOR_HPP
#define SYMVI_MPI_COMMUNICATOR_HPP

#include <symvi/kernel/communicator.hpp>
#include <symvi/version.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace symvi {

/**
 * The ranks of an MPI communicator; see docs/mpi.md.  The component symvi::mpi.
 *
 * @code
 * int main()
 * {
 *   return symvi::RunRanks([](symvi::MpiCommunicator& ranks)
 *   {
 *     ...
 *     model.Fit(X, y, symvi::FitOptions().Over(ranks));
 *     return 0;
 *   });
 * }
 * @endcode
 *
 * Destroyed by an exception that is no RankError, it aborts all ranks: the
 * others would wait for this one.
 */
class MpiCommunicator final : public Communicator
{
 public:
  /**
   * All ranks of the job.  Initialises MPI unless that was done, and then
   * finalises it at the end of its life.  Collective; throws RankError if the
   * ranks run different versions of symvi.
   *
   * @param version That of the program; leave it at its default.
   */
  explicit MpiCommunicator(const std::string& version = SYMVI_VERSION);

  /**
   * The ranks of a communicator, which is duplicated.
   *
   * @param handle MPI_Comm_c2f() of it.
   */
  explicit MpiCommunicator(int handle,
      const std::string& version = SYMVI_VERSION);

  ~MpiCommunicator() override;

  using Communicator::Broadcast;
  using Communicator::Sum;
  size_t Rank() const override;
  size_t Size() const override;
  void Sum(double* values, size_t n) override;
  void Sum(float* values, size_t n) override;
  void SumShares(double* values, const std::vector<size_t>& bounds) override;
  void SumShares(float* values, const std::vector<size_t>& bounds) override;
  void GatherShares(double* values, const std::vector<size_t>& bounds) override;
  void GatherShares(float* values, const std::vector<size_t>& bounds) override;
  void Broadcast(std::string& bytes, size_t root = 0) override;
  void Move(std::string& bytes, size_t from, size_t to) override;

  //! End all ranks at once; not collective.
  [[noreturn]] void Abort(int code = 1);

  //! Rank 0 keeps the queue, and works in a thread of its own.
  void Share(size_t count, const std::function<std::string(size_t)>& work,
      const std::function<void(size_t, std::string)>& done,
      const std::function<bool(size_t)>& isDone = nullptr) override;

 private:
  class Queue;
  struct Implementation;
  std::unique_ptr<Implementation> mpi;
};

/**
 * What main() of a program over ranks does: `body` with all ranks.  An error
 * that all ranks share is printed by rank 0, any other by its rank, which then
 * ends them all.
 *
 * @return The exit code of the body, or 1.
 */
int RunRanks(const std::function<int(MpiCommunicator&)>& body,
    const std::string& version = SYMVI_VERSION);

} // namespace symvi

#endif
