/**
 * @file catch.hpp
 *
 * Catch2 for the tests, one spelling for versions 2 and 3: TEST_CASE, SECTION,
 * REQUIRE and so on, `Approx`, TEMPLATE_TEST_CASE, GENERATE, and the matchers
 * Catch::Matchers::ContainsSubstring(), WithinAbs(), WithinRel().
 */
#ifndef SYMVI_TESTS_CATCH_HPP
#define SYMVI_TESTS_CATCH_HPP

#if SYMVI_CATCH_VERSION >= 3

  #include <catch2/catch_approx.hpp>
  #include <catch2/catch_template_test_macros.hpp>
  #include <catch2/catch_test_macros.hpp>
  #include <catch2/generators/catch_generators_all.hpp>
  #include <catch2/matchers/catch_matchers_all.hpp>

using Catch::Approx;

#else

  #include <catch2/catch.hpp>

namespace Catch {
namespace Matchers {

//! The name that version 3 gives to version 2's Contains().
inline auto ContainsSubstring(const std::string& text)
{
  return Contains(text);
}

} // namespace Matchers
} // namespace Catch

#endif

#endif
