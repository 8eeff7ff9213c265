#pragma once

#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "footfall/block/parameters.hpp"
#include "footfall/block/signal.hpp"

namespace footfall {

/// When a block is evaluated.
struct SampleTime {
  enum class Kind { inherited, constant, continuous, discrete };
  Kind kind = Kind::inherited;
  double period = 0.0;  ///< discrete: [s]
  double offset = 0.0;  ///< discrete: of the first hit, below the period [s]

  static SampleTime inherited() { return {}; }                         ///< as fast as the fastest input
  static SampleTime constant() { return {Kind::constant, 0.0, 0.0}; }  ///< once, at the start
  static SampleTime continuous() { return {Kind::continuous, 0.0, 0.0}; }
  static SampleTime discrete(double period, double offset = 0.0) { return {Kind::discrete, period, offset}; }
};

/// What a block shows of itself to a diagram; filled by Block::declare().
struct BlockInterface {
  struct Input {
    std::string name;
    SignalType type;
    bool optional = false;  ///< may stay unconnected
  };
  struct Output {
    std::string name;
    SignalType type;
    /// The inputs that the value at an instant depends on at the same instant (direct feed-through).
    std::vector<int> depends_on;
    int like_input = -1;  ///< has the type of this input, where `type` leaves it open
    int group = -1;       ///< outputs with the same dependencies are evaluated in one call: see Evaluation::group()
  };

  std::vector<Input> inputs;
  std::vector<Output> outputs;
  int discrete_states = 0;    ///< doubles
  int continuous_states = 0;  ///< doubles
  int crossings = 0;          ///< numbers whose change of sign is an event: see Block::crossings()
  bool jumps = false;         ///< its continuous states may jump: see Block::jump()
  SampleTime sample_time;

  // --- for Block::declare(); each returns the number of the port -------------------------------------
  int input(std::string name, SignalType type = SignalType::any());
  int optionalInput(std::string name, SignalType type = SignalType::any());
  /// An output that depends on all inputs declared so far.
  int output(std::string name, SignalType type);
  /// One that depends on some inputs, or on none: {}.
  int output(std::string name, SignalType type, std::vector<int> depends_on);
  /// One that has the type of an input, and depends on all declared so far.
  int outputLike(std::string name, int input);
};

/// Types that are known while a diagram is put together; filled by Block::inferTypes().
class TypeInference {
 public:
  virtual ~TypeInference() = default;
  /// Of what is connected; open where it is not known (yet). An unconnected optional input stays open.
  virtual const SignalType& input(int port) const = 0;
  virtual bool connected(int port) const = 0;
  /// All blocks have said what they know, and types are still open around loops: a block may now assume a type.
  virtual bool stuck() const = 0;
  virtual void setOutput(int port, SignalType type) = 0;
  /// How many states there are, where that follows from types.
  virtual void setDiscreteStates(int count) = 0;
  virtual void setContinuousStates(int count) = 0;
  virtual void setCrossings(int count) = 0;
};

/// What a block remembers beyond numbers. Part of the state of a diagram: copied, saved and restored with it.
class BlockMemory {
 public:
  virtual ~BlockMemory() = default;
  virtual std::unique_ptr<BlockMemory> clone() const = 0;
  virtual void save(std::ostream& out) const = 0;
  virtual void load(std::istream& in) = 0;  ///< throws Error when it does not fit
};

/// What a block needs to work and does not remember: a fresh one gives the same bits.
class BlockScratch {
 public:
  virtual ~BlockScratch() = default;
};

/// One evaluation of one block: its inputs, outputs and states at an instant. Numbers are views into the context.
class Evaluation {
 public:
  double time() const { return time_; }  ///< [s]
  /// Which outputs are asked for: they are numbered by the order in which sets of dependencies were declared.
  int group() const { return group_; }

  bool connected(int input) const { return inputs_[input] != nullptr; }
  /// Does the block at the other end of a line run at this instant? Not when its condition keeps it from running.
  bool sourceRuns(int input) const { return input_runs_[input] == nullptr || *input_runs_[input] != 0; }
  /// Does anybody read this output?
  bool used(int output) const { return used_[output] != 0; }

  double number(int input) const { return *inputs_[input]; }
  bool flag(int input) const { return *inputs_[input] != 0.0; }
  std::span<const double> in(int input) const {
    return {inputs_[input], static_cast<std::size_t>(input_sizes_[input])};
  }
  /// Of what is connected.
  const SignalType& inputType(int input) const { return input_types_[input]; }
  Eigen::Map<const VectorXd> vector(int input) const { return {inputs_[input], input_sizes_[input]}; }

