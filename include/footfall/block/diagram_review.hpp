#pragma once

#include <string>
#include <vector>

#include "footfall/base/error.hpp"
#include "footfall/block/diagram.hpp"

namespace footfall {

/// What is known about a diagram that is still being drawn: ports with the types that follow from the lines that are
/// there, and everything that is wrong with it. DiagramBuilder::build() stops at the first of these problems; it may
/// find others (loops, sample times) when there are none.
struct DiagramReview {
  struct Port {
    std::string name;
    SignalType type;  ///< open where it is not known yet
    bool optional = false;
    bool connected = false;  ///< an input that has a source
  };
  /// A block or a sub-diagram.
  struct Node {
    std::string path, kind;
    std::vector<Port> inputs, outputs;
  };

  std::vector<Node> nodes;
  std::vector<Error> problems;
};

DiagramReview reviewDiagram(const DiagramBuilder& builder);

}  // namespace footfall
