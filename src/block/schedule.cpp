#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <set>

#include "block/flat_diagram.hpp"
#include "footfall/base/error.hpp"

namespace footfall {
namespace {

/// Which nodes (groups of outputs, and gates) must be evaluated before which.
class DependencyGraph {
 public:
  explicit DependencyGraph(const FlatDiagram& diagram) : diagram_(diagram) {
    for (std::size_t b = 0; b < diagram.blocks.size(); ++b) addNodes(static_cast<int>(b));
    first_gate_ = static_cast<int>(nodes_.size());
    for (std::size_t g = 0; g < diagram.gates.size(); ++g) nodes_.push_back({-1, static_cast<int>(g), -1});
    edges_.resize(nodes_.size());
    waits_for_.resize(nodes_.size(), 0);
    for (std::size_t g = 0; g < diagram.gates.size(); ++g) addGateEdges(static_cast<int>(g));
    for (std::size_t b = 0; b < diagram.blocks.size(); ++b) addEdges(static_cast<int>(b));
  }

  Schedule order(bool solve_loops) {
    waiting_ = waits_for_;
    done_.assign(nodes_.size(), 0);
    for (std::size_t node = 0; node < nodes_.size(); ++node)
      if (waiting_[node] == 0) ready_.push(static_cast<int>(node));
    Schedule schedule;
    while (true) {
      takeReady(schedule);
      if (schedule.entries.size() == nodes_.size()) return schedule;
      if (!solve_loops) throw cycleError();
      takeLoop(schedule);
    }
  }

 private:
  struct Edge {
    int to;
    int input;  ///< of the block at `to`; −1: between a gate and something
  };
  using Ready = std::priority_queue<int, std::vector<int>, std::greater<>>;

  void addNodes(int block) {
    const auto& outputs = diagram_.blocks[block].info.interface.outputs;
    int groups = 1;  // a block without outputs is evaluated too
    for (const BlockInterface::Output& output : outputs) groups = std::max(groups, output.group + 1);
    first_node_.push_back(static_cast<int>(nodes_.size()));
    for (int group = 0; group < groups; ++group) nodes_.push_back({block, group, -1});
  }

  void addEdge(int from, int to, int input) {
    edges_[from].push_back({to, input});
    ++waits_for_[to];
  }

  void addGateEdges(int gate) {
    const FlatGate& flat = diagram_.gates[gate];
    if (flat.source.block >= 0) addEdge(nodeOf(flat.source), first_gate_ + gate, -1);
    if (flat.parent >= 0) addEdge(first_gate_ + flat.parent, first_gate_ + gate, -1);
  }

  void addEdges(int block) {
    const FlatBlock& reader = diagram_.blocks[block];
    const int end = block + 1 < static_cast<int>(first_node_.size()) ? first_node_[block + 1] : first_gate_;
    if (reader.gate >= 0)
      for (int node = first_node_[block]; node < end; ++node) addEdge(first_gate_ + reader.gate, node, -1);
    const auto& outputs = reader.info.interface.outputs;
    for (std::size_t port = 0; port < reader.inputs.size(); ++port) {
      const auto& source = reader.inputs[port].source;
      if (!source || source->block < 0) continue;
      std::set<int> groups;
      if (outputs.empty()) groups.insert(0);
      for (const BlockInterface::Output& output : outputs)
        if (std::count(output.depends_on.begin(), output.depends_on.end(), static_cast<int>(port)) > 0)
          groups.insert(output.group);
      for (const int group : groups) addEdge(nodeOf(*source), first_node_[block] + group, static_cast<int>(port));
    }
  }

  int nodeOf(const FlatSource& source) const {
    return first_node_[source.block] + diagram_.blocks[source.block].info.interface.outputs[source.port].group;
  }

  /// Among those that are ready, the one that was added first: the same diagram always gives the same order.
  void takeReady(Schedule& schedule) {
    while (!ready_.empty()) {
      const int node = ready_.top();
      ready_.pop();
      take(node, -1, schedule);
    }
  }

  void take(int node, int loop, Schedule& schedule) {
    schedule.entries.push_back(nodes_[node]);
    schedule.entries.back().loop = loop;
    done_[node] = 1;
    for (const Edge& edge : edges_[node])
      if (--waiting_[edge.to] == 0 && !done_[edge.to]) ready_.push(edge.to);
  }

