/**
 * @file src/kernel/communicator.cpp
 */
#include <symvi/kernel/communicator.hpp>

#include <algorithm>
#include <cstring>
#include <new>

namespace symvi {

void Communicator::Share(const size_t count,
    const std::function<std::string(size_t)>& work,
    const std::function<void(size_t, std::string)>& done,
    const std::function<bool(size_t)>& isDone)
{
  for (size_t i = 0; i < count; ++i)
    if (!isDone || !isDone(i))
      done(i, work(i));
}

std::vector<std::string> Communicator::Gather(std::string bytes)
{
  std::vector<std::string> all;
  for (size_t from = 0; from < Size(); ++from)
  {
    if (!IsRoot() && from != Rank())
      continue;
    std::string part = (from == Rank()) ? std::move(bytes) : std::string();
    if (from > 0)
      Move(part, from, 0);
    if (IsRoot())
      all.push_back(std::move(part));
  }
  return all;
}

std::vector<std::string> Communicator::GatherAll(std::string bytes)
{
  std::vector<std::string> all(Size());
  for (size_t from = 0; from < Size(); ++from)
  {
    if (from == Rank())
      all[from] = std::move(bytes);
    Broadcast(all[from], from);
  }
  return all;
}

void Communicator::Broadcast(double* values, const size_t n)
{
  std::string bytes(reinterpret_cast<const char*>(values), n * sizeof(double));
  Broadcast(bytes);
  if (bytes.size() != n * sizeof(double))
    throw std::logic_error("Communicator::Broadcast(): there must be as many "
                           "numbers as on rank 0, " +
        std::to_string(bytes.size() / sizeof(double)) + ", but there are " +
        std::to_string(n) + ".");
  std::memcpy(values, bytes.data(), bytes.size());
}

void Communicator::InTurn(std::vector<double>& sums,
    const std::function<void()>& add)
{
  for (size_t rank = 0; rank < Size(); ++rank)
  {
    if (rank == Rank())
      add();
    if (Size() == 1)
      return;
    std::string bytes(reinterpret_cast<const char*>(sums.data()),
        sums.size() * sizeof(double));
    Broadcast(bytes, rank);
    sums.resize(bytes.size() / sizeof(double));
    std::memcpy(sums.data(), bytes.data(), bytes.size());
  }
}

void Communicator::Agree(const std::function<void()>& work)
{
  if (Size() == 1)
    return work();
  std::string failure;
  try
  {
    work();
  }
  catch (const std::bad_alloc&)
  {
    failure = "there is not enough memory.";
  }
  catch (const std::exception& e)
  {
    failure = (*e.what() != '\0') ? e.what() : "unknown error.";
  }
  if (Sum(failure.empty() ? 0.0 : 1.0) == 0.0)
    return;
  const std::vector<std::string> all = GatherAll(failure);
  const size_t first = size_t(std::find_if(all.begin(), all.end(),
                                  [](const std::string& text) {
    return !text.empty();
  }) - all.begin());
  const bool alike = std::all_of(all.begin(), all.end(),
      [&](const std::string& text) { return text == all[first]; });
  Fail((alike ? "" :
                "rank " + std::to_string(first) + " of " +
                   std::to_string(Size()) + ": ") +
      all[first]);
}

void Communicator::RequireSame(const std::string& what,
    const std::string& value)
{
  const std::vector<std::string> all = GatherAll(value);
  for (size_t rank = 1; rank < all.size(); ++rank)
  {
    if (all[rank] != all[0])
      Fail("all ranks must have the same " + what +
          ", but rank "
          "0 has '" +
          all[0] + "' and rank " + std::to_string(rank) + " has '" + all[rank] +
          "'.");
  }
}

void Communicator::Fail(const std::string& what)
{
  failed = true;
  throw RankError(what);
}

Communicator& Communicator::Alone()
{
  static Communicator alone;
  return alone;
}

} // namespace symvi