  void set(int output, double value) { *outputs_[output] = value; }
  std::span<double> out(int output) { return {outputs_[output], static_cast<std::size_t>(output_sizes_[output])}; }
  Eigen::Map<VectorXd> outVector(int output) { return {outputs_[output], output_sizes_[output]}; }

  Eigen::Map<VectorXd> discrete() { return {discrete_, discrete_size_}; }
  Eigen::Map<VectorXd> continuous() { return {continuous_, continuous_size_}; }
  Eigen::Map<VectorXd> derivative() { return {derivative_, continuous_size_}; }  ///< in derivatives() only

  template <class T>
  T& memory() {
    return static_cast<T&>(*memory_);
  }
  template <class T>
  T& scratch() {
    return static_cast<T&>(*scratch_);
  }
  /// What the block at the other end of a function port gave; T must be what its signature promises.
  template <class T>
  T& function(int input) {
    return *static_cast<T*>(*functions_[input]);
  }
  /// In Block::provideFunctions(): gives something to the readers of a function port.
  template <class T>
  void provide(int output, T& callable) {
    *provided_[output] = &callable;
  }

  /// Ends the run after this step: something went wrong that is no error of the diagram (a solve that failed).
  void stop(std::string reason);

 private:
  friend class Diagram;
  friend class Context;
  friend class DiagramRun;
  double time_ = 0.0;
  int group_ = 0;
  const double* const* inputs_ = nullptr;
  const int* input_sizes_ = nullptr;
  const SignalType* input_types_ = nullptr;
  double* const* outputs_ = nullptr;
  const int* output_sizes_ = nullptr;
  const char* used_ = nullptr;
  const char* const* input_runs_ = nullptr;
  void* const* const* functions_ = nullptr;
  void** const* provided_ = nullptr;
  double* discrete_ = nullptr;
  double* continuous_ = nullptr;
  double* derivative_ = nullptr;
  int discrete_size_ = 0;
  int continuous_size_ = 0;
  BlockMemory* memory_ = nullptr;
  BlockScratch* scratch_ = nullptr;
  std::string* stop_reason_ = nullptr;
};

/// A part of a diagram. Never changes once it is made: everything that it remembers lives in a Context, so that one
/// block serves many contexts on many threads.
///
///     class Gain : public Block {
///      public:
///       explicit Gain(const Parameters& p) : factor_(p.number("factor")) {}
///       void declare(BlockInterface& io) const override { io.outputLike("out", io.input("in")); }
///       void outputs(Evaluation& e) const override { e.outVector(0) = factor_ * e.vector(0); }
///       …
///
/// At each instant at which a block is due, the diagram calls outputs() (once for each group of outputs, in the order
/// that the dependencies ask for) and, when all blocks have their outputs, update(). Before that, continuous states
/// move on by the rates that derivatives() gives; outputs() of continuous blocks is called at instants in between, too
/// (not that of blocks without outputs, so that a scope sees whole steps only).
class Block {
 public:
  virtual ~Block() = default;

  virtual void declare(BlockInterface& interface) const = 0;
  /// Called, perhaps several times, while types spread through the diagram.
  virtual void inferTypes(TypeInference&) const {}

  virtual std::unique_ptr<BlockMemory> makeMemory() const { return nullptr; }
  virtual std::unique_ptr<BlockScratch> makeScratch() const { return nullptr; }
  /// Hands out what the function ports promise: things that live in memory, scratch or the block itself. Readers are
  /// evaluated after the group of outputs that the port belongs to.
  virtual void provideFunctions(Evaluation&) const {}

  /// Sets states at the start; they are zero before. Inputs and outputs cannot be read yet.
  virtual void initialize(Evaluation&) const {}
  /// Computes the outputs of one group from inputs and states. Must not change states.
  virtual void outputs(Evaluation&) const = 0;
  /// Moves discrete states and memory on: what they will be at the next instant.
  virtual void update(Evaluation&) const {}
  /// Rates of the continuous states.
  virtual void derivatives(Evaluation&) const {}

  /// Numbers that change their sign where outputs or rates are not smooth; as many as declared. The solver `rk45` ends
  /// a step there.
  virtual void crossings(Evaluation&, std::span<double>) const {}
  /// Lets continuous states jump, after the outputs of an instant and before states move on; true when they did:
  /// outputs are computed once more. Only for blocks that declare it. The solver `rk45` asks at crossings, too.
  virtual bool jump(Evaluation&) const { return false; }
};

}  // namespace footfall
