/**
 * @file src/onnx/quoted.hpp
 *
 * Names from files, fit for a message.
 */
#ifndef SYMVI_SRC_ONNX_QUOTED_HPP
#define SYMVI_SRC_ONNX_QUOTED_HPP

#include <string>

namespace symvi {
namespace onnx {

//! The name in quotes, cut to 60 characters, others than printable ones as '?'.
inline std::string Quoted(const std::string& name)
{
  std::string text = name.substr(0, 60);
  for (char& c : text)
    if ((unsigned char) c < 0x20 || (unsigned char) c > 0x7E)
      c = '?';
  return "'" + text + (name.size() > 60 ? "...'" : "'");
}

} // namespace onnx
} // namespace symvi

#endif
