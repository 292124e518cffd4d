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
  std::vector<Pipeline> members;
  std::string kind;
  std::string content = io::LoadContainer(path, { "model", "ensemble" }, kind);
  if (kind == "model")
    members.push_back(Pipeline::FromContent(std::move(content), path));
  else
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
      RefuseFile(path,
          std::string("is not a whole symvi ensemble file (") + e.what() + ")");
    }
    for (const std::string& file : files)
    {
      std::istringstream stream(file);
      members.push_back(Pipeline::Read(stream, path));
    }
  }
  try
  {
    return Ensemble(std::move(members));
  }
  catch (const std::invalid_argument& e)
  {
    throw std::invalid_argument("'" + path + "': " + e.what());
  }
}

} // namespace symvi
