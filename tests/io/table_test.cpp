/**
 * @file table_test.cpp
 *
 * Every layout that is read, and every error with its file and line.
 */
#include "catch.hpp"

#include <limits>
#include <sstream>

#include <symvi/io/dataset.hpp>
#include <symvi/io/table.hpp>

#include "scratch.hpp"

using namespace symvi::io;

namespace {

std::string ErrorOf(const std::string& path,
    const TableOptions& options = TableOptions())
{
  try
  {
    LoadTable(path, options);
  }
  catch (const std::invalid_argument& e)
  {
    return e.what();
  }
  return "no error";
}

TableOptions Target(const std::string& name, const size_t features = 0)
{
  TableOptions options;
  options.target = name;
  options.features = features;
  return options;
}

} // namespace

TEST_CASE("TablesOfEverySeparator", "[IO]")
{
  const Scratch scratch;
  const arma::mat expected("1 4; -2.5 5; 300 0.125");
  const std::pair<const char*, const char*> files[] = {
    { "a.csv", "1,-2.5,3e2\n4,5,.125\n" },
    { "b.csv", "1, -2.5 ,+3e2\r\n4,5,0.125" },
    { "c.csv",
        "\xEF\xBB\xBF"
        "a,b,c\n\n1,-2.5,300\n# note\n4,5,0.125\n\n" },
    { "d.csv", "\"a\";\"b, c\";\"d\"\n1;-2.5;300\n4;5;0.125\n" },
    { "e.tsv", "1\t-2.5\t300\n4\t5\t0.125\n" },
    { "f.txt", "  1   -2.5 300 \n4 5\t0.125\n" },
    { "g.csv", "\"1\",\"-2.5\",\"300\"\n4,5,0.125\n" },
    { "h.csv", "0,1,name\n1,-2.5,300\n4,5,0.125\n" },
    { "i.csv", "2,2,yes,no\n1,-2.5,300\n4,5,0.125\n" },
    { "j.ARFF",
        "% c\n@RELATION r\n@attribute 'a b' numeric\n@attribute b REAL"
        "\n@attribute c integer\n@data\n1,-2.5,300\n% x\n4,5,0.125\n" }
  };
  for (const auto& file : files)
  {
    INFO(file.first);
    const Table table = LoadTable(scratch.Write(file.first, file.second));
    REQUIRE(table.values.n_rows == 3);
    REQUIRE(table.values.n_cols == 2);
    REQUIRE(arma::approx_equal(table.values, expected, "absdiff", 0.0));
    REQUIRE(table.target.empty());
  }
  REQUIRE(LoadTable(scratch.Path("d.csv")).names[1] == "b, c");
  REQUIRE(LoadTable(scratch.Path("j.ARFF")).names[0] == "a b");
}

TEST_CASE("LinesLongerThanTheBuffer", "[IO]")
{
  const Scratch scratch;
  std::string text;
  const size_t columns = 200000;
  for (size_t line = 0; line < 3; ++line)
    for (size_t i = 0; i < columns; ++i)
      text += std::to_string(i + line) + (i + 1 < columns ? "," : "\n");
  const Table table = LoadTable(scratch.Write("wide.csv", text));
  REQUIRE(table.values.n_rows == columns);
  REQUIRE(table.values.n_cols == 3);
  REQUIRE(table.values(columns - 1, 2) == double(columns + 1));
}

