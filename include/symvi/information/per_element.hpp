/**
 * @file symvi/information/per_element.hpp
 *
 * Working memory that depends on the element type.
 */
#ifndef SYMVI_INFORMATION_PER_ELEMENT_HPP
#define SYMVI_INFORMATION_PER_ELEMENT_HPP

#include <memory>
#include <type_traits>

namespace symvi {
namespace information {

/**
 * A WorkType<float> and a WorkType<double>, each made when it is first asked
 * for, so that a program compiles only the one that it uses.
 *
 * What it holds is working memory: a copy begins without any.
 */
template<template<typename> class WorkType>
class PerElement
{
 public:
  PerElement() { }
  PerElement(const PerElement& /* other */) { }
  PerElement& operator=(const PerElement& /* other */) { return *this; }

  //! The one for the given element type.
  template<typename eT>
  WorkType<eT>& Get()
  {
    std::shared_ptr<void>& slot = slots[std::is_same_v<eT, double>];
    if (!slot)
      slot = std::make_shared<WorkType<eT>>();
    return *static_cast<WorkType<eT>*>(slot.get());
  }

 private:
  //! Of shared_ptr only for its deleter; nothing is shared.
  std::shared_ptr<void> slots[2];
};

} // namespace information
} // namespace symvi

#endif
