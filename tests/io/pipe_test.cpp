/**
 * @file pipe_test.cpp
 *
 * What can be read only once.
 */
#include "catch.hpp"

#include <symvi/io/file.hpp>
#include <symvi/io/table.hpp>

#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scratch.hpp"

using namespace symvi::io;

namespace {

//! A named pipe through which a text comes once.
class Pipe
{
 public:
  Pipe(const std::string& path, const std::string& text) : path(path)
  {
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    writer = std::thread(
        [=] { std::ofstream(path, std::ios::binary) << text; });
  }

  ~Pipe()
  {
    // Where nobody read it, the writer is still waiting.
    const int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK);
    writer.join();
    ::close(reader);
  }

  const std::string path;

 private:
  std::thread writer;
};

} // namespace

TEST_CASE("TablesAndLabelsFromPipes", "[IO]")
{
  const Scratch scratch;
  const Pipe table(scratch.Path("table"), "a,b\n1,2\n3,4\n");
  const Pipe labels(scratch.Path("labels"), "x\ny\nx\n");
  const arma::mat expected = { { 1, 3 }, { 2, 4 } };
  REQUIRE(arma::approx_equal(LoadTable(table.path).values, expected, "absdiff",
      0.0));
  REQUIRE(LoadLabels(labels.path) == std::vector<std::string>{ "x", "y", "x" });
}

TEST_CASE("ContainersFromPipes", "[IO]")
{
  const Scratch scratch;
  SaveContainer(scratch.Path("file"), "model", "content");
  REQUIRE(IsContainer(scratch.Path("file"), "model"));
  REQUIRE(!IsContainer(scratch.Path("file"), "ensemble"));
  REQUIRE(!IsContainer(scratch.Path("none"), "model"));
  const Pipe pipe(scratch.Path("pipe"), scratch.Read("file"));
  // To look at it would lose what was read.
  REQUIRE(!IsContainer(pipe.path, "model"));
  REQUIRE(LoadContainer(pipe.path, "model") == "content");
}
