#include "block_io/layered_layout.hpp"

#include <gtest/gtest.h>

#include <random>

namespace footfall::test {
namespace {

LayoutNode node(int inputs, int outputs) {
  LayoutNode n;
  n.width = 80.0;
  n.height = 30.0 + 18.0 * std::max(inputs, outputs);
  for (int k = 0; k < inputs; ++k) n.inputs.push_back(30.0 + 18.0 * k);
  for (int k = 0; k < outputs; ++k) n.outputs.push_back(30.0 + 18.0 * k);
  return n;
}

LayoutNet net(int source, int port, const std::vector<std::pair<int, int>>& targets) {
  LayoutNet n;
  n.node = source;
  n.port = port;
  for (const auto& [to, input] : targets) n.targets.push_back({to, input, false, {}});
  return n;
}

TEST(LayeredLayout, PutsAChainOnAStraightLine) {
  LayeredGraph graph;
  graph.nodes = {node(1, 1), node(0, 1), node(1, 0)};
  graph.nets = {net(1, 0, {{0, 0}}), net(0, 0, {{2, 0}})};
  layOut(graph);
  EXPECT_LT(graph.nodes[1].x, graph.nodes[0].x);
  EXPECT_LT(graph.nodes[0].x, graph.nodes[2].x);
  for (const LayoutNet& n : graph.nets) EXPECT_EQ(n.targets[0].points.size(), 2u) << "no corner is needed";
}

TEST(LayeredLayout, LeadsFeedbackAroundBelow) {
  LayeredGraph graph;
  graph.nodes = {node(0, 1), node(2, 1), node(1, 1)};
  graph.nets = {net(0, 0, {{1, 0}}), net(1, 0, {{2, 0}}), net(2, 0, {{1, 1}})};
  layOut(graph);
  EXPECT_FALSE(graph.nets[0].targets[0].feedback);
  ASSERT_TRUE(graph.nets[2].targets[0].feedback);
  double lowest = 0.0;
  for (const LayoutPoint& point : graph.nets[2].targets[0].points) lowest = std::max(lowest, point.y);
  for (const LayoutNode& n : graph.nodes) EXPECT_GT(lowest, n.y + n.height);
}

TEST(LayeredLayout, UncrossesWhatCanBeUncrossed) {
  LayeredGraph graph;
  graph.nodes = {node(0, 1), node(0, 1), node(1, 0), node(1, 0)};
  graph.nets = {net(0, 0, {{3, 0}}), net(1, 0, {{2, 0}})};
  layOut(graph);
  EXPECT_EQ(graph.nodes[0].y < graph.nodes[1].y, graph.nodes[3].y < graph.nodes[2].y);
}

struct Segment {
  LayoutPoint a, b;
  int net;
};

/// Random graphs with loops, wide and narrow.
LayeredGraph randomGraph(unsigned seed) {
  std::mt19937 random(seed);
  const auto upTo = [&](int most) { return static_cast<int>(random() % static_cast<unsigned>(most + 1)); };
  LayeredGraph graph;
  const int count = 3 + upTo(22);
  for (int k = 0; k < count; ++k) graph.nodes.push_back(node(upTo(4), 1 + upTo(2)));
  for (int k = 0; k < count; ++k)
    for (int port = 0; port < static_cast<int>(graph.nodes[k].outputs.size()); ++port) {
      graph.nets.push_back(net(k, port, {}));
      graph.nets.back().label_width = upTo(40);
    }
  for (int k = 0; k < count; ++k)
    for (int port = 0; port < static_cast<int>(graph.nodes[k].inputs.size()); ++port)
      graph.nets[static_cast<std::size_t>(upTo(static_cast<int>(graph.nets.size()) - 1))].targets.push_back(
          {k, port, false, {}});
  return graph;
}

TEST(LayeredLayout, NodesNeverOverlapAndLinesAreAtRightAnglesAndAvoidNodes) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    LayeredGraph graph = randomGraph(seed);
    layOut(graph);
    for (std::size_t a = 0; a < graph.nodes.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const LayoutNode &p = graph.nodes[a], &q = graph.nodes[b];
        const bool apart =
            p.x + p.width <= q.x || q.x + q.width <= p.x || p.y + p.height <= q.y || q.y + q.height <= p.y;
        ASSERT_TRUE(apart) << a << " and " << b;
      }
    }
    for (const LayoutNet& n : graph.nets) {
      for (const LayoutNet::Target& target : n.targets) {
        ASSERT_GE(target.points.size(), 2u);
        for (std::size_t k = 1; k < target.points.size(); ++k) {
          const LayoutPoint a = target.points[k - 1], b = target.points[k];
          ASSERT_TRUE(std::abs(a.x - b.x) < 1e-9 || std::abs(a.y - b.y) < 1e-9);
          for (const LayoutNode& box : graph.nodes) {
            const bool inside = std::max(a.x, b.x) > box.x + 0.5 && std::min(a.x, b.x) < box.x + box.width - 0.5 &&
                                std::max(a.y, b.y) > box.y + 0.5 && std::min(a.y, b.y) < box.y + box.height - 0.5;
            ASSERT_FALSE(inside) << "a line of node " << n.node << " runs through a node";
          }
        }
      }
    }
  }
}

TEST(LayeredLayout, VerticalLinesOfDifferentSignalsNeverLieOnEachOther) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    LayeredGraph graph = randomGraph(seed);
    layOut(graph);
    std::vector<Segment> vertical;
    for (int k = 0; k < static_cast<int>(graph.nets.size()); ++k)
      for (const LayoutNet::Target& target : graph.nets[k].targets)
        for (std::size_t i = 1; i < target.points.size(); ++i)
          if (std::abs(target.points[i].x - target.points[i - 1].x) < 1e-9)
            vertical.push_back({target.points[i - 1], target.points[i], k});
    for (const Segment& p : vertical)
      for (const Segment& q : vertical) {
        if (p.net == q.net || std::abs(p.a.x - q.a.x) > 1e-9) continue;
        ASSERT_TRUE(std::max(p.a.y, p.b.y) < std::min(q.a.y, q.b.y) || std::max(q.a.y, q.b.y) < std::min(p.a.y, p.b.y));
      }
  }
}

}  // namespace
}  // namespace footfall::test
