#include <filesystem>

#include "block_io/diagram_text.hpp"
#include "footfall/diagram_file/diagram_text.hpp"

namespace footfall::test {
namespace {

/// Without what depends on the file: an order of writing that loses nothing.
std::string writtenTwice(const SceneDiagram& diagram, const TempFolder& folder) {
  return diagramText(loadDiagramFile(folder.write("again.yaml", diagramText(diagram))).diagram);
}

constexpr const char* kEverything = R"(about: "All: of it, #1"
step: 2 ms
solver: rk45
tolerance: 1e-7
algebraic_loops: solve
parameters:
  feet: {default: [l_sole, r_sole], help: frames, unit: "-"}
  gain: 1
  must: {help: no default}
inputs:
  ${foot}_load: {for: {foot: $feet}, type: scalar, unit: N}
  any:
  m: {type: matrix, size: [2, 3], help: "quoted: yes"}
outputs:
  total: sum.out
  more: {from: sum.out, help: again}
blocks:
  ${foot}_gain: {for: {foot: $feet}, block: Gain, factor: $gain}
  sum: {block: Sum, inputs: [a, b], sample: {period: 10 ms, offset: 2 ms}, when: {rises: x.out, restart: true}}
  text: {block: Constant, value: 5 deg, unit: "1", empty: "", flag: true, quoted: "true", map: {a: [1, "2"], b: {c: x}}}
  plain: Delay
connect:
  - x -> y -> sum.a, sum.b
  - <tag> -> plain
  - for: {foot: $feet}
    connect: [$(foot)_load -> $(foot)_gain]
subdiagrams:
  Empty: {blocks: {}}
  Leg: {blocks: {a: Delay}, outputs: {out: a}, layout: {a: [1, 2]}}
log: [sum.out, a.b.c]
layout: {sum: [160, -40.5], plain: [0, 0]}
)";

TEST_F(DiagramText, IsTheSameAfterItWasWrittenAndRead) {
  const SceneDiagram diagram = load(kEverything);
  const std::string text = diagramText(diagram);
  EXPECT_EQ(writtenTwice(diagram, folder), text);
  const SceneDiagram again = loadDiagramFile(folder.write("again.yaml", text)).diagram;
  EXPECT_EQ(again.about, "All: of it, #1");
  EXPECT_EQ(again.step, diagram.step);
  EXPECT_EQ(again.tolerance, 1e-7);
  ASSERT_EQ(again.blocks.size(), diagram.blocks.size());
  for (std::size_t k = 0; k < again.blocks.size(); ++k) {
    ASSERT_EQ(again.blocks[k].parameters.size(), diagram.blocks[k].parameters.size());
    for (std::size_t p = 0; p < again.blocks[k].parameters.size(); ++p) {
      EXPECT_EQ(again.blocks[k].parameters[p].first, diagram.blocks[k].parameters[p].first);
      EXPECT_EQ(again.blocks[k].parameters[p].second.quoted, diagram.blocks[k].parameters[p].second.quoted)
          << again.blocks[k].parameters[p].first << ": a text stays a text, a number a number";
    }
  }
  EXPECT_EQ(again.connections.size(), 3u);
  EXPECT_EQ(again.connections[0].text, "x -> y -> sum.a, sum.b");
  EXPECT_EQ(again.connections[2].repeats.size(), 1u);
  ASSERT_EQ(again.layout.size(), 2u);
  EXPECT_EQ(again.layout[0].y, -40.5);
  EXPECT_EQ(again.subdiagrams[1].layout[0].x, 1.0);
  EXPECT_FALSE(again.parameters[2].fallback.given());
}

TEST_F(DiagramText, RunsTheSameAfterItWasWritten) {
  const std::string text = R"(blocks:
  one: {block: Constant, value: 1.1}
  legs: {block: Legs, gain: 3}
subdiagrams:
  Legs:
    parameters: {gain: 1}
    inputs: {in: {type: scalar}}
    outputs: {out: last}
    blocks: {first: {block: Gain, factor: $gain}, last: {block: Gain, factor: 0.1}}
    connect: [in -> first -> last]
connect: [one -> legs.in]
outputs: {out: legs.out}
)";
  const Diagram before = build(text), after = build(diagramText(load(text)));
  EXPECT_EQ(value(before, "out"), value(after, "out"));
  EXPECT_EQ(value(after, "out"), 1.1 * 3.0 * 0.1);
}

/// Texts that mean something in YAML are still texts afterwards.
TEST_F(DiagramText, HostileTextsStayTexts) {
  for (const std::string text :
       {"a: b", "- x", "[",     "{}",    "#", "&a", "*a", "!!str x", "'", "\"", "\n",   "~",   "null", "true",
        "1e3",  " x ", "a\\nb", "é → ∞", "-", "|",  ">",  "%",       "@", "`",  "a\tb", "? x", "x: [y"}) {
    SceneDiagram diagram;
    diagram.where = "code";
    SceneBlock block;
    block.name = "block" + text;
    block.kind = text;
    SceneTree value;
    value.kind = SceneTree::Kind::text;
    value.text = text;
    value.quoted = true;
    block.parameters.emplace_back("key " + text, value);
    diagram.blocks.push_back(block);
    diagram.about = text;
    const SceneDiagram read = loadDiagramFile(folder.write("hostile.yaml", diagramText(diagram))).diagram;
    ASSERT_EQ(read.blocks.size(), 1u) << text;
    EXPECT_EQ(read.blocks[0].name, block.name);
    EXPECT_EQ(read.blocks[0].kind, text);
    EXPECT_EQ(read.about, text);
    ASSERT_EQ(read.blocks[0].parameters.size(), 1u);
    EXPECT_EQ(read.blocks[0].parameters[0].first, "key " + text);
    EXPECT_EQ(read.blocks[0].parameters[0].second.text, text);
    EXPECT_TRUE(read.blocks[0].parameters[0].second.quoted);
  }
}

TEST_F(DiagramText, ValuesAreOneLineAndComeBack) {
  for (const char* text : {"5 deg", "[1, 2, [3]]", "\"++\"", "{a: 1, b: [x]}", "true", "\"\"", "$feet", "-3.5e-7"})
    EXPECT_EQ(treeText(parseTree(text, "here")), text);
  EXPECT_EQ(treeText(parseTree("", "here")), "");
  EXPECT_EQ(footfall::errorOf([] { parseTree("[1", "here"); }).where(), "here");
  // A few letters that are billions of values.
  EXPECT_THROW(parseTree("[&a [x,x,x,x,x,x,x,x], &b [*a,*a,*a,*a,*a,*a,*a,*a], &c [*b,*b,*b,*b,*b,*b,*b,*b], &d "
                         "[*c,*c,*c,*c,*c,*c,*c,*c], [*d,*d,*d,*d,*d,*d,*d,*d]]",
                         "here"),
               Error);
}

TEST_F(DiagramText, PlacesOfBlocksAreTwoNumbers) {
  EXPECT_NE(errorOf("blocks: {a: Delay}\nlayout: {a: [1]}\n").find("d.yaml:2: layout.a has 1 numbers, expected two"),
            std::string::npos);
  EXPECT_NE(errorOf("blocks: {a: Delay}\nlayout: {a: [1, x]}\n").find("d.yaml:2"), std::string::npos);
}

}  // namespace
}  // namespace footfall::test
