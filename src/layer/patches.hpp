/**
 * @file src/layer/patches.hpp
 *
 * The patches of an image that a convolution multiplies with its filters.
 */
#ifndef SYMVI_SRC_LAYER_PATCHES_HPP
#define SYMVI_SRC_LAYER_PATCHES_HPP

#include <symvi/layer/bayesian_convolution.hpp>

#include <algorithm>

namespace symvi {

/**
 * Of the outputs 0, ..., n - 1 along one side of the image, those that see a
 * pixel there, and not the zeros around it: pixel o stride + shift - pad of
 * `size` ones.
 */
struct InsideRange
{
  InsideRange(const size_t n, const size_t stride, const size_t shift,
      const size_t pad, const size_t size)
  {
    begin = (shift < pad) ? (pad - shift + stride - 1) / stride : 0;
    end = (size + pad > shift) ? (size + pad - shift - 1) / stride + 1 : 0;
    end = std::min(end, n);
    begin = std::min(begin, end);
  }

  size_t begin, end;
};

/**
 * Call function(column, x, y, pixel) for every row of pixels that patches have
 * in common: `column` of the matrix of patches holds, for outputs y OutWidth()
 * + x.begin to x.end - 1, the pixels from `pixel` on in steps of strideWidth.
 * What no call names is zero.
 */
template<typename Function>
inline void ForEachPatchRow(const ConvolutionShape& s, const Function& function)
{
  const size_t outWidth = s.OutWidth(), outHeight = s.OutHeight();
  size_t column = 0;
  for (size_t c = 0; c < s.maps; ++c)
    for (size_t j = 0; j < s.kernelHeight; ++j)
    {
      const InsideRange y(outHeight, s.strideHeight, j, s.padTop, s.height);
      for (size_t i = 0; i < s.kernelWidth; ++i, ++column)
      {
        const InsideRange x(outWidth, s.strideWidth, i, s.padLeft, s.width);
        if (x.begin == x.end)
          continue;
        for (size_t row = y.begin; row < y.end; ++row)
          function(column, x, row,
              (c * s.height + row * s.strideHeight + j - s.padTop) * s.width +
                  x.begin * s.strideWidth + i - s.padLeft);
      }
    }
}

//! The patches of an image, one per row: Patches() x PatchSize().
template<typename eT>
inline void CopyPatches(const ConvolutionShape& s, const eT* image, eT* patches)
{
  const size_t n = s.Patches(), width = s.OutWidth();
  if (s.padLeft + s.padRight + s.padTop + s.padBottom > 0)
    std::fill(patches, patches + n * s.PatchSize(), eT(0));
  ForEachPatchRow(s,
      [&](const size_t column, const InsideRange& x, const size_t y,
          const size_t pixel)
      {
    eT* to = patches + column * n + y * width + x.begin;
    const eT* from = image + pixel;
    const size_t count = x.end - x.begin;
    if (s.strideWidth == 1)
      for (size_t k = 0; k < count; ++k)
        to[k] = from[k];
    else
      for (size_t k = 0; k < count; ++k)
        to[k] = from[k * s.strideWidth];
  });
}

//! The transpose: add every number of the patches to its pixel.
template<typename eT>
inline void AddPatches(const ConvolutionShape& s, const eT* patches, eT* image)
{
  const size_t n = s.Patches(), width = s.OutWidth();
  ForEachPatchRow(s,
      [&](const size_t column, const InsideRange& x, const size_t y,
          const size_t pixel)
      {
    const eT* from = patches + column * n + y * width + x.begin;
    eT* to = image + pixel;
    const size_t count = x.end - x.begin;
    if (s.strideWidth == 1)
      for (size_t k = 0; k < count; ++k)
        to[k] += from[k];
    else
      for (size_t k = 0; k < count; ++k)
        to[k * s.strideWidth] += from[k];
  });
}

} // namespace symvi

#endif
