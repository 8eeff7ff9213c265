#include "footfall/base/suggest.hpp"

#include <gtest/gtest.h>

namespace footfall {
namespace {

TEST(EditDistance, CountsTwoForALetterAndOneForItsCase) {
  EXPECT_EQ(editDistance("knee", "knee"), 0);
  EXPECT_EQ(editDistance("knee", "Knee"), 1);
  EXPECT_EQ(editDistance("knee", "kne"), 2);
  EXPECT_EQ(editDistance("kitten", "sitting"), 6);
  EXPECT_EQ(editDistance("", "abc"), 6);
  EXPECT_EQ(editDistance("Gian", "Gain"), 2) << "two that have changed places are one mistake";
  EXPECT_EQ(editDistance("abcd", "badc"), 4);
}

TEST(NearestNames, AreSortedByDistance) {
  const std::vector<std::string> known = {"r_knee", "l_ankle", "l_knee"};
  EXPECT_EQ(nearestNames("l_kne", known), (std::vector<std::string>{"l_knee"}));
  EXPECT_EQ(nearestNames("l_knee_", known).front(), "l_knee");
}

TEST(NearestNames, AreNamedOnce) {
  EXPECT_EQ(nearestNames("quadrupd", {"quadruped", "quadruped"}), (std::vector<std::string>{"quadruped"}));
}

TEST(NearestNames, KnowAPartOfAName) {
  EXPECT_EQ(nearestNames("knee", {"left_knee_pitch_joint", "torso"}),
            (std::vector<std::string>{"left_knee_pitch_joint"}));
}

TEST(NearestNames, DoNotGuess) { EXPECT_TRUE(nearestNames("solver", {"engine", "integrator"}).empty()); }

TEST(Suggestion, ListsWhatIsKnownWhenNothingIsNear) {
  EXPECT_EQ(suggestOrList("soft", {"rigid", "gauss"}), "known: 'rigid', 'gauss'");
  EXPECT_EQ(suggestOrList("rigd", {"rigid", "gauss"}), "did you mean 'rigid'?");
  EXPECT_EQ(suggestOrList("x", std::vector<std::string>(20, "name")).substr(0, 30), "known: 'name', 'name', 'name',");
}

}  // namespace
}  // namespace footfall
