/**
 * @file examples/demo/progress.hpp
 *
 * An ensmallen callback: a bar on the terminal, and the objective per epoch.
 */
#ifndef SYMVI_EXAMPLES_DEMO_PROGRESS_HPP
#define SYMVI_EXAMPLES_DEMO_PROGRESS_HPP

#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

namespace demo {

/**
 * Draws one line over and over on a terminal; prints it once, when full,
 * elsewhere.  Records the objective of every epoch.
 */
class Progress
{
 public:
  /**
   * @param title Shown in front of the bar.
   * @param epochs Number of epochs of the whole run.
   * @param history Receives minus the objective per point of every epoch.
   */
  Progress(const std::string& title, const size_t epochs,
           std::vector<double>& history) :
      title(title),
      epochs(epochs),
      history(history),
      isTerminal(isatty(STDERR_FILENO))
  { }

  template<typename OptimizerType, typename FunctionType, typename MatType>
  bool EndEpoch(OptimizerType&, FunctionType&, const MatType&,
                const size_t /* epoch */, const double objective)
  {
    history.push_back(-objective);
    const bool isLast = (history.size() == epochs);
    if (isTerminal || isLast)
      Draw(isLast);
    return false;
  }

 private:
  void Draw(const bool isLast) const
  {
    const size_t width = 40, full = width * history.size() / epochs;
    std::fprintf(stderr, "%s%-16s [%s%s] %3zu%%  objective %.4f%s",
        isTerminal ? "\r" : "", title.c_str(), std::string(full, '#').c_str(),
        std::string(width - full, '.').c_str(), 100 * history.size() / epochs,
        history.back(), isLast ? "\n" : "");
    std::fflush(stderr);
  }

  std::string title;
  size_t epochs;
  std::vector<double>& history;
  bool isTerminal;
};

} // namespace demo

#endif
