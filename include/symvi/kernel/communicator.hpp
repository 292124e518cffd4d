/**
 * @file symvi/kernel/communicator.hpp
 *
 * Several processes that work on one task.
 */
#ifndef SYMVI_KERNEL_COMMUNICATOR_HPP
#define SYMVI_KERNEL_COMMUNICATOR_HPP

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace symvi {

//! What every rank throws because at least one of them has failed.
class RankError : public std::runtime_error
{
 public:
  using std::runtime_error::runtime_error;
};

//! Numbers from `offset` on of an array, of which rank r has the share
//! bounds[r], ..., bounds[r + 1] - 1, counted from there.
struct SharedArray
{
  size_t offset;
  std::vector<size_t> bounds;
};

/**
 * Processes, numbered by their rank, that run the same program.  All functions
 * but Rank() and Size() are collective: every rank calls them, in the same
 * order.  This class is a single process; symvi::MpiCommunicator is MPI.
 */
class Communicator
{
 public:
  virtual ~Communicator() = default;

  virtual size_t Rank() const { return 0; }
  virtual size_t Size() const { return 1; }
  //! Rank 0 prints and writes files.
  bool IsRoot() const { return Rank() == 0; }

  /**
   * Replace an array by its sum over the ranks: the same bits on all ranks,
   * and in every run with as many ranks.
   */
  virtual void Sum(double* /* values */, size_t /* n */) { }
  virtual void Sum(float* /* values */, size_t /* n */) { }

  /**
   * An array of which rank r has the share bounds[r], ..., bounds[r + 1] - 1:
   * that becomes the sum over the ranks, and the rest stays as it is.
   */
  virtual void SumShares(double* /* values */,
      const std::vector<size_t>& /* bounds */)
  { }
  virtual void SumShares(float* /* values */,
      const std::vector<size_t>& /* bounds */)
  { }

  //! Every rank gets the shares of all.
  virtual void GatherShares(double* /* values */,
      const std::vector<size_t>& /* bounds */)
  { }
  virtual void GatherShares(float* /* values */,
      const std::vector<size_t>& /* bounds */)
  { }

  //! Every rank gets the bytes of `root`.
  virtual void Broadcast(std::string& /* bytes */, size_t /* root */ = 0) { }

  //! Rank `from` has bytes for rank `to`; both call it with the same two.
  virtual void Move(std::string& /* bytes */, size_t /* from */,
      size_t /* to */)
  { }

  /**
   * Independent pieces of work 0, ..., count - 1, each done by the rank that is
   * free next; rank 0 works as well, and does the first.  A piece that throws
   * ends the work of all by a RankError.
   *
   * @param work Does piece i, without communication, and returns its result.
   * @param done Called on rank 0 with every result, as they come.
   * @param isDone Asked on rank 0: pieces that an earlier job has done.
   */
  virtual void Share(size_t count,
      const std::function<std::string(size_t)>& work,
      const std::function<void(size_t, std::string)>& done,
      const std::function<bool(size_t)>& isDone = nullptr);

  //! The bytes of all ranks on rank 0, in their order; nothing elsewhere.
  std::vector<std::string> Gather(std::string bytes);

  //! The bytes of all ranks on every rank.
  std::vector<std::string> GatherAll(std::string bytes);

  //! The sum of one number.
  double Sum(double value)
  {
    Sum(&value, 1);
    return value;
  }

  //! The array of rank 0.
  void Broadcast(double* values, size_t n);
  double Broadcast(double value)
  {
    Broadcast(&value, 1);
    return value;
  }

  /**
   * Sums that are the same bits for any number of ranks: they start as they are
   * on rank 0, which adds what it holds and hands them on to the next.  All
   * ranks get what the last one leaves.
   */
  void InTurn(std::vector<double>& sums, const std::function<void()>& add);

  /**
   * Do what may fail without any communication inside.  If it throws on one
   * rank, every rank throws: a RankError with the first failure in the order of
   * ranks, which names the rank unless all fail alike.  A single process throws
   * what was thrown.
   */
  void Agree(const std::function<void()>& work);

  //! Throws on all ranks, unless all have the same value of what `what` names.
  void RequireSame(const std::string& what, const std::string& value);

  //! Throw a RankError; all ranks do.
  [[noreturn]] void Fail(const std::string& what);
  //! Whether that has happened.
  bool HasFailed() const { return failed; }

  //! A single process.
  static Communicator& Alone();

 private:
  bool failed = false;
};

} // namespace symvi

#endif
