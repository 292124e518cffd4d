#include "read_tensor.hpp"

#include "quoted.hpp"

#include <cmath>
#include <cstring>

namespace symvi {
namespace onnx {

namespace {

using ::onnx::TensorProto;

[[noreturn]] void Fail(const std::string& name, const std::string& what)
{
  throw ImportError("Import(): tensor " + Quoted(name) + " " + what + ".");
}

//! Product of the dimensions, each within the limits.
size_t ReadShape(const TensorProto& tensor, const std::string& name,
    const ImportOptions& options, std::vector<size_t>& shape)
{
  // No more numbers than the file can hold, so the product cannot overflow.
  const size_t limit = options.maxFileBytes;
  size_t size = 1;
  if (tensor.dims_size() > 8)
    Fail(name, "has " + std::to_string(tensor.dims_size()) + " axes");
  for (const int64_t dim : tensor.dims())
  {
    if (dim <= 0 || uint64_t(dim) > options.maxDimension)
      Fail(name,
          "has an axis of size " + std::to_string(dim) +
              ", which is not within 1 and " +
              std::to_string(options.maxDimension));
    if (size_t(dim) > limit / size)
      Fail(name, "has more numbers than a file may hold");
    size *= size_t(dim);
    shape.push_back(size_t(dim));
  }
  return size;
}

template<typename T>
void CopyRaw(const std::string& raw, const size_t n, Constant& constant)
{
  if (raw.size() != n * sizeof(T))
    Fail(constant.name,
        "must have " + std::to_string(n * sizeof(T)) + " bytes, but has " +
            std::to_string(raw.size()));
  constant.data.resize(n);
  for (size_t i = 0; i < n; ++i)
  {
    T value;
    std::memcpy(&value, raw.data() + i * sizeof(T), sizeof(T));
    constant.data[i] = double(value);
  }
}

template<typename ListType>
void CopyList(const ListType& list, const size_t n, Constant& constant)
{
  if (size_t(list.size()) != n)
    Fail(constant.name,
        "must have " + std::to_string(n) + " numbers, but has " +
            std::to_string(list.size()));
  constant.data.assign(list.begin(), list.end());
}

} // namespace

Constant ReadTensor(const TensorProto& tensor, const std::string& name,
    const ImportOptions& options)
{
  Constant constant;
  constant.name = name;
  constant.type = tensor.data_type();
  if (tensor.data_location() == TensorProto::EXTERNAL)
    Fail(name, "is stored in another file, which is not supported");
  if (tensor.has_segment())
    Fail(name, "is stored in segments, which is not supported");

  const size_t n = ReadShape(tensor, name, options, constant.shape);
  const bool raw = tensor.has_raw_data();
  if (tensor.data_type() == TensorProto::FLOAT)
    raw ? CopyRaw<float>(tensor.raw_data(), n, constant) :
          CopyList(tensor.float_data(), n, constant);
  else if (tensor.data_type() == TensorProto::DOUBLE)
    raw ? CopyRaw<double>(tensor.raw_data(), n, constant) :
          CopyList(tensor.double_data(), n, constant);
  else if (tensor.data_type() == TensorProto::INT64)
    raw ? CopyRaw<int64_t>(tensor.raw_data(), n, constant) :
          CopyList(tensor.int64_data(), n, constant);
  else
    Fail(name,
        "has element type " + std::to_string(tensor.data_type()) +
            ", but only float, double and int64 are supported");

  for (const double value : constant.data)
    if (!std::isfinite(value))
      Fail(name, "holds a number that is not finite");
  return constant;
}

Constant Transpose(const Constant& matrix)
{
  Constant result = matrix;
  const size_t rows = matrix.shape.at(0), cols = matrix.shape.at(1);
  result.shape = { cols, rows };
  for (size_t i = 0; i < rows; ++i)
    for (size_t j = 0; j < cols; ++j)
      result.data[j * rows + i] = matrix.data[i * cols + j];
  return result;
}

} // namespace onnx
} // namespace symvi
