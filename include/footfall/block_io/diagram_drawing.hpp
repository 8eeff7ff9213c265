#pragma once

#include <string>
#include <vector>

#include "footfall/block/diagram.hpp"

namespace footfall {

/// A block diagram laid out for the eye: blocks from left to right as signals flow, lines at right angles, feedback
/// around below, sub-diagrams as frames. Coordinates are pixels, y points down.
struct DiagramDrawing {
  struct Point {
    double x = 0.0, y = 0.0;
  };
  struct Port {
    std::string name;  ///< "torque", or "state.nu" for a field of a bus
    Point at;          ///< on the edge of the block
    bool connected = false;
  };
  struct Block {
    std::string path, name, kind, category;
    std::string sample;  ///< "10 ms", "continuous", "constant"
    int rate = 0;        ///< number of its sample time in `rates`
    double x = 0.0, y = 0.0, width = 0.0, height = 0.0;
    std::vector<Port> inputs, outputs;
  };
  /// A sub-diagram.
  struct Frame {
    std::string path, name, kind;
    double x = 0.0, y = 0.0, width = 0.0, height = 0.0;
    int depth = 0;  ///< 1: in the diagram itself
  };
  /// Where a signal enters or leaves the diagram or a frame.
  struct Pin {
    std::string name;
    Point at;  ///< on the border
    double width = 0.0;
    bool input = true;
  };
  struct Line {
    std::string source, target;  ///< "robot.state", "controller.state"
    std::string label;           ///< "23 · N m"; empty where another line of the same signal carries it
    int rate = 0;
    bool feedback = false;
    std::vector<Point> points;
    std::vector<Point> junctions;
    bool arrives = true;  ///< ends at a block, with an arrow
    double room = 0.0;    ///< for a text above it where it leaves a block; 0: another line carries it [px]
  };

  std::string title, subtitle;
  double width = 0.0, height = 0.0;
  std::vector<Block> blocks;
  std::vector<Frame> frames;
  std::vector<Pin> pins;
  std::vector<Line> lines;
  std::vector<std::string> rates;       ///< sample times that occur, fastest first
  std::vector<std::string> categories;  ///< that occur
};

/// For drawings into which something is written later: values while the diagram runs.
struct DrawingRoom {
  double line = 0.0;   ///< above a line where it leaves a block [px]
  double block = 0.0;  ///< beside the name of a block [px]
  /// Ports that are not connected share one row below the others: for those who write what is there themselves.
  bool fold_idle = false;
};

/// `registry` says which category each kind of block belongs to.
DiagramDrawing drawDiagram(const Diagram& diagram, const BlockRegistry& registry, const std::string& title = {},
                           const std::string& subtitle = {}, const DrawingRoom& room = {});

std::string toSvg(const DiagramDrawing& drawing);
/// The same as data: blocks, frames, pins and lines with their coordinates.
std::string toJson(const DiagramDrawing& drawing);

}  // namespace footfall
