#include "footfall/block/diagram_review.hpp"

#include "block_io/diagram_text.hpp"

namespace footfall::test {
namespace {

class Review : public DiagramText {
 protected:
  DiagramReview review(const std::string& text) const { return reviewDiagram(load(text), registry); }
  static const DiagramReview::Node& node(const DiagramReview& review, const std::string& path) {
    for (const DiagramReview::Node& each : review.nodes)
      if (each.path == path) return each;
    throw Error("", "there is no node " + path);
  }
  static int count(const DiagramReview& review, const std::string& text) {
    int found = 0;
    for (const Error& problem : review.problems) found += problem.problem().find(text) != std::string::npos;
    return found;
  }
};

TEST_F(Review, AFinishedDiagramHasNoProblems) {
  const DiagramReview found = review(R"(blocks:
  one: {block: Constant, value: [1, 2, 3], unit: N}
  twice: {block: Gain, factor: 2}
connect: [one -> twice]
)");
  EXPECT_TRUE(found.problems.empty());
  EXPECT_EQ(node(found, "twice").inputs[0].type.describe(), "vector of 3 [N]");
  EXPECT_TRUE(node(found, "twice").inputs[0].connected);
}

TEST_F(Review, FindsEverythingThatIsWrongAtOnce) {
  const DiagramReview found = review(R"(blocks:
  bad: {block: Constant}
  unknown: {block: Nonsense}
  open: {block: Gain, factor: 2}
  one: {block: Constant, value: 1, unit: m}
  scale: Scale
connect:
  - one -> scale
  - bad -> open
  - one -> nobody.in
)");
  EXPECT_EQ(count(found, "parameter 'value' is missing"), 1);
  EXPECT_EQ(count(found, "there is no kind of block 'Nonsense'"), 1);
  EXPECT_EQ(count(found, "'one.out' cannot go into 'scale.force'"), 1);
  EXPECT_EQ(count(found, "there is no block 'nobody'"), 1);
  EXPECT_EQ(count(found, "input 'in' of block 'open'"), 1) << "its line comes from a block that could not be made";
  EXPECT_EQ(count(found, "there is no block 'bad'"), 0) << "that it is missing was said already";
  EXPECT_EQ(found.problems.size(), 5u);
}

TEST_F(Review, TypesSpreadThroughWhatIsThere) {
  const DiagramReview found = review(R"(blocks:
  one: {block: Constant, value: [1, 2]}
  sum: {block: Sum, inputs: [a, b]}
  scale: Scale
connect: [one -> sum.a, sum -> scale]
)");
  EXPECT_EQ(node(found, "sum").outputs[0].type.describe(), "vector of 2");
  EXPECT_EQ(count(found, "'sum.out' cannot go into 'scale.force'"), 1);
  EXPECT_EQ(count(found, "input 'b' of block 'sum'"), 1);
}

TEST_F(Review, SubdiagramsHavePortsWithTypes) {
  const DiagramReview found = review(R"(blocks:
  one: {block: Constant, value: 1, unit: N}
  leg: Leg
subdiagrams:
  Leg:
    inputs: {in: , other: }
    outputs: {out: gain, nowhere: gone.out}
    blocks: {gain: {block: Gain, factor: 2}}
    connect: [in -> gain]
connect: [one -> leg.in]
)");
  const DiagramReview::Node& leg = node(found, "leg");
  EXPECT_EQ(leg.kind, "Leg");
  ASSERT_EQ(leg.inputs.size(), 2u);
  EXPECT_TRUE(leg.inputs[0].connected);
  EXPECT_FALSE(leg.inputs[1].connected);
  EXPECT_EQ(leg.outputs[0].type.describe(), "scalar [N]");
  EXPECT_EQ(node(found, "leg.gain").outputs[0].type.describe(), "scalar [N]");
  EXPECT_EQ(count(found, "there is no block 'leg.gone'"), 1);
}

TEST_F(Review, AConditionOfNothingIsAProblemAndNoMore) {
  const DiagramReview found = review("blocks: {one: {block: Constant, value: 1, when: nobody.out}}\n");
  EXPECT_EQ(count(found, "there is no block 'nobody'"), 1);
  EXPECT_EQ(found.problems.size(), 1u);
}

}  // namespace
}  // namespace footfall::test
