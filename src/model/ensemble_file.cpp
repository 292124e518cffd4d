/**
 * @file src/model/ensemble_file.cpp
 *
 * Ensembles on disk: the files of the members inside a frame.
 */
#include <symvi/io/file.hpp>
#include <symvi/model/ensemble.hpp>
#include <symvi/require.hpp>

#include <sstream>
#include <stdexcept>
#include <utility>

#include "io/binary_file.hpp"
#include "io/container.hpp"
#include "model/pipeline_network.hpp"

namespace symvi {

void Ensemble::Write(std::ostream& stream) const
{
  if (members.size() == 1)
  {
    members.front().Write(stream);
    return;
  }
  std::vector<std::string> files;
  for (const Pipeline& member : members)
  {
    std::ostringstream file;
    member.Write(file);
    files.push_back(file.str());
  }
  io::BinaryWriter writer;
  writer.Texts(files);
  io::WriteContainer(stream, "ensemble", writer.Bytes());
}

void Ensemble::Save(const std::string& path) const
{
  io::AtomicFile file(path);
  Write(file.Stream());
  file.Commit();
}

Ensemble Ensemble::Load(const std::string& path)
{
  std::string kind;
  std::string content = io::LoadContainer(path, { "model", "ensemble" }, kind);
  return (kind == "ensemble") ?
      FromContent(std::move(content), path) :
      FromMembers({ Pipeline::FromContent(std::move(content), path) }, path);
}

Ensemble Ensemble::Read(std::istream& stream, const std::string& source)
{
  std::ostringstream all;
  all << stream.rdbuf();
  std::istringstream bytes(all.str());
  return all.str().rfind("symvi ensemble ", 0) == 0 ?
      FromContent(io::ReadContainer(bytes, source, "ensemble"), source) :
      FromMembers({ Pipeline::Read(bytes, source) }, source);
}

Ensemble Ensemble::FromContent(std::string content, const std::string& source)
{
  io::BinaryReader reader(std::move(content));
  std::vector<std::string> files;
  try
  {
    files = reader.Texts();
    reader.RequireEnd();
  }
  catch (const std::invalid_argument& e)
  {
    RefuseFile(source,
        std::string("is not a whole symvi ensemble file (") + e.what() + ")");
  }
  std::vector<Pipeline> members;
  for (const std::string& file : files)
  {
    std::istringstream stream(file);
    members.push_back(Pipeline::Read(stream, source));
  }
  return FromMembers(std::move(members), source);
}

Ensemble Ensemble::FromMembers(std::vector<Pipeline> members,
    const std::string& source)
{
  try
  {
    return Ensemble(std::move(members));
  }
  catch (const std::invalid_argument& e)
  {
    throw std::invalid_argument("'" + source + "': " + e.what());
  }
}

} // namespace symvi
