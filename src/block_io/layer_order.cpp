#include <algorithm>
#include <limits>
#include <map>

#include "block_io/layered_layout.hpp"

namespace footfall {
namespace {

using Order = std::vector<std::vector<int>>;  ///< for each layer: items by their place from above

/// Items and segments, with items in the order in which nodes are given.
class LayeringBuilder {
 public:
  explicit LayeringBuilder(const LayeredGraph& graph) : graph_(graph) {
    int last = 0;
    for (const LayoutNode& node : graph.nodes) last = std::max(last, node.layer);
    layering_.layers.resize(static_cast<std::size_t>(last) + 1);
    layering_.channels.resize(static_cast<std::size_t>(last));
    for (int k = 0; k < static_cast<int>(graph.nodes.size()); ++k)
      item_of_node_.push_back(add(graph.nodes[k].layer, {k, -1, 0.0}));
    for (int k = 0; k < static_cast<int>(graph.nets.size()); ++k) addNet(k);
  }

  Layering take() { return std::move(layering_); }

 private:
  int add(int layer, LayoutItem item) {
    layering_.layers[layer].push_back(item);
    return static_cast<int>(layering_.layers[layer].size()) - 1;
  }

  void addNet(int number) {
    const LayoutNet& net = graph_.nets[number];
    const int first = graph_.nodes[net.node].layer;
    int last = first;
    for (const LayoutNet::Target& target : net.targets)
      if (!target.feedback) last = std::max(last, graph_.nodes[target.node].layer);
    LayoutSegment::End from{item_of_node_[net.node], graph_.nodes[net.node].outputs[net.port]};
    for (int layer = first + 1; layer <= last; ++layer) {
      LayoutSegment segment{number, from, {}};
      for (const LayoutNet::Target& target : net.targets)
        if (!target.feedback && graph_.nodes[target.node].layer == layer)
          segment.to.push_back({item_of_node_[target.node], graph_.nodes[target.node].inputs[target.port]});
      if (layer < last) {
        from = {add(layer, {-1, number, 0.0}), 0.0};
        segment.to.push_back(from);
      }
      layering_.channels[layer - 1].push_back(std::move(segment));
    }
  }

  const LayeredGraph& graph_;
  Layering layering_;
  std::vector<int> item_of_node_;
};

/// Where a port is, counted in items from above; ports of one item lie between it and the next.
double rank(const std::vector<int>& place, const LayoutSegment::End& end) {
  return place[end.item] + std::min(end.offset, 990.0) / 1000.0;
}

std::vector<std::vector<int>> placesOf(const Order& order) {
  std::vector<std::vector<int>> places(order.size());
  for (std::size_t layer = 0; layer < order.size(); ++layer) {
    places[layer].resize(order[layer].size());
    for (std::size_t k = 0; k < order[layer].size(); ++k) places[layer][order[layer][k]] = static_cast<int>(k);
  }
  return places;
}

long long crossings(const Layering& layering, const Order& order) {
  const auto places = placesOf(order);
  long long count = 0;
  for (std::size_t k = 0; k < layering.channels.size(); ++k) {
    std::vector<std::pair<double, double>> edges;
    for (const LayoutSegment& segment : layering.channels[k])
      for (const LayoutSegment::End& to : segment.to)
        edges.emplace_back(rank(places[k], segment.from), rank(places[k + 1], to));
    for (std::size_t a = 0; a < edges.size(); ++a)
      for (std::size_t b = a + 1; b < edges.size(); ++b)
        count += (edges[a].first - edges[b].first) * (edges[a].second - edges[b].second) < 0.0;
  }
  return count;
}

/// Sorts one layer by the mean place of what its items are connected to in the layer beside it.
void sortLayer(const Layering& layering, std::size_t layer, bool by_left, Order& order) {
  const auto places = placesOf(order);
  std::vector<double> sum(order[layer].size(), 0.0), count(order[layer].size(), 0.0);
  const auto pull = [&](const LayoutSegment::End& item, double towards) {
    sum[item.item] += towards - std::min(item.offset, 990.0) / 1000.0;
    count[item.item] += 1.0;
  };
  const std::size_t channel = by_left ? layer - 1 : layer;
  for (const LayoutSegment& segment : layering.channels[channel]) {
    for (const LayoutSegment::End& to : segment.to) {
      if (by_left)
        pull(to, rank(places[layer - 1], segment.from));
      else
        pull(segment.from, rank(places[layer + 1], to));
    }
  }
  const auto key = [&](int item) { return count[item] > 0.0 ? sum[item] / count[item] : places[layer][item]; };
  std::stable_sort(order[layer].begin(), order[layer].end(), [&](int a, int b) { return key(a) < key(b); });
}

void reorder(const Order& order, Layering& layering) {
  const auto places = placesOf(order);
  for (std::size_t layer = 0; layer < order.size(); ++layer) {
    std::vector<LayoutItem> sorted;
    for (const int item : order[layer]) sorted.push_back(layering.layers[layer][item]);
    layering.layers[layer] = std::move(sorted);
  }
  for (std::size_t k = 0; k < layering.channels.size(); ++k) {
    for (LayoutSegment& segment : layering.channels[k]) {
      segment.from.item = places[k][segment.from.item];
      for (LayoutSegment::End& to : segment.to) to.item = places[k + 1][to.item];
    }
  }
}

}  // namespace

Layering orderLayers(const LayeredGraph& graph) {
  constexpr int kSweeps = 12;
  Layering layering = LayeringBuilder(graph).take();
  Order order(layering.layers.size());
  for (std::size_t layer = 0; layer < order.size(); ++layer)
    for (int k = 0; k < static_cast<int>(layering.layers[layer].size()); ++k) order[layer].push_back(k);
  Order best = order;
  long long fewest = crossings(layering, order);
  for (int sweep = 0; sweep < kSweeps && fewest > 0; ++sweep) {
    if (sweep % 2 == 0)
      for (std::size_t layer = 1; layer < order.size(); ++layer) sortLayer(layering, layer, true, order);
    else
      for (std::size_t layer = order.size() - 1; layer-- > 0;) sortLayer(layering, layer, false, order);
    const long long count = crossings(layering, order);
    if (count < fewest) {
      fewest = count;
      best = order;
    }
  }
  reorder(best, layering);
  return layering;
}

}  // namespace footfall
