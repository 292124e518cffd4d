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
 * with u in (0, 1] the fraction of the run that is done after this step.
 */
struct StepSchedule
{
  double stepSize = 0.005;
  //! Fraction of the run over which the step size grows from 0.
  double warmUp = 0.02;
  //! Fraction of the run after which it decays.
  double decayStart = 0.3;
  //! The last step size, relative to stepSize.
  double finalFactor = 0.01;

  //! The same step size throughout.
  static StepSchedule Constant(const double stepSize)
  {
    return { stepSize, 0.0, 1.0, 1.0 };
  }

  //! Whether all steps have the same size, however many there are.
  bool IsConstant() const
  {
    return warmUp == 0.0 && (decayStart >= 1.0 || finalFactor == 1.0);
  }

  //! The size of the step after which the fraction u of the run is done.
  double operator()(const double u) const
  {
    if (IsConstant())
      return stepSize;
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
