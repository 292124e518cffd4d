/**
 * @file src/io/npy.cpp
 */
#include "io/npy.hpp"

#include <symvi/require.hpp>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>

#include "io/line_reader.hpp"
#include "io/number.hpp"

namespace symvi {
namespace io {

namespace {

const std::string magic = "\x93NUMPY";

//! "(3, 4)" or, of one axis, "(3,)".
std::string Tuple(const std::vector<size_t>& numbers)
{
  std::string text = "(";
  for (size_t i = 0; i < numbers.size(); ++i)
    text += (i ? ", " : "") + std::to_string(numbers[i]);
  return text + (numbers.size() == 1 ? ",)" : ")");
}

//! An unsigned number of so many bytes, little-endian.
size_t LittleEndian(const std::string& bytes, const size_t at,
    const size_t count)
{
  size_t value = 0;
  for (size_t i = count; i-- > 0;)
    value = (value << 8) | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

bool IsDigit(const char c)
{
  return c >= '0' && c <= '9';
}

//! The header of a file: a dictionary in Python's syntax.
class Header
{
 public:
  Header(const std::string& path, const std::string& text) :
      path(path),
      text(text)
  {
    const std::string order = Value("fortran_order");
    if (order.rfind("True", 0) != 0 && order.rfind("False", 0) != 0)
      Damaged();
    isFortran = (order[0] == 'T');
    type = Value("descr");
    // A list of fields has brackets in place of quotes.
    const size_t close = type.find(type[0], 1);
    type = (type[0] == '\'' || type[0] == '"') && close != std::string::npos ?
        type.substr(1, close - 1) :
        "a record";
    ReadShape(Value("shape"));
  }

  bool isFortran = false;
  std::string type;
  std::vector<size_t> shape;

 private:
  [[noreturn]] void Damaged() const
  {
    RefuseFile(path, "is not a whole .npy file: its header cannot be read");
  }

  //! What stands behind a key.
  std::string Value(const std::string& key) const
  {
    size_t at = text.find("'" + key + "'");
    at = (at == std::string::npos) ? at : text.find(':', at);
    at = (at == std::string::npos) ? at : text.find_first_not_of(" ", at + 1);
    if (at == std::string::npos)
      Damaged();
    return text.substr(at);
  }

  void ReadShape(const std::string& tuple)
  {
    const size_t end = tuple.find(')');
    if (tuple[0] != '(' || end == std::string::npos)
      Damaged();
    for (size_t at = 1; at < end;)
    {
      if (tuple[at] == ' ' || tuple[at] == ',')
      {
        ++at;
        continue;
      }
      size_t length = 0, value = 0;
      for (; at + length < end && IsDigit(tuple[at + length]); ++length)
        value = 10 * value + size_t(tuple[at + length] - '0');
      // Nothing that large is in a file, nor does the product overflow.
      if (length == 0 || length > 15)
        Damaged();
      shape.push_back(value);
      at += length;
    }
    // NumPy's own limit.
    if (shape.size() > 64)
      Damaged();
  }

  const std::string& path;
  const std::string& text;
};

//! A number of 4 or 8 bytes, which may have to be turned round.
template<typename Number>
double Decode(const char* bytes, const bool isBigEndian)
{
  char turned[sizeof(Number)];
  const uint16_t one = 1;
  const bool isBigMachine = *reinterpret_cast<const char*>(&one) == 0;
  std::copy_n(bytes, sizeof(Number), turned);
  if (isBigEndian != isBigMachine)
    std::reverse(turned, turned + sizeof(Number));
  Number value;
  std::memcpy(&value, turned, sizeof(Number));
  return double(value);
}

//! Numbers of elements before each axis, for the order in which the file has
//! them.
std::vector<size_t> Strides(const Header& header)
{
  std::vector<size_t> strides(header.shape.size(), 1);
  if (header.isFortran)
    for (size_t k = 1; k < strides.size(); ++k)
      strides[k] = strides[k - 1] * header.shape[k - 1];
  else
    for (size_t k = strides.size(); k-- > 1;)
      strides[k - 1] = strides[k] * header.shape[k];
  return strides;
}

std::string ReadFile(const std::string& path)
{
  std::ifstream file(path, std::ios::binary);
  std::string bytes;
  char buffer[1 << 16];
  while (file.read(buffer, sizeof(buffer)) || file.gcount() > 0)
  {
    bytes.append(buffer, size_t(file.gcount()));
    // What is no array need not end, such as /dev/zero.
    if (bytes.compare(0, magic.size(), magic) != 0)
      break;
  }
  if (!file.is_open() || file.bad())
    RefuseToRead(path, errno);
  return bytes;
}

} // namespace

std::string NumberArray::ShapeText() const
{
  return Tuple(shape);
}

bool HasExtension(const std::string& path, const std::string& extension)
{
  return path.size() > extension.size() &&
      std::equal(extension.rbegin(), extension.rend(), path.rbegin(),
          [](const char a, const char b)
          { return a == std::tolower(static_cast<unsigned char>(b)); });
}

NumberArray LoadNpy(const std::string& path)
{
  const std::string bytes = ReadFile(path);
  if (bytes.compare(0, magic.size(), magic) != 0)
    RefuseFile(path, bytes.empty() ? "is empty" : "is not an .npy file");
  // Version, length of the header, header.
  const size_t wide = (bytes.size() > 6 && bytes[6] > 1) ? 4 : 2;
  const size_t begin = 8 + wide;
  if (bytes.size() < begin ||
      bytes.size() < begin + LittleEndian(bytes, 8, wide))
    RefuseFile(path, "is truncated: it ends within its header");
  const std::string text = bytes.substr(begin, LittleEndian(bytes, 8, wide));
  const Header header(path, text);

  const std::string kind = header.type.substr(header.type.empty() ? 0 : 1);
  const bool isFloat = (kind == "f4"), isDouble = (kind == "f8");
  if (!(isFloat || isDouble) ||
      std::string("<>").find(header.type[0]) == std::string::npos)
    RefuseFile(path,
        "holds numbers of the type '" + header.type +
            "'; convert them to float32 or float64");
  const size_t width = isFloat ? 4 : 8;
  const size_t data = bytes.size() - begin - text.size();
  size_t count = 1;
  for (const size_t size : header.shape)
    count = (size > 0 && count > data / size) ? data + 1 : count * size;
  NumberArray array;
  array.shape = header.shape;
  if (count > data / width)
    RefuseFile(path,
        "is truncated: it holds " + std::to_string(data) +
            " bytes of numbers, too few for its shape " + array.ShapeText());
  if (data > count * width)
    RefuseFile(path,
        "holds " + std::to_string(data - count * width) +
            " bytes more than its shape " + array.ShapeText() + " needs");
  if (count == 0)
    RefuseFile(path, "has shape " + array.ShapeText() + " and no numbers");

  array.values.resize(count);
  const std::vector<size_t> strides = Strides(header);
  std::vector<size_t> index(header.shape.size(), 0);
  for (double& value : array.values)
  {
    size_t at = 0;
    for (size_t k = 0; k < index.size(); ++k)
      at += index[k] * strides[k];
    const char* from = bytes.data() + begin + text.size() + at * width;
    const bool isBigEndian = (header.type[0] == '>');
    value = isFloat ? Decode<float>(from, isBigEndian) :
                      Decode<double>(from, isBigEndian);
    if (!(std::abs(value) <= LargestNumber()))
      RefuseFile(path,
          "holds " + ValueText(value) + " at " + Tuple(index) +
              ", which is not a finite number below 1e150");
    for (size_t k = index.size(); k-- > 0;)
    {
      if (++index[k] < header.shape[k])
        break;
      index[k] = 0;
    }
  }
  return array;
}

void WriteNpy(std::ostream& stream, const arma::mat& values)
{
  std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': " +
      Tuple({ size_t(values.n_cols), size_t(values.n_rows) }) + ", }";
  // The numbers begin at a multiple of 64 bytes.
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  stream << magic << '\x01' << '\0' << char(header.size() % 256)
         << char(header.size() / 256) << header;
  for (const double value : values)
  {
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    for (size_t i = 0; i < sizeof(bits); ++i)
      stream.put(char((bits >> (8 * i)) & 255));
  }
}

} // namespace io
} // namespace symvi
