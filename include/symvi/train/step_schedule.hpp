/**
 * @file symvi/train/step_schedule.hpp
 *
 * The step size over a training run.
 */
#ifndef SYMVI_TRAIN_STEP_SCHEDULE_HPP
#define SYMVI_TRAIN_STEP_SCHEDULE_HPP

#include <cmath>
#include <cstddef>

namespace symvi {

/**
 * A linear warm-up, a constant part, and a geometric decay:
 *
 *   stepSize * u / warmUp                            for u <= warmUp,
 *   stepSize                                         for u <= decayStart,
 *   stepSize * finalFactor^((u - decayStart) / (1 - decayStart))   after,
 *
 * with u in (0, 1] the fraction of all steps that are done after this one.
 * The default is constant.
 */
struct StepSchedule
{
  double stepSize = 0.01;
  //! Fraction of the steps over which the step size grows from 0.
  double warmUp = 0.0;
  //! Fraction of the steps after which it decays.
  double decayStart = 1.0;
  //! The last step size, relative to stepSize.
  double finalFactor = 1.0;

  //! Whether all steps have the same size, however many there are.
  bool IsConstant() const
  {
    return warmUp == 0.0 && (decayStart >= 1.0 || finalFactor == 1.0);
  }

  //! The size of step `step`, counted from 0, of `steps`.
  double operator()(const size_t step, const size_t steps) const
  {
    if (IsConstant())
      return stepSize;
    const double u = double(step + 1) / double(steps);
    if (u < warmUp)
      return stepSize * u / warmUp;
    if (u <= decayStart)
      return stepSize;
    return stepSize * std::pow(finalFactor,
        (u - decayStart) / (1.0 - decayStart));
  }
};

} // namespace symvi

#endif
