/**
 * @file atomic_file_test.cpp
 *
 * Complete files or none.
 */
#include "catch.hpp"

#include <filesystem>

#include <symvi/io/file.hpp>

#include "scratch.hpp"

using namespace symvi::io;

TEST_CASE("AnUncommittedFileLeavesNothing", "[IO]")
{
  const Scratch scratch;
  const std::string path = scratch.Write("a", "old");
  {
    AtomicFile file(path);
    file.Stream() << "new";
    REQUIRE(scratch.Files() == 2);
  }
  REQUIRE(scratch.Read("a") == "old");
  REQUIRE(scratch.Files() == 1);
}

TEST_CASE("ACommittedFileReplacesTheOldOne", "[IO]")
{
  const Scratch scratch;
  const std::string path = scratch.Write("a", "old");
  std::filesystem::permissions(path, std::filesystem::perms(0640));
  std::filesystem::create_symlink("a", scratch.Path("link"));
  AtomicFile file(scratch.Path("link"));
  file.Stream() << std::string(200000, 'x');
  file.Commit();
  REQUIRE(scratch.Read("a") == std::string(200000, 'x'));
  REQUIRE(std::filesystem::is_symlink(scratch.Path("link")));
  REQUIRE(std::filesystem::status(path).permissions() ==
      std::filesystem::perms(0640));
  REQUIRE(scratch.Files() == 2);
}

TEST_CASE("AFullDiskIsAnError", "[IO]")
{
  if (!std::filesystem::exists("/dev/full"))
    return;
  AtomicFile file("/dev/full");
  file.Stream() << "x";
  REQUIRE_THROWS_WITH(file.Commit(),
      "cannot write '/dev/full': No space left on device.");
  AtomicFile large("/dev/full");
  REQUIRE_THROWS_AS(large.Stream() << std::string(1 << 20, 'x'),
      std::runtime_error);
}

TEST_CASE("AllOrNothingOfSeveralFiles", "[IO]")
{
  if (!std::filesystem::exists("/dev/full"))
    return;
  const Scratch scratch;
  const std::string path = scratch.Write("a", "old");
  {
    std::vector<AtomicFile> files;
    files.emplace_back(path);
    files.emplace_back("/dev/full");
    files[0].Stream() << "new";
    files[1].Stream() << "new";
    REQUIRE_THROWS_AS(CommitAll(files), std::runtime_error);
  }
  REQUIRE(scratch.Read("a") == "old");
  REQUIRE(scratch.Files() == 1);
}

TEST_CASE("UnwritablePlaces", "[IO]")
{
  const Scratch scratch;
  REQUIRE_THROWS_WITH(RequireWritable(scratch.Path("no/a")),
      "cannot write '" + scratch.Path("no/a") +
          "': No such file or directory.");
  REQUIRE_THROWS_AS(RequireWritable(scratch.Path("")), std::runtime_error);
  REQUIRE_THROWS_AS(RequireWritable(""), std::runtime_error);
  RequireWritable(scratch.Path("a"));
  REQUIRE(scratch.Files() == 0);
}

TEST_CASE("AFailedRenameGivesOlderFilesBack", "[IO]")
{
  const Scratch scratch;
  const std::string old = scratch.Write("a", "old");
  const std::string fresh = scratch.Path("b"), last = scratch.Path("c");
  {
    std::vector<AtomicFile> files;
    for (const std::string& path : { old, fresh, last })
    {
      files.emplace_back(path);
      files.back().Stream() << "new";
    }
    // A file cannot take the name of a folder.
    std::filesystem::create_directory(last);
    REQUIRE_THROWS_AS(CommitAll(files), std::runtime_error);
  }
  REQUIRE(scratch.Read("a") == "old");
  REQUIRE(!std::filesystem::exists(fresh));
  REQUIRE(scratch.Files() == 2);
}

TEST_CASE("StaleTemporaryFilesAreRemoved", "[IO]")
{
  const Scratch scratch;
  const std::string path = scratch.Write("a", "old");
  scratch.Write("a.symvi-Ab12Cd", "left behind");
  scratch.Write("a.symvi-Ab12Cdo", "left behind");
  scratch.Write("b.symvi-Ab12Cd", "of another file");
  scratch.Write("a.symvi-notes", "of the user");
  AtomicFile running(path);
  running.Stream() << "first";
  AtomicFile other(path);
  other.Stream() << "second";
  REQUIRE(scratch.Files() == 5);
  other.Commit();
  running.Commit();
  REQUIRE(scratch.Read("a") == "first");
  REQUIRE(scratch.Files() == 3);
}
