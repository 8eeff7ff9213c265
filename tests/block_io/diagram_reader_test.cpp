#include "block_io/diagram_text.hpp"

namespace footfall::test {
namespace {

TEST_F(DiagramText, FiveLinesAreADiagram) {
  const Diagram diagram = build(R"(blocks:
  three: {block: Constant, value: 3}
  twice: {block: Gain, factor: 2}
connect:
  - three.out -> twice.in
)");
  EXPECT_EQ(value(diagram, "twice.out"), 6.0);
  EXPECT_EQ(diagram.blocks()[0].kind, "Constant");
  EXPECT_NE(diagram.blocks()[0].where.find("d.yaml:2"), std::string::npos);
  EXPECT_EQ(diagram.settings().step, 1e-3);
}

TEST_F(DiagramText, SolverToleranceAndLoopsAreSettings) {
  const Diagram diagram = build(R"(solver: rk45
tolerance: 1e-8
algebraic_loops: solve
blocks:
  one: {block: Constant, value: 1}
  sum: {block: Sum, inputs: [a, b]}
  half: {block: Gain, factor: 0.5}
connect:
  - one -> sum.a
  - sum -> half -> sum.b
)");
  EXPECT_EQ(diagram.settings().solver, "rk45");
  EXPECT_EQ(diagram.settings().tolerance, 1e-8);
  EXPECT_NEAR(value(diagram, "sum.out"), 2.0, 1e-12);
}

TEST_F(DiagramText, WhenSwitchesABlockAndNamesStandForSignals) {
  const Diagram diagram = build(R"(blocks:
  on: {block: Constant, value: 1}
  off: {block: Constant, value: 0}
  a: {block: Gain, factor: 2, when: on.out}
  b: {block: Gain, factor: 2, when: not on.out}
  c: {block: Gain, factor: 2, when: {not: off.out, restart: true}}
  d: {block: Twice, when: {rises: on.out}}
connect:
  - on -> <level>
  - <level> -> a, b, c, d.in
subdiagrams:
  Twice: {inputs: {in: }, outputs: {out: gain}, blocks: {gain: {block: Gain, factor: 2}}, connect: [in -> gain]}
)");
  EXPECT_EQ(value(diagram, "a.out"), 2.0);
  EXPECT_EQ(value(diagram, "b.out"), 0.0);
  EXPECT_EQ(value(diagram, "c.out"), 2.0);
  EXPECT_EQ(value(diagram, "d.gain.out"), 0.0) << "nothing rises at the first instant";
  EXPECT_EQ(diagram.blocks()[diagram.block("b")].condition, "when not on.out");
  ASSERT_EQ(diagram.subdiagrams().size(), 1u);
  EXPECT_EQ(diagram.subdiagrams()[0].condition, "when on.out rises");
}

TEST_F(DiagramText, AWrongConditionIsNamedWithItsLine) {
  const auto problem = [&](const std::string& when) {
    return errorOf("blocks:\n  one: {block: Constant, value: 1}\n  a: {block: Gain, factor: 2, when: " + when +
                   "}\nconnect: [one -> a]\n");
  };
  const auto says = [&](const std::string& when, const std::string& wanted) {
    const std::string message = problem(when);
    return message.find("d.yaml:3") != std::string::npos && message.find(wanted) != std::string::npos;
  };
  EXPECT_TRUE(says("{rise: one.out}", "when.rise is not a known key")) << problem("{rise: one.out}");
  EXPECT_TRUE(says("{rise: one.out}", "did you mean 'rises'")) << problem("{rise: one.out}");
  EXPECT_TRUE(says("oen.out", "there is no block 'oen'")) << problem("oen.out");
  EXPECT_TRUE(says("{is: one.out, not: one.out}", "two signals"));
  EXPECT_TRUE(says("{restart: true}", "does not name a signal"));
}

TEST_F(DiagramText, ChainsAndSeveralInputsAreConnectedInOneLine) {
  const Diagram diagram = build(R"(step: 2 ms
solver: euler
blocks:
  one: {block: Constant, value: 1}
  twice: {block: Gain, factor: 2}
  sum: {block: Sum, inputs: [a, b]}
connect:
  - one -> twice -> sum.a, sum.b
)");
  EXPECT_EQ(value(diagram, "sum.out"), 4.0);
  EXPECT_EQ(diagram.settings().step, 2e-3);
  EXPECT_EQ(diagram.settings().solver, "euler");
}

TEST_F(DiagramText, SampleTimesHaveUnitsAndOffsets) {
  const Diagram diagram = build(R"(blocks:
  a: {block: Constant, value: 1, sample: 10 ms}
  b: {block: Constant, value: 1, sample: {period: 20 ms, offset: 5 ms}}
  c: {block: Constant, value: 1, sample: continuous}
)");
  EXPECT_EQ(diagram.blocks()[0].sample_time.period, 0.01);
  EXPECT_EQ(diagram.blocks()[1].sample_time.period, 0.02);
  EXPECT_EQ(diagram.blocks()[1].sample_time.offset, 0.005);
  EXPECT_EQ(diagram.blocks()[2].sample_time.kind, SampleTime::Kind::continuous);
}

TEST_F(DiagramText, InputsAndOutputsOfTheDiagramAreItsOwnPorts) {
  const Diagram diagram = build(R"(inputs:
  force: {type: vector, size: 3, unit: N}
outputs:
  doubled: twice.out
blocks:
  twice: {block: Gain, factor: 2}
connect: [force -> twice]
)");
  Context context = diagram.makeContext();
  context.setInput("force", Vector3d(1.0, 2.0, 3.0));
  diagram.evaluate(context);
  EXPECT_EQ(context.signal("doubled"), Vector3d(2.0, 4.0, 6.0));
  EXPECT_EQ(context.signalType("doubled").unit, "N");
}

constexpr const char* kLegs = R"(blocks:
  legs: {block: Legs, feet: [a, b, c], gain: 5}
  one: {block: Constant, value: 1}
connect:
  - {for: {foot: [a, b, c]}, connect: [one -> legs.$(foot)_load]}
outputs: {total: legs.total}
subdiagrams: {Legs: legs.yaml}
)";
constexpr const char* kLegsFile = R"(about: adds the loads of any number of feet
parameters:
  feet: {default: [left, right], help: names of the feet}
  gain: 1
inputs:
  ${foot}_load: {for: {foot: $feet}, type: scalar, help: of one foot}
outputs:
  total: sum.out
blocks:
  $(foot)_gain: {for: {foot: $feet}, block: Gain, factor: $gain}
  sum: {block: Sum, inputs: $feet}
connect:
  - for: {foot: $feet}
    connect:
      - ${foot}_load -> ${foot}_gain -> sum.$foot
)";

