/**
 * @file watch.hpp
 *
 * Ctrl-C and progress while C++ works without the GIL.
 */
#ifndef SYMVI_BINDINGS_PYTHON_WATCH_HPP
#define SYMVI_BINDINGS_PYTHON_WATCH_HPP

#include <symvi/train/fit_options.hpp>

#include <pybind11/pybind11.h>

#include <chrono>
#include <optional>

namespace symvi {
namespace python {

namespace py = pybind11;

/**
 * Lets Python in a few times per second, for its signal handlers and for a
 * callable that shows progress.  An exception that either of them raises ends
 * the training and is kept until Rethrow().
 */
class Watch
{
 public:
  explicit Watch(py::object progress) :
      progress(std::move(progress)),
      nextSignals(Clock::now() + period),
      nextProgress(Clock::now())
  { }

  //! Options that ask this object; it must outlive them.
  void Attach(FitOptions& options)
  {
    options.Interrupted([this] { return Interrupted(); });
    if (!progress.is_none())
      options.OnEpoch([this](const EpochRecord& record, const size_t planned)
          { Show(record, planned); });
  }

  //! Call it with the GIL.
  void Rethrow()
  {
    if (error)
      throw py::error_already_set(*error);
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool Interrupted()
  {
    if (error || Clock::now() < nextSignals)
      return error.has_value();
    nextSignals = Clock::now() + period;
    const py::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0)
      error.emplace();
    return error.has_value();
  }

  void Show(const EpochRecord& record, const size_t planned)
  {
    if (error || (Clock::now() < nextProgress && record.epoch < planned))
      return;
    nextProgress = Clock::now() + 2 * period;
    const py::gil_scoped_acquire gil;
    try
    {
      progress(record.epoch, planned, record.elbo, record.validation);
    }
    catch (const py::error_already_set& e)
    {
      error.emplace(e);
    }
  }

  static constexpr std::chrono::milliseconds period{ 100 };

  py::object progress;
  Clock::time_point nextSignals, nextProgress;
  std::optional<py::error_already_set> error;
};

} // namespace python
} // namespace symvi

#endif