TEST_CASE("TargetColumnsAreSetApart", "[IO]")
{
  const Scratch scratch;
  const std::string path = scratch.Write("t.csv",
      "kind,x,y\nred,1,2\nblue,3,4\n");
  for (const char* name : { "first", "kind", "1" })
  {
    const Table table = LoadTable(path, Target(name));
    REQUIRE(table.target == std::vector<std::string>{ "red", "blue" });
    REQUIRE(table.targetName == "kind");
    REQUIRE(table.names == std::vector<std::string>{ "x", "y" });
    REQUIRE(table.values(1, 1) == 4.0);
  }
  REQUIRE(ErrorOf(path, Target("sort")) ==
      "'" + path + "' has no column 'sort' among its 3.");

  const std::string arff = scratch.Write("t.arff",
      "@relation r\n"
      "@attribute x real\n@attribute class {a, 'b c'}\n@data\n1,a\n2,'b c'\n");
  REQUIRE(LoadTable(arff, Target("last")).target[1] == "b c");
  REQUIRE(ErrorOf(arff) == "'" + arff + "': attribute 'class' is not numeric.");

  // A test file may come with or without the column.
  const std::string bare = scratch.Write("bare.csv", "1,2\n3,4\n");
  REQUIRE(LoadTable(bare, Target("first", 2)).target.empty());
  REQUIRE(LoadTable(path, Target("first", 2)).target.size() == 2);
}

TEST_CASE("BadTablesNameTheirPlace", "[IO]")
{
  const Scratch scratch;
  const auto error = [&](const std::string& text, const std::string& name)
  {
    const std::string path = scratch.Write(name, text);
    std::string message = ErrorOf(path);
    const size_t at = message.find(path);
    REQUIRE(at != std::string::npos);
    return message.replace(at, path.size(), "F");
  };
  REQUIRE(ErrorOf(scratch.Path("none.csv")).find("No such file") !=
      std::string::npos);
  REQUIRE(
      ErrorOf(scratch.Path("")).find("Is a directory") != std::string::npos);
  REQUIRE(error("", "x.csv") == "'F' is empty.");
  REQUIRE(error("\n \n# c\n", "x.csv") == "'F' is empty.");
  REQUIRE(error("a,b\n", "x.csv") == "'F' has a header line but no data.");
  REQUIRE(error("1,2\n3\n", "x.csv") ==
      "'F', line 2: 2 columns expected as in line 1, but 1 found.");
  // 10^12 numbers, if every line were as long as the first: 8 TB.
  std::string wide = "0";
  for (size_t i = 1; i < 1000000; ++i)
    wide += ",0";
  wide += '\n';
  for (size_t i = 1; i < 1000000; ++i)
    wide += "1\n";
  REQUIRE(error(wide, "x.csv") ==
      "'F', line 2: 1000000 columns expected as in line 1, but 1 found.");
  REQUIRE(error("a,b\n1,2\n\n3,4,5\n", "x.csv") ==
      "'F', line 4: 2 columns expected as in line 1, but 3 found.");
  REQUIRE(error("a,b\n1,2\n3,4x\n", "x.csv") ==
      "'F', line 3, column 2 ('b'): '4x' is not a number.");
  REQUIRE(error("1,abc\n3,4\n", "x.csv") ==
      "'F', line 1, column 2: 'abc' is not a number.");
  REQUIRE(error("1,2\n3,nan\n", "x.csv") ==
      "'F', line 2, column 2: 'nan' is not a finite number.");
  REQUIRE(error("1,-Inf\n3,4\n", "x.csv") ==
      "'F', line 1, column 2: '-Inf' is not a finite number.");
  REQUIRE(error("1,1e400\n3,4\n", "x.csv") ==
      "'F', line 1, column 2: '1e400' is not a finite number.");
  REQUIRE(error("1,2\n3,-1e160\n", "x.csv") ==
      "'F', line 2, column 2: '-1e160' is out of range; numbers must be below "
      "1e150 in magnitude.");
  REQUIRE(error("1,\n3,4\n", "x.csv") ==
      "'F', line 1, column 2: the field is empty.");
  REQUIRE(error("1,?\n3,4\n", "x.csv") ==
      "'F', line 1, column 2: '?' is a missing value, which is not supported.");
  REQUIRE(error(std::string("1,2\n3,\0\n", 8), "x.csv") ==
      "'F', line 2: this is not a text file.");
  REQUIRE(error("@relation r\n", "x.arff") == "'F' has no '@data' line.");
  REQUIRE(error("1,2\n", "x.arff").find("'F', line 1: '@relation'") == 0);
  REQUIRE(error("@attribute a real\n@data\n", "x.arff") ==
      "'F' has no data after '@data'.");
  REQUIRE(error("@attribute a\n@data\n", "x.arff") ==
      "'F', line 1: an attribute needs a name and a type.");
}