TEST_F(DiagramText, PortsAndContentsOfASubdiagramFollowFromItsParameters) {
  folder.write("legs.yaml", kLegsFile);
  const Diagram diagram = build(kLegs);
  EXPECT_EQ(value(diagram, "total"), 15.0);
  EXPECT_EQ(diagram.blocks().size(), 5u);
  ASSERT_EQ(diagram.subdiagrams().size(), 1u);
  EXPECT_EQ(diagram.subdiagrams()[0].path, "legs");
  EXPECT_EQ(diagram.subdiagrams()[0].kind, "Legs");
  EXPECT_NO_THROW(diagram.block("legs.c_gain"));
}

TEST_F(DiagramText, AFileWithParametersRunsByItselfWithOtherValues) {
  const Parameters four({{"feet", std::vector<std::string>{"lf", "rf", "lh", "rh"}}, {"gain", 2.0}});
  const SceneDiagram legs = load(kLegsFile);
  EXPECT_EQ(readDiagram(legs, registry).build().inputs().size(), 2u) << "two feet if nothing is said";
  const Diagram diagram = readDiagram(legs, registry, nullptr, four).build();
  ASSERT_EQ(diagram.inputs().size(), 4u);
  Context context = diagram.makeContext();
  for (const Diagram::Port& port : diagram.inputs()) context.setInput(port.name, 1.0);
  diagram.evaluate(context);
  EXPECT_EQ(context.signal("total")[0], 8.0);
}

TEST_F(DiagramText, SubdiagramsUseEachOther) {
  const Diagram diagram = build(R"(blocks: {all: Outer}
outputs: {out: all.out}
subdiagrams:
  Inner:
    parameters: {value: {help: of the constant}}
    blocks: {c: {block: Constant, value: $value}}
    outputs: {out: c.out}
  Outer:
    blocks: {inner: {block: Inner, value: 7}}
    outputs: {out: inner.out}
)");
  EXPECT_EQ(value(diagram, "out"), 7.0);
  EXPECT_EQ(diagram.blocks()[0].path, "all.inner.c");
}

TEST_F(DiagramText, TheCommandLineReachesIntoADiagram) {
  const SceneDiagram read = load(R"(blocks:
  one: {block: Constant, value: 1}
)",
                                 {{"blocks.one.value", "4"}});
  EXPECT_EQ(value(readDiagram(read, registry).build(), "one.out"), 4.0);
}

TEST_F(DiagramText, ASceneHoldsADiagramOrNamesItsFile) {
  folder.write("d.yaml", "blocks: {one: {block: Constant, value: 1}}\nlog: [one.out]\n");
  const std::string robot = "robot: {model: box.urdf}\n";
  const std::string inline_scene =
      folder.write("s.yaml", robot + "diagram:\n  blocks: {one: {block: Constant, value: 2}}\n");
  const std::string file_scene = folder.write("t.yaml", robot + "diagram: d.yaml\n");
  EXPECT_EQ(loadScene(inline_scene).diagram.blocks[0].name, "one");
  const Scene scene = loadScene(file_scene);
  EXPECT_EQ(scene.diagram.log, std::vector<std::string>{"one.out"});
  EXPECT_TRUE(isSceneFile(file_scene));
  EXPECT_FALSE(isSceneFile(folder.path() / "d.yaml"));
}

}  // namespace
}  // namespace footfall::test
