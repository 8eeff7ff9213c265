#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "footfall/block/block.hpp"
#include "footfall/block/registry.hpp"

namespace footfall {

/// How a diagram is run.
struct DiagramSettings {
  double step = 1e-3;  ///< base step: every discrete period is a multiple of it [s]
  /// Of continuous states: `rk4`, `euler`, or `rk45`, which chooses steps inside of the base step.
  std::string solver = "rk4";
  double tolerance = 1e-6;   ///< of rk45: largest error of a state in one of its steps, of max(1, |state|)
  bool solve_loops = false;  ///< solve algebraic loops by Newton's method; else they are refused
};

/// When a block or a sub-diagram runs; at all other instants its states and outputs stay as they are.
struct RunCondition {
  enum class Kind { is_true, is_false, rises, falls, changes };
  Kind kind = Kind::is_true;
  std::string source;    ///< a signal of the diagram around it: a flag, or a number (true unless it is 0)
  bool restart = false;  ///< its states are set to their start when it begins to run
  bool clear = false;    ///< its outputs are set to zero when it ends
  std::string where;     ///< its place in a file, for errors

  std::string describe() const;  ///< "when contact.out rises"

  /// What files and bindings call the kinds: is, not, rises, falls, changes.
  static const std::vector<std::pair<std::string, Kind>>& words();
  static std::optional<Kind> kindOf(const std::string& word);
};

/// Puts blocks and connections together; build() checks everything and gives the diagram.
///
///     DiagramBuilder b;
///     b.add("sine", registry.make("Sine", {{"amplitude", 2.0}}));
///     b.add("gain", registry.make("Gain", {{"factor", 3.0}}));
///     b.connect("sine.out", "gain.in");
///     const Diagram diagram = b.build({.step = 1e-3});
class DiagramBuilder {
 public:
  DiagramBuilder();
  ~DiagramBuilder();
  DiagramBuilder(DiagramBuilder&&) noexcept;
  DiagramBuilder& operator=(DiagramBuilder&&) noexcept;

  /// Adds a block. `where` is its place in a file, for errors; `kind` is the name of its kind, for drawings.
  void add(const std::string& name, std::shared_ptr<const Block> block, std::string kind = {}, std::string where = {});
  /// Overrides the sample time that the block declares.
  void setSampleTime(const std::string& name, SampleTime sample_time);

  /// Lets a block or a sub-diagram, with all that is in it, run only at times.
  void setCondition(const std::string& name, RunCondition condition);

  /// Adds a block or a sub-diagram of the registry.
  void add(const std::string& name, const BlockRegistry& registry, const std::string& kind, Parameters parameters = {});
  /// Adds a sub-diagram that has been filled by hand.
  void add(const std::string& name, DiagramBuilder inside, std::string kind = {}, std::string where = {});

  /// Ports of the diagram itself; for a sub-diagram, those that the diagram around it connects.
  void input(const std::string& name, SignalType type, std::string where = {});
  void output(const std::string& name, const std::string& source, std::string where = {});

  /// From "block.port", "block.bus_port.field" or the name of an input of this diagram, to "block.port". Where a block
  /// has one output or input, its name is enough. A source may feed many inputs; an input has one source.
  /// "<tag>" in place of an input names the source; in place of a source it means what was named so, in this diagram or
  /// in one around it.
  void connect(const std::string& source, const std::string& input, std::string where = {});

  /// Throws Error that names the blocks: a cycle without delay, an input without source or with two, types, sizes or
  /// units that do not fit, unknown names, periods that are no multiples of the step.
  class Diagram build(const DiagramSettings& settings = {}) const;

  struct Parts;
  const Parts& parts() const { return *parts_; }

