#pragma once

#include <vector>

namespace footfall {

// A layered drawing of a graph whose nodes have ports: inputs on the left side, outputs on the right. Layers follow
// the longest path from the sources; lines that lead backwards run around below; crossings are reduced by barycentres;
// all lines are orthogonal, with a track of their own between the layers. Knows no blocks.

struct LayoutPoint {
  double x = 0.0, y = 0.0;  ///< y points down [px]
};

struct LayoutNode {
  enum class Place { free, first, last };  ///< first, last: a pin on the left or right border

  double width = 0.0, height = 0.0;     ///< [px]
  std::vector<double> inputs, outputs;  ///< heights of the ports below the upper edge [px]
  Place place = Place::free;
  bool stretch = false;  ///< may be made as wide as the widest of its layer

  // By layOut():
  double x = 0.0, y = 0.0;  ///< upper left corner [px]
  int layer = 0;
};

/// From one output to any number of inputs.
struct LayoutNet {
  struct Target {
    int node = 0, port = 0;
    bool feedback = false;            ///< by layOut(): leads backwards
    std::vector<LayoutPoint> points;  ///< by layOut(): from the output to the input
  };

  int node = 0, port = 0;
  double label_width = 0.0;  ///< of the text above the line where it leaves the output [px]
  std::vector<Target> targets;
  std::vector<LayoutPoint> junctions;  ///< by layOut(): where it branches
};

struct LayeredGraph {
  std::vector<LayoutNode> nodes;
  std::vector<LayoutNet> nets;
  double width = 0.0, height = 0.0;  ///< by layOut() [px]
};

void layOut(LayeredGraph& graph);

// --- its stages, in their order -------------------------------------------------------------------------------------

/// What stands in a layer: a node, or the place where a net passes.
struct LayoutItem {
  int node = -1;   ///< −1: a passing net
  int net = -1;    ///< that passes
  double y = 0.0;  ///< upper edge [px]
};

/// A net between two neighbouring layers.
struct LayoutSegment {
  struct End {
    int item = 0;         ///< in its layer
    double offset = 0.0;  ///< of the port below the upper edge of the item [px]
  };
  int net = 0;
  End from;             ///< in the layer on the left
  std::vector<End> to;  ///< in the layer on the right
};

struct Layering {
  std::vector<std::vector<LayoutItem>> layers;
  std::vector<std::vector<LayoutSegment>> channels;  ///< channels[k] lies between layers k and k + 1
};

/// Marks lines that lead backwards, and gives each node a layer.
void assignLayers(LayeredGraph& graph);
/// Puts items into each layer, in an order with few crossings.
Layering orderLayers(const LayeredGraph& graph);
/// Gives items their heights, so that as many lines as possible are straight.
void placeItems(const LayeredGraph& graph, Layering& layering);
/// Gives layers and tracks their places from left to right, and lines their points.
void routeNets(const Layering& layering, LayeredGraph& graph);

}  // namespace footfall
