#pragma once

#include <map>
#include <string>
#include <vector>

#include "footfall/block/diagram.hpp"
#include "footfall/record/run_recorder.hpp"

namespace footfall {

/// Signals of a diagram as channels of a log: each field of a bus is one. They are called as in the diagram; a signal
/// whose name the log has already gets "diagram." in front.
class SignalChannels : public MoreChannels {
 public:
  struct Options {
    std::string group = "diagram";  ///< bus of the log that they belong to
    int most = 1 << 30;             ///< numbers of each signal that are kept
  };
  /// The context must outlive them. Throws Error with the nearest names for a signal that is not there.
  SignalChannels(const Context& context, const std::vector<std::string>& signals, Options options);
  SignalChannels(const Context& context, const std::vector<std::string>& signals)
      : SignalChannels(context, signals, {}) {}

  void addTo(Log& log) override;
  void set(Log& log) const override;

  /// By signal: what its channels were called when they were added.
  const std::map<std::string, std::vector<std::string>>& names() const { return names_; }

 private:
  void add(const std::string& name, const SignalType& type, const double* values, int left, Log& log);

  struct Entry {
    ChannelHandle channel;
    Eigen::Map<const VectorXd> values;  ///< in the context
  };
  const Context& context_;
  std::vector<std::string> signals_;
  Options options_;
  std::vector<Entry> entries_;
  std::map<std::string, std::vector<std::string>> names_;
};

/// By path: the signals that each block Scope sees, in the order of its inputs.
std::map<std::string, std::vector<std::string>> scopeSignals(const Diagram& diagram);

/// What the file asks for, and what its scopes see.
std::vector<std::string> askedSignals(const Diagram& diagram, const std::vector<std::string>& asked);

/// The signals that the log of a diagram without robot holds: what the file asks for, or else the outputs of the
/// diagram, or else those of all its blocks; and what its scopes see.
std::vector<std::string> loggedSignals(const Diagram& diagram, const std::vector<std::string>& asked);

/// All signals that a context can be asked for by name: inputs, what blocks give, and fields that travel along lines.
std::vector<std::string> allSignals(const Diagram& diagram);

/// The signals that travel along the lines of a diagram: "robot.q", "controller.plan.phase".
std::vector<std::string> signalsOnLines(const Diagram& diagram);

}  // namespace footfall
