#include <fmt/format.h>

#include <algorithm>
#include <queue>
#include <set>

#include "block/flat_diagram.hpp"
#include "footfall/base/error.hpp"

namespace footfall {
namespace {

/// Which nodes (groups of outputs) must be evaluated before which.
class DependencyGraph {
 public:
  explicit DependencyGraph(const FlatDiagram& diagram) : diagram_(diagram) {
    for (std::size_t b = 0; b < diagram.blocks.size(); ++b) addNodes(static_cast<int>(b));
    for (std::size_t b = 0; b < diagram.blocks.size(); ++b) addEdges(static_cast<int>(b));
  }

  std::vector<ScheduleEntry> order() const {
    // Among those that are ready, the one that was added first: the same diagram always gives the same order.
    std::priority_queue<int, std::vector<int>, std::greater<>> ready;
    std::vector<int> waiting = waits_for_;
    for (std::size_t node = 0; node < nodes_.size(); ++node)
      if (waiting[node] == 0) ready.push(static_cast<int>(node));
    std::vector<ScheduleEntry> order;
    while (!ready.empty()) {
      const int node = ready.top();
      ready.pop();
      order.push_back(nodes_[node]);
      for (const Edge& edge : edges_[node])
        if (--waiting[edge.to] == 0) ready.push(edge.to);
    }
    if (order.size() != nodes_.size()) throw cycleError(waiting);
    return order;
  }

 private:
  struct Edge {
    int to;
    int input;  ///< of the block at `to`
  };

  void addNodes(int block) {
    const auto& outputs = diagram_.blocks[block].info.interface.outputs;
    int groups = 1;  // a block without outputs is evaluated too
    for (const BlockInterface::Output& output : outputs) groups = std::max(groups, output.group + 1);
    first_node_.push_back(static_cast<int>(nodes_.size()));
    for (int group = 0; group < groups; ++group) nodes_.push_back({block, group});
    edges_.resize(nodes_.size());
    waits_for_.resize(nodes_.size(), 0);
  }

  void addEdges(int block) {
    const FlatBlock& reader = diagram_.blocks[block];
    const auto& outputs = reader.info.interface.outputs;
    for (std::size_t port = 0; port < reader.inputs.size(); ++port) {
      const auto& source = reader.inputs[port].source;
      if (!source || source->block < 0) continue;
      std::set<int> groups;
      if (outputs.empty()) groups.insert(0);
      for (const BlockInterface::Output& output : outputs)
        if (std::count(output.depends_on.begin(), output.depends_on.end(), static_cast<int>(port)) > 0)
          groups.insert(output.group);
      const int from = nodeOf(*source);
      for (const int group : groups) {
        const int to = first_node_[block] + group;
        edges_[from].push_back({to, static_cast<int>(port)});
        ++waits_for_[to];
      }
    }
  }

  int nodeOf(const FlatSource& source) const {
    return first_node_[source.block] + diagram_.blocks[source.block].info.interface.outputs[source.port].group;
  }

  /// Walks along nodes that still wait until one comes again.
  Error cycleError(const std::vector<int>& waiting) const {
    // Backwards: every node that waits has another one in front of it that waits.
    std::vector<std::pair<int, int>> before(nodes_.size(), {-1, -1});  // node in front, input through which
    for (std::size_t from = 0; from < nodes_.size(); ++from)
      if (waiting[from] > 0)
        for (const Edge& edge : edges_[from]) before[edge.to] = {static_cast<int>(from), edge.input};
    int node = 0;
    while (waiting[node] == 0) ++node;
    std::set<int> seen;
    while (seen.insert(node).second) node = before[node].first;
    std::vector<std::string> path;
    const int start = node;
    do {
      const auto [from, input] = before[node];
      const auto& source = *diagram_.blocks[nodes_[node].block].inputs[input].source;
      path.push_back(fmt::format("{} → {}", diagram_.nameOf(source), diagram_.inputName(nodes_[node].block, input)));
      node = from;
    } while (node != start);
    std::reverse(path.begin(), path.end());
    std::string text;
    for (const std::string& line : path) text += (text.empty() ? "" : ", ") + line;
    return Error(diagram_.blocks[nodes_[start].block].info.where,
                 fmt::format("algebraic loop, each value needs itself at the same instant: {}", text),
                 "put a Delay into one of these lines, or read an output that does not depend on that input");
  }

  const FlatDiagram& diagram_;
  std::vector<ScheduleEntry> nodes_;
  std::vector<int> first_node_;  ///< of each block
  std::vector<std::vector<Edge>> edges_;
  std::vector<int> waits_for_;
};

}  // namespace

std::vector<ScheduleEntry> orderOfEvaluation(const FlatDiagram& diagram) { return DependencyGraph(diagram).order(); }

}  // namespace footfall