  // --- loops
  // ----------------------------------------------------------------------------------------------------------

  /// All that can be reached from a node among those that still wait, along the lines or against them.
  std::vector<char> reached(int start, bool forwards) const {
    std::vector<std::vector<int>> against;
    if (!forwards) {
      against.resize(nodes_.size());
      for (std::size_t from = 0; from < nodes_.size(); ++from)
        if (!done_[from])
          for (const Edge& edge : edges_[from]) against[edge.to].push_back(static_cast<int>(from));
    }
    std::vector<char> seen(nodes_.size(), 0);
    std::vector<int> todo = {start};
    seen[start] = 1;
    const auto visit = [&](int node) {
      if (done_[node] || seen[node]) return;
      seen[node] = 1;
      todo.push_back(node);
    };
    while (!todo.empty()) {
      const int node = todo.back();
      todo.pop_back();
      if (forwards)
        for (const Edge& edge : edges_[node]) visit(edge.to);
      else
        for (const int from : against[node]) visit(from);
    }
    return seen;
  }

  /// Nodes that need each other and nothing else that is still to come.
  std::vector<int> firstLoop() const {
    int node = static_cast<int>(std::find(done_.begin(), done_.end(), 0) - done_.begin());
    while (true) {
      const std::vector<char> behind = reached(node, true), before = reached(node, false);
      std::vector<int> loop;
      int other = -1;
      for (int k = 0; k < static_cast<int>(nodes_.size()); ++k) {
        if (behind[k] && before[k]) loop.push_back(k);
        if (before[k] && !behind[k]) other = k;
      }
      if (other < 0) return loop;
      node = other;
    }
  }

  /// Puts the nodes of a loop into an order in which they can be evaluated once the values of some of them are assumed.
  void takeLoop(Schedule& schedule) {
    const std::vector<int> nodes = firstLoop();
    const std::set<int> inside(nodes.begin(), nodes.end());
    checkLoop(nodes);
    FlatLoop loop;
    loop.where = diagram_.blocks[nodes_[nodes.front()].block].info.where;
    loop.name = nameOf(nodes);
    std::vector<int> waits(nodes_.size(), 0);
    for (const int node : nodes)
      for (const Edge& edge : edges_[node])
        if (inside.count(edge.to) != 0) ++waits[edge.to];
    std::set<int> left = inside, assumed;
    std::vector<int> order;
    while (!left.empty()) {
      auto next = std::find_if(left.begin(), left.end(), [&](int node) { return waits[node] == 0; });
      if (next == left.end()) {
        const int chosen = cheapest(left, assumed, inside);
        assumed.insert(chosen);
        for (const Edge& edge : edges_[chosen])
          if (inside.count(edge.to) != 0) --waits[edge.to];
        continue;
      }
      const int node = *next;
      left.erase(next);
      order.push_back(node);
      if (assumed.count(node) == 0)
        for (const Edge& edge : edges_[node])
          if (inside.count(edge.to) != 0) --waits[edge.to];
    }
    for (const int node : assumed)
      for (const FlatSource& source : valuesOf(node, inside)) loop.unknowns.push_back(source);
    const int number = static_cast<int>(schedule.loops.size());
    schedule.loops.push_back(std::move(loop));
    for (const int node : nodes) done_[node] = 1;
    for (const int node : order) take(node, number, schedule);
  }

  void checkLoop(const std::vector<int>& nodes) const {
    for (const int node : nodes) {
      if (nodes_[node].block < 0) throw cycleErrorAt(node);
      const FlatBlock &block = diagram_.blocks[nodes_[node].block], &first = diagram_.blocks[nodes_[nodes[0]].block];
      if (block.gate != first.gate)
        throw Error(block.info.where,
                    fmt::format("the algebraic loop {} is partly switched off by a condition", nameOf(nodes)),
                    "put all of it into the sub-diagram with the condition, or a Delay into the loop");
    }
  }

  /// The node with the fewest numbers that others of the loop read.
  int cheapest(const std::set<int>& left, const std::set<int>& assumed, const std::set<int>& inside) const {
    int best = -1, best_size = 0;
    for (const int node : left) {
      if (assumed.count(node) != 0) continue;
      int size = 0;
      for (const FlatSource& source : valuesOf(node, inside))
        size += priceOf(diagram_.typeOf(source.block, source.port));
      if (best < 0 || size < best_size) {
        best = node;
        best_size = size;
      }
    }
    return best;
  }

