#include <algorithm>
#include <cmath>

#include "block_io/layered_layout.hpp"

namespace footfall {
namespace {

constexpr double kNodeGap = 30.0;  ///< between two nodes of a layer [px]
constexpr double kLineGap = 16.0;  ///< between a node and a line that passes [px]
constexpr double kPassGap = 12.0;  ///< between two lines that pass [px]
constexpr double kPinGap = 4.0;    ///< between two pins [px]

double heightOf(const LayeredGraph& graph, const LayoutItem& item) {
  return item.node < 0 ? 0.0 : graph.nodes[item.node].height;
}

double gapBetween(const LayeredGraph& graph, const LayoutItem& above, const LayoutItem& below) {
  if (above.node < 0 && below.node < 0) return kPassGap;
  if (above.node < 0 || below.node < 0) return kLineGap;
  const bool pins = graph.nodes[above.node].place != LayoutNode::Place::free &&
                    graph.nodes[below.node].place != LayoutNode::Place::free;
  return pins ? kPinGap : kNodeGap;
}

/// A wish of one item: its upper edge here would make a line straight.
struct Wish {
  double y, weight;
};

double median(std::vector<Wish> wishes) {
  std::sort(wishes.begin(), wishes.end(), [](const Wish& a, const Wish& b) { return a.y < b.y; });
  double total = 0.0, sum = 0.0;
  for (const Wish& wish : wishes) total += wish.weight;
  for (const Wish& wish : wishes)
    if ((sum += wish.weight) >= 0.5 * total) return wish.y;
  return wishes.back().y;
}

class Placement {
 public:
  Placement(const LayeredGraph& graph, Layering& layering) : graph_(graph), layering_(layering) {}

  void stack() {
    for (auto& layer : layering_.layers) {
      double y = 0.0;
      for (std::size_t k = 0; k < layer.size(); ++k) {
        if (k > 0) y += heightOf(graph_, layer[k - 1]) + gapBetween(graph_, layer[k - 1], layer[k]);
        layer[k].y = y;
      }
    }
  }

  /// Moves a layer towards the layers beside it, without changing the order.
  void settle(std::size_t layer, bool by_left, bool by_right) {
    std::vector<std::vector<Wish>> wishes(layering_.layers[layer].size());
    if (by_left && layer > 0) wishFromLeft(layer, wishes);
    if (by_right && layer + 1 < layering_.layers.size()) wishFromRight(layer, wishes);
    std::vector<Wish> targets;
    for (std::size_t k = 0; k < wishes.size(); ++k) {
      const double y = layering_.layers[layer][k].y;
      targets.push_back(wishes[k].empty() ? Wish{y, 0.01} : Wish{median(wishes[k]), weightOf(layer, k)});
    }
    keepApart(layer, targets);
  }

  /// Moves what nothing leads to towards its readers; everything else stays where it is, if it can.
  void settleSources(std::size_t layer) {
    constexpr double kFirm = 1e4;
    std::vector<std::vector<Wish>> left(layering_.layers[layer].size()), right(left.size());
    if (layer > 0) wishFromLeft(layer, left);
    if (layer + 1 < layering_.layers.size()) wishFromRight(layer, right);
    std::vector<Wish> targets;
    for (std::size_t k = 0; k < left.size(); ++k) {
      const bool moves = left[k].empty() && !right[k].empty();
      targets.push_back(moves ? Wish{median(right[k]), 1.0} : Wish{layering_.layers[layer][k].y, kFirm});
    }
    keepApart(layer, targets);
  }

  /// And onto whole pixels: lines that are nearly straight become so.
  void moveToTop() {
    double top = 1e300;
    for (const auto& layer : layering_.layers)
      for (const LayoutItem& item : layer) top = std::min(top, item.y);
    for (auto& layer : layering_.layers)
      for (LayoutItem& item : layer) item.y = std::round(item.y - top);
  }

 private:
  /// Lines that pass through several layers should be straight before anything else.
  double weightOf(std::size_t layer, std::size_t item) const {
    return layering_.layers[layer][item].node < 0 ? 16.0 : 1.0;
  }

  void wishFromLeft(std::size_t layer, std::vector<std::vector<Wish>>& wishes) const {
    for (const LayoutSegment& segment : layering_.channels[layer - 1]) {
      const double y = layering_.layers[layer - 1][segment.from.item].y + segment.from.offset;
      for (const LayoutSegment::End& to : segment.to)
        wishes[to.item].push_back({y - to.offset, weightOf(layer - 1, segment.from.item)});
    }
  }

  void wishFromRight(std::size_t layer, std::vector<std::vector<Wish>>& wishes) const {
    for (const LayoutSegment& segment : layering_.channels[layer])
      for (const LayoutSegment::End& to : segment.to)
        wishes[segment.from.item].push_back(
            {layering_.layers[layer + 1][to.item].y + to.offset - segment.from.offset, weightOf(layer + 1, to.item)});
  }

  /// The places nearest to the wishes (least squares) that keep order and gaps: pools of items that touch.
  void keepApart(std::size_t layer, const std::vector<Wish>& targets) {
    struct Pool {
      double sum, weight;
      std::size_t count;
      double place() const { return sum / weight; }
    };
    auto& items = layering_.layers[layer];
    std::vector<double> shift(items.size(), 0.0);  // of an item below the first, when all touch
    for (std::size_t k = 1; k < items.size(); ++k)
      shift[k] = shift[k - 1] + heightOf(graph_, items[k - 1]) + gapBetween(graph_, items[k - 1], items[k]);
    std::vector<Pool> pools;
    for (std::size_t k = 0; k < items.size(); ++k) {
      pools.push_back({(targets[k].y - shift[k]) * targets[k].weight, targets[k].weight, 1});
      while (pools.size() > 1 && pools[pools.size() - 2].place() >= pools.back().place()) {
        const Pool last = pools.back();
        pools.pop_back();
        pools.back().sum += last.sum;
        pools.back().weight += last.weight;
        pools.back().count += last.count;
      }
    }
    std::size_t k = 0;
    for (const Pool& pool : pools)
      for (std::size_t n = 0; n < pool.count; ++n, ++k) items[k].y = pool.place() + shift[k];
  }

  const LayeredGraph& graph_;
  Layering& layering_;
};

}  // namespace

void placeItems(const LayeredGraph& graph, Layering& layering) {
  constexpr int kSweeps = 8;
  Placement placement(graph, layering);
  placement.stack();
  const std::size_t layers = layering.layers.size();
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (std::size_t layer = 1; layer < layers; ++layer) placement.settle(layer, true, false);
    for (std::size_t layer = layers - 1; layer-- > 0;) placement.settle(layer, false, true);
  }
  for (std::size_t layer = 1; layer < layers; ++layer) placement.settle(layer, true, false);
  for (std::size_t layer = layers; layer-- > 0;) placement.settleSources(layer);
  placement.moveToTop();
}

}  // namespace footfall