 private:
  std::unique_ptr<Parts> parts_;
};

class Context;

/// For each evaluation while a diagram runs; see Diagram::step(). Off (null) by default.
class DiagramObserver {
 public:
  enum class Phase { outputs, update, derivatives };
  virtual ~DiagramObserver() = default;
  virtual void begin(int block, Phase phase) = 0;
  virtual void end(int block, Phase phase) = 0;
};

/// Blocks, connections and the order of evaluation. Never changes: any number of contexts and threads may use it.
class Diagram {
 public:
  struct Line {
    int source_block, source_port;  ///< source_block −1: an input of the diagram
    std::string field;              ///< of a bus; empty: the whole
    int block, port;                ///< where it goes; block −1: to an output of the diagram
  };
  struct BlockInfo {
    std::string path;  ///< "controller.gain": through the sub-diagrams
    std::string kind;  ///< "Gain"
    std::string where;
    std::shared_ptr<const Block> block;
    BlockInterface interface;  ///< types inferred
    SampleTime sample_time;    ///< resolved: never inherited
    std::string condition;     ///< of its own, as text: "when contact.out rises"; empty: none
  };
  struct Port {
    std::string name;
    SignalType type;
  };
  struct SubdiagramInfo {
    std::string path, kind;
    std::string condition;  ///< as that of a block
  };

  Diagram(Diagram&&) noexcept;
  Diagram& operator=(Diagram&&) noexcept;
  ~Diagram();

  const DiagramSettings& settings() const;
  const std::vector<BlockInfo>& blocks() const;
  const std::vector<Line>& lines() const;
  const std::vector<SubdiagramInfo>& subdiagrams() const;
  const std::vector<Port>& inputs() const;
  const std::vector<Port>& outputs() const;
  /// Numbers of the blocks in the order in which they are evaluated; one that has several groups comes several times.
  std::vector<int> order() const;
  int block(const std::string& path) const;      ///< throws Error with the nearest names
  std::string signalOf(const Line& line) const;  ///< its name for Context::signal(): "robot.q", "plan.plan.phase"

  /// All states at their start, time 0.
  Context makeContext() const;

  /// One base step: outputs at the present instant, then states and time move on. Afterwards signals belong to
  /// context.signalTime(), states to context.time(). Allocates nothing. False when a block has stopped the run (see
  /// Context::stopReason()): the states then stay as they were.
  bool step(Context& context, DiagramObserver* observer = nullptr) const;
  /// Only the outputs at the present instant: what step() would begin with.
  void evaluate(Context& context, DiagramObserver* observer = nullptr) const;
  /// Rates of all continuous states at the present instant, block after block.
  VectorXd rates(Context& context) const;

  struct Parts;

 private:
  friend class DiagramBuilder;
  explicit Diagram(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

/// All that a running diagram remembers: states, signals, time. Copy it, save it, restore it: the run goes on bit for
/// bit. The diagram must outlive it.
class Context {
 public:
  Context(const Context&);
  Context& operator=(const Context&);
  Context(Context&&) noexcept;
  Context& operator=(Context&&) noexcept;
  ~Context();

  double time() const;                    ///< of the states [s]
  double signalTime() const;              ///< of the signals [s]
  std::int64_t ticks() const;             ///< base steps since the start
  const std::string& stopReason() const;  ///< empty while all is well

  /// "block.port", "block.port.field", or an output of the diagram. Looks into the context: stays valid.
  Eigen::Map<const VectorXd> signal(const std::string& path) const;
  SignalType signalType(const std::string& path) const;
  /// An input of the diagram; kept until changed.
  void setInput(const std::string& name, const Eigen::Ref<const VectorXd>& values);
  void setInput(const std::string& name, double value);

  BlockMemory* memory(int block);    ///< null: it has none
  BlockScratch* scratch(int block);  ///< null: it has none
  Eigen::Map<VectorXd> discreteState(int block);
  Eigen::Map<VectorXd> continuousState(int block);

  /// Moves the clock to the instant that is nearest; states stay as they are [s].
  void setTime(double time);
  /// Goes on where the context of a similar diagram is: takes its time, and all that blocks of the same path and kind
  /// remember, where that fits. Other blocks stay as they are.
  void takeOver(const Context& other);

  /// Binary, exact to the last bit. `load` throws Error when it belongs to another diagram.
  void save(std::ostream& out) const;
  void load(std::istream& in, const std::string& source_name);

  struct Parts;

 private:
  friend class Diagram;
  explicit Context(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace footfall