  static int priceOf(const SignalType& type) {
    constexpr int kNever = 1'000'000;  // what is no number cannot be found by Newton's method
    if (type.kind == SignalType::Kind::function) return kNever;
    return type.complete() ? type.size() : 1;
  }

  /// Whole outputs of a node that others of the loop read.
  std::vector<FlatSource> valuesOf(int node, const std::set<int>& inside) const {
    std::set<int> ports;
    for (const Edge& edge : edges_[node])
      if (edge.input >= 0 && inside.count(edge.to) != 0)
        ports.insert(diagram_.blocks[nodes_[edge.to].block].inputs[edge.input].source->port);
    std::vector<FlatSource> values;
    for (const int port : ports) values.push_back({nodes_[node].block, port, ""});
    return values;
  }

  std::string nameOf(const std::vector<int>& nodes) const {
    std::set<std::string> names;
    for (const int node : nodes)
      names.insert(nodes_[node].block < 0 ? diagram_.gates[nodes_[node].group].path
                                          : diagram_.blocks[nodes_[node].block].info.path);
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
  }

  // --- errors
  // -----------------------------------------------------------------------------------------------------------

  Error cycleError() const {
    return cycleErrorAt(static_cast<int>(std::find(done_.begin(), done_.end(), 0) - done_.begin()));
  }

  /// Walks against the lines, from a node that still waits, until one comes again.
  Error cycleErrorAt(int node) const {
    // Every node that waits has another one in front of it that waits.
    std::vector<std::pair<int, int>> before(nodes_.size(), {-1, -1});  // node in front, input through which
    for (std::size_t from = 0; from < nodes_.size(); ++from)
      if (!done_[from])
        for (const Edge& edge : edges_[from]) before[edge.to] = {static_cast<int>(from), edge.input};
    std::set<int> seen;
    while (seen.insert(node).second) node = before[node].first;
    std::vector<std::string> path;
    const int start = node;
    bool gated = false;
    do {
      const auto [from, input] = before[node];
      path.push_back(describe(from, node, input));
      gated = gated || nodes_[node].block < 0;
      node = from;
    } while (node != start);
    std::reverse(path.begin(), path.end());
    std::string text;
    for (const std::string& line : path) text += (text.empty() ? "" : ", ") + line;
    const std::string where = nodes_[start].block < 0 ? diagram_.gates[nodes_[start].group].condition.where
                                                      : diagram_.blocks[nodes_[start].block].info.where;
    return Error(where, fmt::format("algebraic loop, each value needs itself at the same instant: {}", text),
                 gated
                     ? "put a Delay in front of the condition: whether something runs must be known before it runs"
                     : "put a Delay into one of these lines, read an output that does not depend on that input, or say "
                       "`algebraic_loops: solve`");
  }

  std::string describe(int from, int to, int input) const {
    if (nodes_[from].block < 0) {
      const std::string& path = diagram_.gates[nodes_[from].group].path;
      return fmt::format(
          "condition of {} → {}", path,
          nodes_[to].block < 0 ? diagram_.gates[nodes_[to].group].path : diagram_.blocks[nodes_[to].block].info.path);
    }
    if (nodes_[to].block < 0) {
      const FlatGate& gate = diagram_.gates[nodes_[to].group];
      return fmt::format("{} → condition of {}", diagram_.nameOf(gate.source), gate.path);
    }
    const auto& source = *diagram_.blocks[nodes_[to].block].inputs[input].source;
    return fmt::format("{} → {}", diagram_.nameOf(source), diagram_.inputName(nodes_[to].block, input));
  }

  const FlatDiagram& diagram_;
  std::vector<ScheduleEntry> nodes_;
  std::vector<int> first_node_;  ///< of each block
  int first_gate_ = 0;
  std::vector<std::vector<Edge>> edges_;
  std::vector<int> waits_for_;
  std::vector<int> waiting_;
  std::vector<char> done_;
  Ready ready_;
};

}  // namespace

Schedule orderOfEvaluation(const FlatDiagram& diagram, bool solve_loops) {
  return DependencyGraph(diagram).order(solve_loops);
}

}  // namespace footfall
