/**
 * @file pipeline.cpp
 *
 * What symvi_bnn does, in C++: load a model, or train one if there is none,
 * save it and predict.
 *
 *   usage: symvi_cli_pipeline MODEL|"" TABLE OUTPUT_MODEL PROBABILITIES
 */
#include <symvi/io/file.hpp>
#include <symvi/io/table.hpp>
#include <symvi/model/pipeline.hpp>

#include <string>

int main(int, char** argv)
{
  const symvi::io::Dataset data = symvi::io::LoadDataset(argv[2],
      symvi::io::DatasetOptions());
  symvi::NetworkSpec spec;
  spec.hidden = { 6 };
  symvi::Pipeline model(spec);
  if (std::string(argv[1]).empty())
    model.Fit(data, symvi::FitOptions().Epochs(20).Validation(0.2).Seed(7));
  else
    model = symvi::Pipeline::Load(argv[1]);
  model.Save(argv[3]);

  symvi::io::AtomicFile file(argv[4]);
  symvi::io::WriteTable(file.Stream(), argv[4],
      model.Classify(data.points, symvi::PredictOptions(1000, model.Seed()))
          .probabilities);
  file.Commit();
}
