#pragma once

#include <memory>
#include <string>
#include <vector>

#include "footfall/block/diagram.hpp"
#include "footfall/log/log.hpp"

namespace footfall::command {

/// Signals of a diagram as channels of a log: each field of a bus is one.
class SignalChannels {
 public:
  /// Adds the channels to a log that has not begun. Throws Error with the nearest names for a signal that is not there.
  SignalChannels(const std::vector<std::string>& signals, const Context& context, Log& log);

  /// Into the row of the log.
  void set(Log& log) const;

 private:
  void add(const std::string& name, const SignalType& type, const double* values, Log& log);

  struct Entry {
    ChannelHandle channel;
    Eigen::Map<const VectorXd> values;  ///< in the context
  };
  std::vector<Entry> entries_;
};

/// The signals that a log holds: what the file asks for, behind what the robot shows. Without both: outputs of the
/// diagram, or else of all its blocks.
std::vector<std::string> loggedSignals(const Diagram& diagram, const std::vector<std::string>& asked);

/// Path of the robot of a diagram; empty: it has none.
std::string robotOf(const Diagram& diagram);

}  // namespace footfall::command
