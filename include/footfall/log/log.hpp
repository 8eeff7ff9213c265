#pragma once

#include <string>
#include <utility>
#include <vector>

#include "footfall/base/error.hpp"
#include "footfall/spatial/pose.hpp"

namespace footfall {

/// The log cannot be written, or not any further.
class LogError : public Error {
  using Error::Error;
};

/// One quantity of a log: its columns are `name [unit]`, or `name.component [unit]` for each component.
struct Channel {
  std::string name;                     ///< "l_sole.force"
  std::string unit;                     ///< "N"; "-" for plain numbers
  std::vector<std::string> components;  ///< "x", "y", "z"; empty: a single number

  int size() const { return components.empty() ? 1 : static_cast<int>(components.size()); }
};

/// Names of the columns, in the order of the file.
std::vector<std::string> columnNames(const std::vector<Channel>& channels);

/// The place of a channel in the rows; given by Log::add().
struct ChannelHandle {
  int first = -1;  ///< column
  int size = 0;    ///< number of columns
};

/// A table that grows by rows of numbers, with a unit for every column. Knows no robot.
///
///     CsvLog log("run.csv");
///     const ChannelHandle time = log.add({"time", "s", {}});
///     log.begin();
///     log.set(time, 0.25);
///     log.endRow();
///     log.close();   // throws when the last rows cannot be written; a destructor could not
class Log {
 public:
  virtual ~Log() = default;

  /// Before begin(): a line about the whole log, such as the version of the program.
  void note(const std::string& key, const std::string& value) { notes_.emplace_back(key, value); }
  /// Before begin(): one more channel. The first one should be the time: messages name rows by it.
  ChannelHandle add(Channel channel);
  /// Writes the header; throws LogError when nothing can be written.
  void begin();

  void set(ChannelHandle channel, double value);
  void set(ChannelHandle channel, const Eigen::Ref<const VectorXd>& values);
  /// Ends a row: what was not set in it stays empty. Throws LogError when rows cannot be written.
  void endRow();

  /// Hands everything to the operating system.
  virtual void flush() = 0;
  /// Flushes, and makes sure that it worked. Nothing can be written afterwards.
  virtual void close() = 0;

  const std::vector<Channel>& channels() const { return channels_; }

 protected:
  using Notes = std::vector<std::pair<std::string, std::string>>;
  virtual void writeHeader(const Notes& notes, const std::vector<Channel>& channels) = 0;
  /// Values that are not a number were not set.
  virtual void writeRow(const std::vector<double>& values) = 0;

 private:
  Notes notes_;
  std::vector<Channel> channels_;
  std::vector<double> row_;
};

}  // namespace footfall