TEST_CASE("TinyNumbersAreNoErrors", "[IO]")
{
  const Scratch scratch;
  const Table table = LoadTable(scratch.Write("x.csv", "1e-400,5e-324\n"));
  REQUIRE(table.values[0] == 0.0);
  REQUIRE(table.values[1] == std::numeric_limits<double>::denorm_min());
}

TEST_CASE("ResponsesAsRowOrColumn", "[IO]")
{
  const Scratch scratch;
  const std::string row = scratch.Write("row.csv", "1,2,3\n");
  REQUIRE(LoadResponses(row, 3).n_cols == 3);
  REQUIRE(LoadResponses(row).n_rows == 3);
  REQUIRE(LoadResponses(scratch.Write("c.csv", "y\n1\n2\n3\n"), 3).n_cols == 3);
  REQUIRE_THROWS_AS(ToNumbers({ "1", "b" }, "f"), std::invalid_argument);
}

TEST_CASE("WrittenTablesReadBackExactly", "[IO]")
{
  const Scratch scratch;
  arma::mat values(2, 2);
  values(0, 0) = 1.0 / 3.0;
  values(0, 1) = -1e-300;
  values(1, 0) = 12345678.9;
  values(1, 1) = 0.1;
  for (const char* name : { "a.csv", "a.tsv", "a.txt" })
  {
    std::ostringstream text;
    WriteTable(text, name, values, { "u", "v" });
    const Table table = LoadTable(scratch.Write(name, text.str()));
    REQUIRE(table.names == std::vector<std::string>{ "u", "v" });
    REQUIRE(arma::approx_equal(table.values, values, "absdiff", 0.0));
  }
}

TEST_CASE("EveryKindOfLineEnd", "[IO]")
{
  const Scratch scratch;
  const arma::mat expected = { { 1, 3 }, { 2, 4 } };
  for (const char* end : { "\n", "\r\n", "\r" })
  {
    const std::string text = std::string("1,2") + end + "3,4" + end;
    REQUIRE(arma::approx_equal(LoadTable(scratch.Write("t.csv", text)).values,
        expected, "absdiff", 0.0));
    // Across the borders of the reader's buffer.
    std::string labels;
    for (size_t i = 0; i < 100000; ++i)
      labels += "abcd" + std::string(i % 3, 'x') + end;
    REQUIRE(LoadLabels(scratch.Write("l.csv", labels)).size() == 100000);
  }
}

TEST_CASE("QuotedLabelsAreReadBack", "[IO]")
{
  const Scratch scratch;
  const std::vector<std::string> labels = { "plain", "a, b", "say \"no\"",
    "'single'", "\"", " blank ", "#hash", "7 up", "a;b\tc", "d\"\"e" };
  std::string text;
  for (const std::string& label : labels)
    text += QuoteField(label) + "\n";
  REQUIRE(text.rfind("plain\n\"a, b\"\n\"say \"\"no\"\"\"\n", 0) == 0);
  REQUIRE(LoadLabels(scratch.Write("l.csv", text)) == labels);
}

TEST_CASE("ResponsesOutOfRangeAreNamed", "[IO]")
{
  const Scratch scratch;
  DatasetOptions options;
  options.classification = false;
  const std::string path = scratch.Write("r.csv", "1,2\n3,4\n5,1e155\n");
  REQUIRE_THROWS_WITH(LoadDataset(path, options),
      "'" + path +
          "', line 3, column 2: '1e155' is out of range; numbers must be below "
          "1e150 in magnitude.");
}
