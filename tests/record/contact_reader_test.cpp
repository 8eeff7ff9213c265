// Contacts come back from a log as the steps reported them.

#include "footfall/record/contact_reader.hpp"

#include <gtest/gtest.h>

#include "footfall/record/run_recorder.hpp"
#include "footfall/run/instrumented_simulation.hpp"
#include "log/temporary_file.hpp"
#include "tools/source_dir.hpp"

namespace footfall {
namespace {

using test::TemporaryFile;

void expectSame(const ContactReport& a, const ContactReport& b) {
  EXPECT_EQ(a.frame, b.frame);
  EXPECT_EQ(a.other, b.other);
  if (!a.other.valid()) {  // that of two bodies is for the solver alone
    EXPECT_EQ(a.candidate, b.candidate);
  }
  EXPECT_EQ(a.mode, b.mode);
  EXPECT_EQ(a.gap, b.gap);
  EXPECT_EQ(a.friction, b.friction);
  EXPECT_EQ(a.p_WC, b.p_WC);
  EXPECT_EQ(a.force_W, b.force_W);
  EXPECT_EQ(a.force_C, b.force_C);
  EXPECT_EQ(a.force_p_W, b.force_p_W);
  EXPECT_EQ(a.impulse_W, b.impulse_W);
  EXPECT_EQ(a.velocity_C, b.velocity_C);
  // The second axis is made from the others: some roundings of numbers below one, and of an impulse of its own size.
  EXPECT_LT((a.R_WC - b.R_WC).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_LT((a.impulse_C - b.impulse_C).norm(), 1e-15 + 1e-14 * a.impulse_C.norm());
}

/// A robot that falls with its collision shapes, and one that stands on the points of its soles.
class LoggedContacts : public testing::TestWithParam<const char*> {};

TEST_P(LoggedContacts, AreThoseOfTheSteps) {
  const TemporaryFile file("run.mcap");
  InstrumentedSimulation robot(loadScene(sourceDir() + "/scenes/" + std::string(GetParam()) + ".yaml"));
  const auto log = makeLog(file.path());
  RunRecorder recorder(*log, robot, {.meshes = false});
  std::vector<std::vector<ContactReport>> reported;
  for (int k = 0; k < 300; ++k) {
    recorder.beforeStep(robot);
    reported.push_back(robot.step().contacts);
    recorder.afterStep(robot);
  }
  recorder.finish(robot);

  const auto back = openLog(file.path());
  const ContactReader reader(*back, robot.model());
  ASSERT_TRUE(reader.available());
  std::vector<ContactReport> contacts;
  std::size_t all = 0;
  for (std::size_t row = 0; row < reported.size(); ++row) {
    reader.read(row, contacts);
    ASSERT_EQ(contacts.size(), reported[row].size()) << "row " << row;
    for (std::size_t k = 0; k < contacts.size(); ++k) expectSame(contacts[k], reported[row][k]);
    all += contacts.size();
  }
  EXPECT_GT(all, 300u);
  reader.read(reported.size(), contacts);
  EXPECT_TRUE(contacts.empty()) << "no step starts at the last row";
}

INSTANTIATE_TEST_SUITE_P(Of, LoggedContacts, testing::Values("fallen_g1", "icub", "gripper"),
                         [](const auto& scene) { return std::string(scene.param); });

}  // namespace
}  // namespace footfall
