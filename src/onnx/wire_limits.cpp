#include "wire_limits.hpp"

#include "proto.hpp"

#include <symvi/onnx/file.hpp>

#include <cstdint>

namespace symvi {
namespace onnx {

namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

//! Deepest nesting; an MLP needs about eight levels.
constexpr int maxDepth = 32;

class WireWalker
{
 public:
  WireWalker(const std::string& bytes, const size_t maxObjects) :
      at(reinterpret_cast<const uint8_t*>(bytes.data())),
      begin(at),
      left(maxObjects)
  { }

  //! Walks over one message of the given type that ends at `end`.
  void Message(const Descriptor* type, const uint8_t* end, const int depth)
  {
    if (depth > maxDepth)
      Fail("messages are nested too deeply");
    while (at < end)
    {
      const uint64_t tag = Varint(end);
      const uint64_t number = tag >> 3;
      if (number == 0 || number > uint64_t(FieldDescriptor::kMaxNumber))
        Fail("a field has no valid number");
      Field(type->FindFieldByNumber(int(number)), tag & 7, end, depth);
    }
  }

 private:
  void Field(const FieldDescriptor* field, const uint64_t wireType,
      const uint8_t* end, const int depth)
  {
    // Numbers of a known list take few bytes each; all else is an object.
    const bool plain = field && field->is_repeated() &&
        field->cpp_type() != FieldDescriptor::CPPTYPE_ENUM;
    if (wireType == 2 || !plain)
      Count();
    switch (wireType)
    {
    case 0: Varint(end); break;
    case 1: Skip(8, end); break;
    case 5: Skip(4, end); break;
    case 2: Block(field, end, depth); break;
    default: Fail("a field has an unknown wire type");
    }
  }

  void Block(const FieldDescriptor* field, const uint8_t* end, const int depth)
  {
    const uint64_t size = Varint(end);
    if (size > uint64_t(end - at))
      Fail("a field ends after the message that holds it");
    if (field && field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE)
      Message(field->message_type(), at + size, depth + 1);
    else
      at += size;
  }

  void Skip(const size_t size, const uint8_t* end)
  {
    if (size > size_t(end - at))
      Fail("the file ends within a number");
    at += size;
  }

  uint64_t Varint(const uint8_t* end)
  {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7)
    {
      if (at == end)
        Fail("the file ends within a number");
      const uint8_t byte = *at++;
      value |= uint64_t(byte & 0x7F) << shift;
      if (byte < 0x80)
        return value;
    }
    Fail("a number is longer than ten bytes");
  }

  void Count()
  {
    if (left-- == 0)
      throw ImportError("Import(): the file holds more objects than "
                        "maxObjects allows.");
  }

  [[noreturn]] void Fail(const std::string& what) const
  {
    throw ImportError("Import(): this is no ONNX file, or a damaged one: at "
                      "byte " +
        std::to_string(at - begin) + " " + what + ".");
  }

  const uint8_t* at;
  const uint8_t* begin;
  size_t left;
};

} // namespace

void CheckWire(const std::string& bytes, const size_t maxObjects)
{
  if (bytes.empty())
    throw ImportError("Import(): the file is empty.");
  const uint8_t* end = reinterpret_cast<const uint8_t*>(bytes.data()) +
      bytes.size();
  WireWalker(bytes, maxObjects)
      .Message(::onnx::ModelProto::descriptor(), end, 0);
}

} // namespace onnx
} // namespace symvi
