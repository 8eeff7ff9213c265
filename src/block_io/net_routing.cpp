#include <algorithm>
#include <cmath>
#include <map>

#include "block_io/layered_layout.hpp"

namespace footfall {
namespace {

constexpr double kTrackGap = 11.0;      ///< between two vertical lines [px]
constexpr double kLaneGap = 12.0;       ///< between two lines that run around below [px]
constexpr double kChannelPad = 14.0;    ///< between a node and the first vertical line [px]
constexpr double kLeastChannel = 40.0;  ///< [px]
constexpr double kSame = 1e-6;          ///< heights nearer than this are one [px]

/// The vertical line of a net in a channel.
struct Trunk {
  int net = 0;
  std::vector<double> left, right;  ///< heights at which lines go to the left and to the right
  double low = 1e300, high = -1e300;
  int track = 0;

  void addLeft(double y) { add(left, y); }
  void addRight(double y) { add(right, y); }
  void add(std::vector<double>& side, double y) {
    side.push_back(y);
    low = std::min(low, y);
    high = std::max(high, y);
  }
  bool isStraight() const { return high - low < kSame; }
  bool overlaps(const Trunk& other) const { return low < other.high + 4.0 && other.low < high + 4.0; }
};

/// Between two layers: channel c lies to the left of layer c.
struct Channel {
  std::vector<Trunk> trunks;
  double label_width = 0.0;
  int tracks = 0;
  double x = 0.0;

