#include <algorithm>
#include <numeric>

#include "block_io/layered_layout.hpp"

namespace footfall {
namespace {

struct Successor {
  int node, net, target;
};
using Successors = std::vector<std::vector<Successor>>;

Successors successorsOf(const LayeredGraph& graph) {
  Successors successors(graph.nodes.size());
  for (int k = 0; k < static_cast<int>(graph.nets.size()); ++k) {
    const LayoutNet& net = graph.nets[k];
    for (int t = 0; t < static_cast<int>(net.targets.size()); ++t)
      successors[net.node].push_back({net.targets[t].node, k, t});
  }
  return successors;
}

/// Nodes without inputs first, then in their own order: what a reader would start with.
std::vector<int> startingOrder(const LayeredGraph& graph) {
  std::vector<char> has_input(graph.nodes.size(), 0);
  for (const LayoutNet& net : graph.nets)
    for (const LayoutNet::Target& target : net.targets) has_input[target.node] = 1;
  std::vector<int> order(graph.nodes.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_partition(order.begin(), order.end(), [&](int node) { return !has_input[node]; });
  return order;
}

/// Depth first: a line to a node that is being visited closes a cycle. Returns nodes, each behind its predecessors.
std::vector<int> markFeedback(LayeredGraph& graph, const Successors& successors) {
  enum class Mark : char { fresh, open, done };
  std::vector<Mark> marks(graph.nodes.size(), Mark::fresh);
  std::vector<int> finished;
  struct Frame {
    int node;
    std::size_t next;
  };
  for (const int root : startingOrder(graph)) {
    if (marks[root] != Mark::fresh) continue;
    std::vector<Frame> stack = {{root, 0}};
    marks[root] = Mark::open;
    while (!stack.empty()) {
      Frame& frame = stack.back();
      if (frame.next == successors[frame.node].size()) {
        marks[frame.node] = Mark::done;
        finished.push_back(frame.node);
        stack.pop_back();
        continue;
      }
      const Successor& successor = successors[frame.node][frame.next++];
      if (marks[successor.node] == Mark::open)
        graph.nets[successor.net].targets[successor.target].feedback = true;
      else if (marks[successor.node] == Mark::fresh) {
        marks[successor.node] = Mark::open;
        stack.push_back({successor.node, 0});
      }
    }
  }
  std::reverse(finished.begin(), finished.end());
  return finished;
}

bool leadsForward(const LayeredGraph& graph, const Successor& successor) {
  return !graph.nets[successor.net].targets[successor.target].feedback;
}

/// A source moves up to the first of its readers, so that its line is short.
void pullSources(LayeredGraph& graph, const Successors& successors, const std::vector<char>& has_predecessor) {
  for (int node = 0; node < static_cast<int>(graph.nodes.size()); ++node) {
    if (has_predecessor[node] || graph.nodes[node].place != LayoutNode::Place::free) continue;
    int nearest = -1;
    for (const Successor& successor : successors[node])
      if (leadsForward(graph, successor) && (nearest < 0 || graph.nodes[successor.node].layer < nearest))
        nearest = graph.nodes[successor.node].layer;
    if (nearest > 0) graph.nodes[node].layer = std::max(graph.nodes[node].layer, nearest - 1);
  }
}

}  // namespace

void assignLayers(LayeredGraph& graph) {
  const Successors successors = successorsOf(graph);
  const std::vector<int> order = markFeedback(graph, successors);
  const bool has_pins = std::any_of(graph.nodes.begin(), graph.nodes.end(),
                                    [](const LayoutNode& node) { return node.place == LayoutNode::Place::first; });
  for (LayoutNode& node : graph.nodes) node.layer = has_pins && node.place != LayoutNode::Place::first ? 1 : 0;
  std::vector<char> has_predecessor(graph.nodes.size(), 0);
  for (const int node : order) {
    for (const Successor& successor : successors[node]) {
      if (!leadsForward(graph, successor)) continue;
      has_predecessor[successor.node] = 1;
      graph.nodes[successor.node].layer = std::max(graph.nodes[successor.node].layer, graph.nodes[node].layer + 1);
    }
  }
  pullSources(graph, successors, has_predecessor);
  int last = 0;
  for (const LayoutNode& node : graph.nodes)
    if (node.place != LayoutNode::Place::last) last = std::max(last, node.layer + 1);
  for (LayoutNode& node : graph.nodes)
    if (node.place == LayoutNode::Place::last) node.layer = last;
}

}  // namespace footfall
