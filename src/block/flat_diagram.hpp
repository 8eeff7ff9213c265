#pragma once

#include <optional>
#include <string>
#include <vector>

#include "footfall/base/error.hpp"
#include "footfall/block/diagram.hpp"

namespace footfall {

// A diagram whose sub-diagrams have been opened: blocks by number, and the source of each input.

/// An output of a block, an input of the whole diagram (block −1), or a field of one of these.
struct FlatSource {
  int block = -1;
  int port = -1;
  std::string field;  ///< of a bus; empty: the whole
};

struct FlatInput {
  std::optional<FlatSource> source;
  std::string where;  ///< of the line
};

struct FlatBlock {
  Diagram::BlockInfo info;
  std::vector<FlatInput> inputs;  ///< one for each of info.interface.inputs
  int gate = -1;                  ///< the innermost condition under which it runs; −1: always
};

/// The condition of a block or sub-diagram.
struct FlatGate {
  std::string path;  ///< of the block or sub-diagram
  RunCondition condition;
  FlatSource source;
  int parent = -1;  ///< that of a sub-diagram around it
};

struct FlatOutput {
  std::string name;
  FlatSource source;
  std::string where;
};

/// A line into a sub-diagram, whose input asks for a type of its own.
struct FlatCrossing {
  FlatSource source;
  std::string input;  ///< "legs.torque"
  SignalType wanted;
  std::string where;
};

/// A port of a sub-diagram; only of diagrams that are not finished, for those who draw them.
struct FlatPort {
  std::size_t subdiagram;  ///< number of it
  bool input;
  std::string name;
  SignalType wanted;                 ///< of an input
  std::optional<FlatSource> source;  ///< none: nothing is connected
};

struct FlatDiagram {
  std::vector<FlatBlock> blocks;
  std::vector<FlatGate> gates;
  std::vector<FlatCrossing> crossings;
  std::vector<Diagram::Port> inputs;
  std::vector<FlatOutput> outputs;
  std::vector<FlatOutput> inner_outputs;  ///< of sub-diagrams, by path: "legs.left.torque"
  std::vector<Diagram::SubdiagramInfo> subdiagrams;
  std::vector<FlatPort> ports;  ///< of the sub-diagrams

  const SignalType& typeOf(int block, int port) const {
    return block < 0 ? inputs[port].type : blocks[block].info.interface.outputs[port].type;
  }
  /// Of the signal or the field of it.
  SignalPart partOf(const FlatSource& source) const {
    return findField(typeOf(source.block, source.port), source.field);
  }
  std::string nameOf(const FlatSource& source) const;
  std::string inputName(int block, int port) const {
    return blocks[block].info.path + "." + blocks[block].info.interface.inputs[port].name;
  }
};

/// What a builder holds.
struct DiagramBuilder::Parts {
  struct Node {
    std::string name, kind, where;
    std::shared_ptr<const Block> block;            ///< null: a sub-diagram
    std::shared_ptr<const DiagramBuilder> inside;  ///< null: a block
    std::optional<SampleTime> sample_time;
    std::optional<RunCondition> condition;
  };
  struct Connection {
    std::string source, input, where;
  };
  /// A name for a signal.
  struct Tag {
    std::string name, source, where;
  };
  struct Input {
    Diagram::Port port;
    std::string where;
  };
  struct Output {
    std::string name, source, where;
  };

  std::vector<Node> nodes;
  std::vector<Connection> connections;
  std::vector<Tag> tags;
  std::vector<Input> inputs;
  std::vector<Output> outputs;

  const Node* find(const std::string& name) const;
  Node& require(const std::string& name);  ///< throws Error when there is none
};

/// Opens the sub-diagrams and finds the source of every input; throws Error for names that do not exist, inputs without
/// source, and inputs with two.
FlatDiagram flatten(const DiagramBuilder::Parts& root);

/// Throws Error at `where` for an input of the diagram whose size nothing says.
void checkComplete(const Diagram::Port& input, const std::string& where);

/// Spreads types along the lines until all are known, and checks that they fit; throws Error that names both ends.
void inferTypes(FlatDiagram& diagram);

/// The same for a diagram that is not finished: what would be thrown is noted, and the rest is done all the same. Ports
/// of sub-diagrams are found before the types are: see FlatPort.
FlatDiagram flatten(const DiagramBuilder::Parts& root, std::vector<Error>& problems);
void inferTypes(FlatDiagram& diagram, std::vector<Error>& problems);

/// Gives every block a sample time of its own; throws Error for a period that is no multiple of the step.
void resolveSampleTimes(FlatDiagram& diagram, double step);

/// A set of outputs of a block that are evaluated in one call, or a gate that is decided about (block −1).
struct ScheduleEntry {
  int block = -1;
  int group = 0;  ///< of a block's outputs; or the number of the gate
  int loop = -1;  ///< the algebraic loop that it belongs to; its entries follow each other
};

/// Values that need themselves at the same instant.
struct FlatLoop {
  std::vector<FlatSource> unknowns;  ///< with these known, its entries can be evaluated one after the other
  std::string name;                  ///< of its blocks: "gain, sum"
  std::string where;
};

struct Schedule {
  std::vector<ScheduleEntry> entries;
  std::vector<FlatLoop> loops;
};

/// An order in which every output comes after what it depends on; throws Error with the whole path of a cycle, unless
/// loops are to be solved.
Schedule orderOfEvaluation(const FlatDiagram& diagram, bool solve_loops);

}  // namespace footfall
