#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "block_io/layered_layout.hpp"
#include "footfall/block_io/diagram_drawing.hpp"

namespace footfall {

/// A signal of a diagram and everybody who reads it, through all sub-diagrams.
struct DiagramNet {
  struct Reader {
    int block, port;  ///< block −1: an output of the diagram
  };
  int block = -1;  ///< −1: an input of the diagram
  int port = 0;
  std::string field;
  std::vector<Reader> readers;
};

std::vector<DiagramNet> netsOf(const Diagram& diagram);

/// An output of a block as it is drawn: a port, or a field of it that somebody reads.
struct OutputRow {
  int port = 0;
  std::string field;
  bool used = false;
};
std::vector<OutputRow> outputRows(const Diagram& diagram, const std::vector<DiagramNet>& nets, int block);

/// A diagram or one of its sub-diagrams, laid out: a graph of blocks, sub-diagrams and pins on the border.
struct DiagramLevel {
  struct Node {
    enum class Kind { block, inside, input, output };
    Kind kind = Kind::block;
    int number = 0;    ///< of the block, or of the net that the pin belongs to
    std::string name;  ///< of the sub-diagram or the pin
  };

  std::string path;                                              ///< "legs.left"; empty: the diagram itself
  LayeredGraph graph;                                            ///< laid out; its origin is the inside of the frame
  std::vector<Node> nodes;                                       ///< of the graph
  std::vector<int> nets;                                         ///< numbers of the nets of the graph
  std::map<std::string, std::unique_ptr<DiagramLevel>> insides;  ///< by name

  /// Number of the pin of a net among the inputs or outputs, from above; −1: there is none.
  int pin(Node::Kind kind, int net) const;
};

/// Lays out everything below a path.
std::unique_ptr<DiagramLevel> layOutLevel(const Diagram& diagram, const std::vector<DiagramNet>& nets,
                                          const std::string& path, const DrawingRoom& room);

/// Does a line lead to this input?
bool hasSource(const Diagram& diagram, int block, int port);

/// "Gain", or "Gain, when contact.out": what a block or frame is, and when it runs.
std::string kindText(const std::string& kind, const std::string& condition);
/// The sub-diagram at a path.
const Diagram::SubdiagramInfo& subdiagramAt(const Diagram& diagram, const std::string& path);

/// The text above a line where it leaves a block.
std::string labelOf(const Diagram& diagram, const DiagramNet& net);

}  // namespace footfall
