// Every misuse of a diagram file is refused with its line and the names of the blocks.

#include "block_io/diagram_text.hpp"

namespace footfall::test {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_F(DiagramText, NamesTheWholeCycle) {
  const std::string error = errorOf(R"(blocks:
  a: {block: Gain, factor: 1}
  b: {block: Gain, factor: 1}
  c: {block: Gain, factor: 1}
connect:
  - a -> b -> c
  - c -> a
)");
  for (const char* block : {"a", "b", "c"}) EXPECT_TRUE(has(error, std::string(block) + ".")) << error;
  EXPECT_TRUE(has(error, "->") || has(error, "→")) << error;
}

TEST_F(DiagramText, NamesAnInputWithoutSource) {
  const std::string error = errorOf("blocks:\n  a: {block: Gain, factor: 1}\n");
  EXPECT_TRUE(has(error, "d.yaml:2: input 'in' of block 'a'")) << error;
  EXPECT_TRUE(has(error, "is not connected")) << error;
}

TEST_F(DiagramText, NamesTwoWritersOfAnInput) {
  const std::string error = errorOf(R"(blocks:
  x: {block: Constant, value: 1}
  y: {block: Constant, value: 2}
  a: {block: Gain, factor: 1}
connect:
  - x -> a
  - y -> a.in
)");
  EXPECT_TRUE(has(error, "d.yaml:7: ")) << error;
  EXPECT_TRUE(has(error, "'a.in'") && has(error, "'x'") && has(error, "'y'")) << error;
}

TEST_F(DiagramText, NamesBothEndsOfAUnitMismatch) {
  const std::string error = errorOf(R"(blocks:
  x: {block: Constant, value: 1, unit: N m}
  scale: Scale
connect: [x -> scale]
)");
  EXPECT_TRUE(has(error, "d.yaml:4: ")) << error;
  EXPECT_TRUE(has(error, "x.out") && has(error, "scale.force") && has(error, "N m")) << error;
}

TEST_F(DiagramText, NamesAnUnknownParameterAndTheNearestOne) {
  const std::string error = errorOf("blocks:\n  a: {block: Gain, factr: 1, factor: 2}\n");
  EXPECT_TRUE(has(error, "d.yaml:2: ")) << error;
  EXPECT_TRUE(has(error, "a (Gain)") && has(error, "factr") && has(error, "did you mean 'factor'?")) << error;
}

TEST_F(DiagramText, NamesAMisspeltParameterBeforeTheOneThatIsMissing) {
  const std::string error = errorOf("blocks:\n  a: {block: Gain, faktor: 1}\n");
  EXPECT_TRUE(has(error, "d.yaml:2: block a (Gain): parameter 'faktor'")) << error;
  EXPECT_TRUE(has(error, "did you mean 'factor'?")) << error;
}

TEST_F(DiagramText, NamesAParameterOfTheWrongKind) {
  const std::string error = errorOf("blocks:\n  a:\n    block: Gain\n    factor: [two]\n");
  EXPECT_TRUE(has(error, "d.yaml:4: ")) << error;
  EXPECT_TRUE(has(error, "a (Gain)") && has(error, "factor")) << error;
}

TEST_F(DiagramText, NamesAnUnknownKindAndTheNearestOne) {
  EXPECT_EQ(errorOf("blocks:\n  a: {block: Gan, factor: 1}\n"),
            "d.yaml:2: there is no kind of block 'Gan'\n  hint: did you mean 'Gain'?");
}

TEST_F(DiagramText, NamesAnUnknownBlockOrPortOfALine) {
  const std::string blocks = "blocks:\n  one: {block: Constant, value: 1}\n  a: {block: Gain, factor: 1}\nconnect:\n";
  EXPECT_TRUE(has(errorOf(blocks + "  - on -> a\n"), "d.yaml:5: there is no block 'on'"));
  EXPECT_TRUE(has(errorOf(blocks + "  - one -> a.input\n"), "block 'a' has no input 'input'"));
}

TEST_F(DiagramText, RefusesALineThatIsNone) {
  const std::string blocks = "blocks:\n  one: {block: Constant, value: 1}\nconnect:\n";
  EXPECT_TRUE(has(errorOf(blocks + "  - one, a\n"), "d.yaml:4: 'one, a' is not a connection: there is no '->' in it"));
  EXPECT_TRUE(has(errorOf(blocks + "  - 'one ->'\n"), "one of its ends is missing"));
  EXPECT_TRUE(has(errorOf(blocks + "  - one -> a, b -> c\n"), "only its end may name several inputs"));
}

TEST_F(DiagramText, RefusesUnknownKeys) {
  EXPECT_EQ(errorOf("block: {}\n"), "d.yaml:1: block is not a known key\n  hint: did you mean 'blocks'?");
  EXPECT_TRUE(has(errorOf("blocks:\n  a: {factor: 1}\n"), "d.yaml:2: blocks.a has no 'block'"));
}

TEST_F(DiagramText, RefusesKeysThatWouldDoNothing) {
  const std::string blocks = "blocks: {a: {block: Constant, value: 1}}\n";
  EXPECT_TRUE(has(errorOf(blocks + "tolerance: 1e-3\n"), "d.yaml:2: tolerance is given, but the solver is not rk45"));
  EXPECT_TRUE(has(errorOf(blocks + "inputs: {x: {type: scalar, size: 3}}\n"),
                  "d.yaml:2: inputs.x.size is given beside the type 'scalar'"));
  EXPECT_TRUE(has(errorOf(blocks + "inputs: {x: {size: 3}}\n"), "d.yaml:2: inputs.x.size is given without a type"));
  for (const char* key : {"step: 1 ms", "solver: euler", "algebraic_loops: solve", "log: [c.out]"})
    EXPECT_TRUE(
        has(errorOf(blocks + "subdiagrams:\n  Part:\n    blocks: {c: {block: Constant, value: 1}}\n    " + key + "\n"),
            "is not read in a part of a diagram"))
        << key;
  // A file may be run by itself, too.
  folder.write("part.yaml", "step: 1 ms\nblocks: {c: {block: Constant, value: 1}}\n");
  EXPECT_NO_THROW(build(blocks + "subdiagrams: {Part: part.yaml}\n"));
}

TEST_F(DiagramText, NamesAnInputWithoutSizeWithItsLine) {
  EXPECT_EQ(errorOf("blocks: {a: {block: Constant, value: 1}}\ninputs:\n  x: {type: vector}\n"),
            "d.yaml:3: input 'x' of the diagram is vector of any size, expected a type with a size");
}

TEST_F(DiagramText, RefusesFilesThatIncludeEachOther) {
  folder.write("a.yaml", "blocks: {}\nsubdiagrams: {B: b.yaml}\n");
  folder.write("b.yaml", "blocks: {}\nsubdiagrams:\n  A: {file: a.yaml}\n");
  const std::string error = errorOf("blocks: {}\nsubdiagrams: {A: a.yaml}\n");
  EXPECT_TRUE(has(error, "b.yaml:3: ")) << error;
  EXPECT_TRUE(has(error, "d.yaml -> a.yaml -> b.yaml -> a.yaml")) << error;
}

TEST_F(DiagramText, RefusesASubdiagramThatContainsItself) {
  const std::string error = errorOf(R"(blocks: {a: A}
subdiagrams:
  A: {blocks: {b: B}}
  B: {blocks: {a: A}}
)");
  EXPECT_TRUE(has(error, "d.yaml:4: ")) << error;
  EXPECT_TRUE(has(error, "'A' contains itself: A -> B -> A")) << error;
}

TEST_F(DiagramText, SaysWhichFileIsNotThere) {
  EXPECT_TRUE(has(errorOf("subdiagrams: {A: nowhere.yaml}\nblocks: {}\n"), "d.yaml:1: subdiagrams.A names the file"));
}

TEST_F(DiagramText, NamesBlocksInsideOfSubdiagramsByTheirPath) {
  const std::string error = errorOf(R"(blocks: {outer: A}
subdiagrams:
  A:
    blocks:
      inner: {block: Gain}
)");
  EXPECT_TRUE(has(error, "d.yaml:5: ") && has(error, "outer.inner (Gain)") && has(error, "factor")) << error;
}

TEST_F(DiagramText, RefusesASampleTimeThatIsNone) {
  const std::string error = errorOf("blocks:\n  a: {block: Constant, value: 1, sample: 10 kg}\n");
  EXPECT_TRUE(has(error, "d.yaml:2: sample is '10 kg'")) << error;
  EXPECT_TRUE(has(errorOf("blocks:\n  a: {block: Constant, value: 1, sample: {perod: 1}}\n"), "'period'"));
}

}  // namespace
}  // namespace footfall::test
