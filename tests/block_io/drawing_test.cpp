#include "block_io/diagram_text.hpp"
#include "footfall/block_io/diagram_drawing.hpp"

namespace footfall::test {
namespace {

constexpr const char* kLoop = R"(inputs: {wanted: {type: scalar, unit: N}}
outputs: {held: legs.out}
blocks:
  error: {block: Sum, inputs: [wanted, held]}
  legs: {block: Leg}
  memory: {block: Delay, sample: 10 ms}
connect:
  - wanted -> error.wanted
  - error -> legs.in
  - legs.out -> memory -> error.held
subdiagrams:
  Leg:
    inputs: {in: {type: scalar}}
    outputs: {out: b.out}
    blocks: {a: {block: Gain, factor: 2}, b: {block: Gain, factor: 0.5}}
    connect: [in -> a -> b]
)";

/// Five inputs, none of which it needs.
class Optional : public Block {
 public:
  explicit Optional(const Parameters&) {}
  static BlockDescription description() {
    return {"Optional", "maths", "takes what there is", {}, {{"a", ""}, {"b", ""}, {"c", ""}, {"d", ""}, {"e", ""}},
            {},         ""};
  }
  void declare(BlockInterface& io) const override {
    for (const char* name : {"a", "b", "c", "d", "e"}) io.optionalInput(name, SignalType::scalar());
  }
  void outputs(Evaluation&) const override {}
};

const DiagramDrawing::Block& blockOf(const DiagramDrawing& drawing, const std::string& path) {
  for (const DiagramDrawing::Block& block : drawing.blocks)
    if (block.path == path) return block;
  throw std::out_of_range(path);
}

TEST_F(DiagramText, DrawsBlocksInTheDirectionOfTheirSignals) {
  const Diagram diagram = build(kLoop);
  const DiagramDrawing drawing = drawDiagram(diagram, registry, "loop");
  EXPECT_LT(blockOf(drawing, "error").x, blockOf(drawing, "legs.a").x);
  EXPECT_LT(blockOf(drawing, "legs.a").x, blockOf(drawing, "legs.b").x);
  EXPECT_EQ(blockOf(drawing, "memory").sample, "10 ms");
  EXPECT_EQ(blockOf(drawing, "legs.b").category, "maths");
  ASSERT_EQ(drawing.frames.size(), 1u);
  const DiagramDrawing::Frame& frame = drawing.frames[0];
  EXPECT_EQ(frame.kind, "Leg");
  for (const char* path : {"legs.a", "legs.b"}) {
    const DiagramDrawing::Block& block = blockOf(drawing, path);
    EXPECT_GT(block.x, frame.x);
    EXPECT_LT(block.x + block.width, frame.x + frame.width);
    EXPECT_GT(block.y, frame.y);
    EXPECT_LT(block.y + block.height, frame.y + frame.height);
  }
  ASSERT_EQ(drawing.pins.size(), 4u) << "one for each port of the diagram and of the sub-diagram";
}

TEST_F(DiagramText, LinesBeginAndEndAtThePortsThatTheyConnect) {
  const DiagramDrawing drawing = drawDiagram(build(kLoop), registry);
  int checked = 0;
  for (const DiagramDrawing::Line& line : drawing.lines) {
    if (!line.arrives) continue;
    const std::string path = line.target.substr(0, line.target.rfind('.'));
    for (const DiagramDrawing::Port& port : blockOf(drawing, path).inputs) {
      if (path + "." + port.name != line.target) continue;
      EXPECT_EQ(line.points.back().x, port.at.x) << line.target;
      EXPECT_EQ(line.points.back().y, port.at.y) << line.target;
      ++checked;
    }
  }
  EXPECT_EQ(checked, 5) << "inputs of all blocks";
}

TEST_F(DiagramText, IdlePortsShareARowBelowTheOthersWhenTheyAreFolded) {
  registry.add<Optional>();
  const Diagram diagram = build(R"(blocks: {source: {block: Constant, value: 1}, some: {block: Optional}}
connect: [source -> some.b, source -> some.d]
)");
  const DiagramDrawing::Block open = blockOf(drawDiagram(diagram, registry), "some");
  const DiagramDrawing::Block folded = blockOf(drawDiagram(diagram, registry, "", "", {.fold_idle = true}), "some");
  EXPECT_LT(folded.height, open.height) << "three idle ports take one row";
  ASSERT_EQ(folded.inputs.size(), 5u);
  const auto row = [&](std::size_t k) { return folded.inputs[k].at.y; };
  EXPECT_EQ(row(0), row(2));
  EXPECT_EQ(row(0), row(4));
  EXPECT_LT(row(1), row(3));
  EXPECT_LT(row(3), row(0)) << "below those that are connected";
  for (const DiagramDrawing::Port& port : folded.inputs) EXPECT_LT(port.at.y, folded.y + folded.height) << port.name;
}

TEST_F(DiagramText, PictureAndDataHoldEveryBlock) {
  const DiagramDrawing drawing = drawDiagram(build(kLoop), registry, "a <b> & c");
  const std::string svg = toSvg(drawing), json = toJson(drawing);
  for (const char* name : {"error", "memory", "legs", "10 ms", "Leg", "held"}) {
    EXPECT_NE(svg.find(name), std::string::npos) << name;
    EXPECT_NE(json.find(name), std::string::npos) << name;
  }
  EXPECT_NE(svg.find("a &lt;b&gt; &amp; c"), std::string::npos) << "names may hold any letters";
  EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
}

}  // namespace
}  // namespace footfall::test