  Trunk& of(int net) {
    for (Trunk& trunk : trunks)
      if (trunk.net == net) return trunk;
    trunks.push_back({});
    trunks.back().net = net;
    return trunks.back();
  }
  double width(bool inner) const {
    const double tracks_width = tracks > 0 ? (tracks - 1) * kTrackGap + 2.0 * kChannelPad : 0.0;
    const double wanted = label_width + std::max(tracks_width, label_width > 0.0 ? kChannelPad : 0.0);
    return inner ? std::max(wanted, kLeastChannel) : wanted;
  }
  double trackX(int net) const {
    for (const Trunk& trunk : trunks)
      if (trunk.net == net) return x + label_width + kChannelPad + trunk.track * kTrackGap;
    return x + label_width + kChannelPad;
  }
};

/// Fewer crossings: of lines that go down, the lowest turns first; of lines that go up, the highest.
bool turnsBefore(const Trunk& a, const Trunk& b) {
  const auto start = [](const Trunk& t) { return t.left.empty() ? t.right.back() : t.left.front(); };
  const auto goesDown = [&](const Trunk& t) { return start(t) - t.low < t.high - start(t); };
  if (goesDown(a) != goesDown(b)) return goesDown(b);
  return goesDown(a) ? start(a) > start(b) : start(a) < start(b);
}

/// Lines at the same height from the left into `a` and from `b` to the right would lie on each other, if b were first.
bool mustBeBefore(const Trunk& a, const Trunk& b) {
  for (const double left : a.left)
    for (const double right : b.right)
      if (std::abs(left - right) < 3.0) return true;
  return false;
}

void assignTracks(Channel& channel) {
  auto& trunks = channel.trunks;
  std::erase_if(trunks, [](const Trunk& trunk) { return trunk.isStraight(); });
  std::stable_sort(trunks.begin(), trunks.end(), turnsBefore);
  for (std::size_t pass = 0; pass < trunks.size(); ++pass)
    for (std::size_t a = 1; a < trunks.size(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        if (mustBeBefore(trunks[a], trunks[b]) && !mustBeBefore(trunks[b], trunks[a]))
          std::rotate(trunks.begin() + static_cast<long>(b), trunks.begin() + static_cast<long>(a),
                      trunks.begin() + static_cast<long>(a) + 1);
  for (std::size_t k = 0; k < trunks.size(); ++k) {
    trunks[k].track = 0;
    for (std::size_t before = 0; before < k; ++before)
      if (trunks[before].overlaps(trunks[k])) trunks[k].track = std::max(trunks[k].track, trunks[before].track + 1);
    channel.tracks = std::max(channel.tracks, trunks[k].track + 1);
  }
}

class Router {
 public:
  Router(const Layering& layering, LayeredGraph& graph) : layering_(layering), graph_(graph) {
    channels_.resize(layering.layers.size() + 1);
    for (const auto& layer : layering.layers)
      for (const LayoutItem& item : layer)
        if (item.node >= 0) graph.nodes[item.node].y = item.y;
    for (const LayoutNode& node : graph.nodes) graph.height = std::max(graph.height, node.y + node.height);
    for (const auto& layer : layering.layers)
      for (const LayoutItem& item : layer) graph.height = std::max(graph.height, item.y);
  }

  void route() {
    collectForward();
    collectFeedback();
    for (Channel& channel : channels_) assignTracks(channel);
    placeColumns();
    for (int k = 0; k < static_cast<int>(graph_.nets.size()); ++k) drawNet(k);
  }

 private:
  const LayoutNode& sourceOf(int net) const { return graph_.nodes[graph_.nets[net].node]; }
  double sourceY(int net) const { return sourceOf(net).y + sourceOf(net).outputs[graph_.nets[net].port]; }
  double targetY(const LayoutNet::Target& target) const {
    return graph_.nodes[target.node].y + graph_.nodes[target.node].inputs[target.port];
  }

  void collectForward() {
    for (std::size_t k = 0; k < layering_.channels.size(); ++k) {
      for (const LayoutSegment& segment : layering_.channels[k]) {
        Trunk& trunk = channels_[k + 1].of(segment.net);
        trunk.addLeft(layering_.layers[k][segment.from.item].y + segment.from.offset);
        for (const LayoutSegment::End& to : segment.to) trunk.addRight(layering_.layers[k + 1][to.item].y + to.offset);
      }
    }
    for (const LayoutNet& net : graph_.nets) {
      Channel& channel = channels_[graph_.nodes[net.node].layer + 1];
      if (!net.targets.empty()) channel.label_width = std::max(channel.label_width, net.label_width);
    }
  }

  struct Lane {
    int net, first, last;  ///< channels between which it runs
    int row;
  };

  void collectFeedback() {
    for (int k = 0; k < static_cast<int>(graph_.nets.size()); ++k) {
      int first = -1;
      for (const LayoutNet::Target& target : graph_.nets[k].targets) {
        const int layer = graph_.nodes[target.node].layer;
        if (target.feedback && (first < 0 || layer < first)) first = layer;
      }
      if (first >= 0) lanes_.push_back({k, first, sourceOf(k).layer + 1, 0});
    }
    std::stable_sort(lanes_.begin(), lanes_.end(),
                     [](const Lane& a, const Lane& b) { return a.last - a.first < b.last - b.first; });
    int rows = 0;
    for (std::size_t k = 0; k < lanes_.size(); ++k) {
      for (std::size_t before = 0; before < k; ++before)
        if (lanes_[before].first <= lanes_[k].last && lanes_[k].first <= lanes_[before].last)
          lanes_[k].row = std::max(lanes_[k].row, lanes_[before].row + 1);
      rows = std::max(rows, lanes_[k].row + 1);
    }
    const double top = graph_.height + 18.0;
    for (const Lane& lane : lanes_) addLane(lane, top + lane.row * kLaneGap);
    if (rows > 0) graph_.height = top + (rows - 1) * kLaneGap + 4.0;
  }

  void addLane(const Lane& lane, double y) {
    lane_y_[lane.net] = y;
    Trunk& leaving = channels_[lane.last].of(lane.net);
    if (leaving.left.empty()) leaving.addLeft(sourceY(lane.net));
    leaving.addLeft(y);
    for (const LayoutNet::Target& target : graph_.nets[lane.net].targets) {
      if (!target.feedback) continue;
      Trunk& entering = channels_[graph_.nodes[target.node].layer].of(lane.net);
      if (entering.right.empty()) {
        entering.addRight(y);
        if (graph_.nodes[target.node].layer > lane.first) entering.addLeft(y);
      }
      entering.addRight(targetY(target));
    }
  }

  /// From left to right: a channel, a layer, a channel …
  void placeColumns() {
    double x = 0.0;
    const int layers = static_cast<int>(layering_.layers.size());
    for (int layer = 0; layer < layers; ++layer) {
      channels_[layer].x = x;
      x += channels_[layer].width(layer > 0);
      x += placeLayer(layering_.layers[layer], x);
    }
    channels_[layers].x = x;
    graph_.width = x + channels_[layers].width(false);
  }

  double placeLayer(const std::vector<LayoutItem>& layer, double x) {
    double widest = 0.0, widest_stretched = 0.0;
    for (const LayoutItem& item : layer) {
      if (item.node < 0) continue;
      LayoutNode& node = graph_.nodes[item.node];
      widest = std::max(widest, node.width);
      if (node.stretch) widest_stretched = std::max(widest_stretched, node.width);
    }
    for (const LayoutItem& item : layer) {
      if (item.node < 0) continue;
      LayoutNode& node = graph_.nodes[item.node];
      if (node.stretch) node.width = widest_stretched;
      const double spare = widest - node.width;
      const bool first = node.place == LayoutNode::Place::first, last = node.place == LayoutNode::Place::last;
      node.x = x + (first ? 0.0 : last ? spare : 0.5 * spare);
    }
    return widest;
  }

  /// Where a net is in a layer that it passes.
  double passingY(int net, int layer) const {
    for (const LayoutItem& item : layering_.layers[layer])
      if (item.net == net) return item.y;
    return 0.0;
  }

  void drawNet(int number) {
    LayoutNet& net = graph_.nets[number];
    for (LayoutNet::Target& target : net.targets) {
      if (target.feedback)
        drawFeedback(number, target);
      else
        drawForward(number, target);
    }
    for (const Channel& channel : channels_)
      for (const Trunk& trunk : channel.trunks)
        if (trunk.net == number) addJunctions(trunk, channel.trackX(number), net);
  }

  void drawForward(int number, LayoutNet::Target& target) const {
    const LayoutNode &from = sourceOf(number), &to = graph_.nodes[target.node];
    double y = sourceY(number);
    target.points = {{from.x + from.width, y}};
    for (int layer = from.layer + 1; layer <= to.layer; ++layer) {
      const double next = layer == to.layer ? targetY(target) : passingY(number, layer);
      if (std::abs(next - y) > kSame) {
        const double x = channels_[layer].trackX(number);
        target.points.push_back({x, y});
        target.points.push_back({x, next});
      }
      y = next;
    }
    target.points.push_back({to.x, y});
  }

  void drawFeedback(int number, LayoutNet::Target& target) const {
    const LayoutNode &from = sourceOf(number), &to = graph_.nodes[target.node];
    const double start_y = sourceY(number), end_y = targetY(target), lane_y = lane_y_.at(number);
    const double down_x = channels_[from.layer + 1].trackX(number), up_x = channels_[to.layer].trackX(number);
    target.points = {{from.x + from.width, start_y},
                     {down_x, start_y},
                     {down_x, lane_y},
                     {up_x, lane_y},
                     {up_x, end_y},
                     {to.x, end_y}};
  }

  /// Three or four lines meet.
  static void addJunctions(const Trunk& trunk, double x, LayoutNet& net) {
    std::map<double, int> meeting;  // height → sides from which lines come
    const auto has = [](const std::vector<double>& side, double y) {
      return std::any_of(side.begin(), side.end(), [=](double other) { return std::abs(other - y) < kSame; });
    };
    for (const std::vector<double>* side : {&trunk.left, &trunk.right})
      for (const double y : *side) meeting[y] = has(trunk.left, y) + has(trunk.right, y);
    for (const auto& [y, sides] : meeting)
      if (sides + (y > trunk.low + kSame) + (y < trunk.high - kSame) >= 3) net.junctions.push_back({x, y});
  }

  const Layering& layering_;
  LayeredGraph& graph_;
  std::vector<Channel> channels_;
  std::vector<Lane> lanes_;
  std::map<int, double> lane_y_;  ///< by net
};

}  // namespace

void routeNets(const Layering& layering, LayeredGraph& graph) { Router(layering, graph).route(); }

void layOut(LayeredGraph& graph) {
  if (graph.nodes.empty()) return;
  assignLayers(graph);
  Layering layering = orderLayers(graph);
  placeItems(graph, layering);
  routeNets(layering, graph);
}

}  // namespace footfall
