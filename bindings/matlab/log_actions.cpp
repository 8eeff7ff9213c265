// What footfall.Log asks for.

#include "footfall/log/log_reader.hpp"
#include "mex_call.hpp"

namespace footfall::matlab {
namespace {

Handles<LogReader>& logs() {
  static Handles<LogReader> all("footfall.Log");
  return all;
}

LogReader& logOf(const Call& call) { return logs().get(call.argument(0)); }

mxArray* open(const Call& call) { return logs().add(openLog(toText(call.argument(0), "log"))); }

mxArray* close(const Call& call) {
  logs().close(call.argument(0));
  return nullptr;
}

mxArray* info(const Call& call) {
  const LogReader& log = logOf(call);
  std::vector<std::string> channels, units, keys, notes;
  for (const Channel& channel : log.channels()) channels.push_back(channel.name);
  for (std::size_t i = 0; i < log.columns().size(); ++i) units.push_back(log.unit(static_cast<int>(i)));
  for (const auto& [key, value] : log.notes()) {
    keys.push_back(key);
    notes.push_back(value);
  }
  const VectorXd times = Eigen::Map<const VectorXd>(log.times().data(), static_cast<Eigen::Index>(log.times().size()));
  return StructBuilder()
      .add("columns", fromTexts(log.columns()))
      .add("units", fromTexts(units))
      .add("channels", fromTexts(channels))
      .add("note_names", fromTexts(keys))
      .add("notes", fromTexts(notes))
      .add("damage", fromText(log.damage()))
      .add("time", fromVector(times))
      .get();
}

/// read(handle, name): a channel, a column or a pattern; a row for each row of the log.
mxArray* read(const Call& call) {
  const LogReader& log = logOf(call);
  const std::vector<int> columns = log.matchingColumns(toText(call.argument(1), "name"));
  const std::vector<double> values = log.read(columns, {0, log.rows()});
  return fromMatrix(Eigen::Map<const MatrixXd>(values.data(), static_cast<Eigen::Index>(log.rows()),
                                               static_cast<Eigen::Index>(columns.size())));
}

}  // namespace

Actions logActions() { return {{"log.open", open}, {"log.close", close}, {"log.info", info}, {"log.read", read}}; }

}  // namespace footfall::matlab
