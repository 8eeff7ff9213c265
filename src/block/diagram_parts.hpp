#pragma once

#include <Eigen/LU>
#include <cstdint>
#include <string>
#include <vector>

#include "footfall/base/step_time.hpp"
#include "footfall/block/diagram.hpp"

namespace footfall {

/// Everything about a diagram that does not change while it runs, laid out for running: ports, states and signals have
/// places in flat arrays, and each context holds one such array.
struct Diagram::Parts {
  /// First places of a block's ports and states in the flat arrays.
  struct Layout {
    int input = 0, output = 0, discrete = 0, continuous = 0;
  };
  /// When something is due, in base steps.
  struct Rate {
    std::int64_t period = 1;  ///< 0: only at the very start
    std::int64_t offset = 0;

    bool due(std::int64_t tick) const {
      if (period == 1) return true;
      if (period == 0) return tick == 0;
      return tick >= offset && (tick - offset) % period == 0;
    }
  };
  struct Entry {
    int block, group, rate;
    int gate = -1;  ///< runs only while this one is open; −1: always
    int loop = -1;  ///< the algebraic loop that it is a part of
  };
  /// The condition of a block or sub-diagram.
  struct Gate {
    std::string path;
    RunCondition::Kind kind;
    bool restart, clear;
    int parent;                ///< −1: none
    int source;                ///< place in the signals
    std::vector<int> members;  ///< blocks that it switches, through all sub-diagrams
  };
  /// Entries that are solved together.
  struct Loop {
    struct Unknown {
      int offset, size;  ///< in the signals
    };
    std::string name, where;
    std::vector<Unknown> unknowns;
    int size = 0;  ///< doubles of all unknowns
  };
  struct Output {
    Port port;
    int offset;  ///< in the signals
  };

  DiagramSettings settings;
  std::vector<BlockInfo> blocks;
  std::vector<Line> lines;
  std::vector<SubdiagramInfo> subdiagrams;
  std::vector<Port> inputs, output_ports;
  /// Outputs of sub-diagrams, and the signals that they are: "leg.torque" is "leg.gain.out".
  std::vector<std::pair<std::string, std::string>> other_names;

  std::vector<Layout> layouts;  ///< one for each block
  // One for each input port of all blocks.
  std::vector<int> input_offsets;  ///< in the signals; −1: not connected
  std::vector<int> input_sizes;    ///< doubles
  std::vector<SignalType> input_types;
  std::vector<int> input_slots;  ///< output port that gives a function; −1: none
  // One for each output port of all blocks.
  std::vector<int> output_offsets;
  std::vector<int> output_sizes;
  std::vector<char> used;  ///< somebody reads it

  std::vector<int> diagram_input_offsets;  ///< in the signals, one for each input of the diagram
  std::vector<int> diagram_output_offsets;
  int signals = 0, discrete = 0, continuous = 0;  ///< doubles in each context

  std::vector<Rate> rates;
  std::vector<Entry> entries;        ///< outputs, in the order of evaluation
  std::vector<Entry> minor_entries;  ///< those of continuous blocks
  std::vector<Entry> updates;        ///< one for each block
  std::vector<int> derivatives;      ///< blocks with continuous states
  std::vector<int> jumps;            ///< blocks whose continuous states may jump
  std::vector<int> crossings;        ///< blocks that know where something is not smooth
  std::vector<int> block_gates;      ///< one for each block; −1: none
  std::vector<int> input_gates;      ///< one for each input port: that of its source
  std::vector<Gate> gates;
  std::vector<Loop> loops;
  int gate_states = 0;  ///< place in the discrete states: GateState of each gate
  int substep = -1;     ///< place in the discrete states: the step that rk45 tries next; −1: another solver

  /// Place and type of "block.port.field", or of an input or output of the diagram or of a sub-diagram. The port may be
  /// left out where a line may leave it out.
  SignalPart find(const std::string& path) const;
  /// The output of a block or sub-diagram that is meant when none is named; empty: there is no such one.
  std::string onlyOutput(const std::string& path) const;
  std::string fingerprint() const;  ///< the same for the same blocks and sizes
};

/// What a gate remembers between two instants.
struct GateState {
  static constexpr int kSize = 2;
  double& ran;       ///< 1: it was open
  double& previous;  ///< what its source was; no number: there was no instant before
};

/// Of an algebraic loop.
struct LoopScratch {
  explicit LoopScratch(int size) : at(size), defect(size), trial(size), step(size), slope(size, size), factors(size) {}
  VectorXd at, defect, trial, step;
  MatrixXd slope;
  Eigen::PartialPivLU<MatrixXd> factors;
};

struct Context::Parts {
  explicit Parts(const Diagram::Parts& diagram);

  const Diagram::Parts& diagram;
  std::int64_t tick = 0;
  std::int64_t signal_tick = 0;
  bool outputs_valid = false;  ///< signals belong to the present states and inputs
  std::string stop_reason;

  std::vector<double> signals, discrete, continuous;
  std::vector<std::unique_ptr<BlockMemory>> memories;
  std::vector<std::unique_ptr<BlockScratch>> scratches;
  std::vector<Diagram::Parts::Entry> updates;  ///< of the blocks that may have something to update

  // Scratch of the scheduler.
  std::vector<char> due;   ///< one for each rate
  std::vector<char> open;  ///< one for each gate
  std::vector<const char*> input_runs;
  std::vector<LoopScratch> loops;
  std::vector<std::vector<double>> slopes;  ///< of the stages of rk45
  std::vector<double> crossings_before, crossings_now;
  std::vector<double> derivative, kept_signals, start, slope;
  std::vector<const double*> input_pointers;
  std::vector<double*> output_pointers;
  std::vector<void*> slots;  ///< what function ports gave, one for each output port
  std::vector<void**> output_slots;
  std::vector<void* const*> input_slots;
  std::vector<Evaluation> evaluations;  ///< one for each block

  GateState gateState(int gate) {
    double* place = discrete.data() + diagram.gate_states + gate * GateState::kSize;
    return {place[0], place[1]};
  }
  /// Sets everything that a block remembers to its start.
  void restart(int block);
  double timeOf(std::int64_t ticks) const { return stepTime(ticks, diagram.settings.step); }
  /// Makes the blocks' views point into this context, and gathers the functions that blocks give to one another.
  void bind();
  /// What a block of another context remembers, where it fits.
  void takeOver(std::size_t block, Parts& other, std::size_t other_block);
};

}  // namespace footfall
