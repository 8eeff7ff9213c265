// Pictures of a box on the ground, where geometry says which pixel shows what.

#include <gtest/gtest.h>

#include <limits>

#include "footfall/base/error.hpp"
#include "footfall/picture/robot_picture.hpp"
#include "footfall/run/simulation.hpp"
#include "tools/source_dir.hpp"

namespace footfall {
namespace {

constexpr int kWidth = 160, kHeight = 120;

class PictureOfABox : public testing::Test {
 protected:
  Simulation simulation{loadScene(sourceDir() + "/scenes/falling_box.yaml")};
  RobotPicture picture{simulation.scene(), simulation.model()};

  Picture draw(const State& state, const PictureView& view = {}) {
    return picture.draw(state, simulation.terrain(), view, kWidth, kHeight);
  }
  static Eigen::Vector3i pixel(const Picture& image, int x, int y) {
    const std::uint8_t* first = image.pixels.data() + 3 * (y * image.width + x);
    return {first[0], first[1], first[2]};
  }
};

TEST_F(PictureOfABox, ShowsTheBoxInTheMiddleAndSkyAbove) {
  const Picture image = draw(simulation.state());
  ASSERT_EQ(image.pixels.size(), 3u * kWidth * kHeight);
  const PictureView elsewhere{.distance = 2.0, .target = Vector3d(50.0, 50.0, 1.0)};
  const Eigen::Vector3i box = pixel(image, kWidth / 2, kHeight / 2);
  const Eigen::Vector3i sky = pixel(image, kWidth / 2, 0);
  EXPECT_GT(sky[2], sky[0]) << "the sky is blue";
  EXPECT_NE(box, pixel(draw(simulation.state(), elsewhere), kWidth / 2, kHeight / 2)) << "without the box";
}

TEST_F(PictureOfABox, GivesTheSameBitsTwiceAndInAnotherObject) {
  const Picture first = draw(simulation.state()), again = draw(simulation.state());
  EXPECT_EQ(first.pixels, again.pixels);
  RobotPicture other(simulation.scene(), simulation.model());
  EXPECT_EQ(other.draw(simulation.state(), simulation.terrain(), {}, kWidth, kHeight).pixels, first.pixels);
}

TEST_F(PictureOfABox, MovesWithTheRobotBeforeACameraThatStands) {
  State state = simulation.state();
  const PictureView standing{.azimuth = 0.0, .elevation = 0.2, .distance = 3.0, .target = state.basePose().p};
  const auto middleOfTheBox = [&](const Picture& image) {  // mean column of what differs from the empty ground
    State away = state;
    away.q[0] = 1e3;
    const Picture empty = draw(away, standing);
    double sum = 0.0, count = 0.0;
    for (int y = 0; y < kHeight / 2; ++y)  // above the horizontal through the box: without its shadow
      for (int x = 0; x < kWidth; ++x)
        if (pixel(image, x, y) != pixel(empty, x, y)) {
          sum += x + 0.5;
          count += 1.0;
        }
    EXPECT_GT(count, 10.0);
    return sum / count;
  };
  const double before = middleOfTheBox(draw(state, standing));
  EXPECT_NEAR(before, 0.5 * kWidth, 4.0);  // the box may stand askew
  state.q[1] += 0.3;                       // towards y: to the right, seen from x
  // 0.3 m at 3 m, times the focal length of 2.2 halves of the height
  EXPECT_NEAR(middleOfTheBox(draw(state, standing)) - before, 0.3 / 3.0 * 2.2 * 0.5 * kHeight, 2.0);
}

TEST_F(PictureOfABox, RefusesSizesThatAreNoPicture) {
  EXPECT_THROW(picture.draw(simulation.state(), simulation.terrain(), {}, 0, 10), Error);
  EXPECT_THROW(picture.draw(simulation.state(), simulation.terrain(), {}, 10, 100'000), Error);
}

TEST_F(PictureOfABox, RefusesViewsThatAreNone) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), far = 1e308;
  const auto none = std::nullopt;
  for (const PictureView& view :
       {PictureView{nan, 0.0, none, none}, PictureView{0.0, nan, none, none}, PictureView{0.0, far, none, none},
        PictureView{0.0, 0.0, 0.0, none}, PictureView{0.0, 0.0, -1.0, none}, PictureView{0.0, 0.0, far, none},
        PictureView{0.0, 0.0, none, Vector3d(nan, 0.0, 0.0)}, PictureView{0.0, 0.0, none, Vector3d(0.0, far, 0.0)}})
    EXPECT_THROW(draw(simulation.state(), view), Error);
  State state = simulation.state();
  state.q[0] = nan;
  EXPECT_THROW(draw(state), Error);
  state.q[0] = far;
  EXPECT_THROW(draw(state), Error);
}

TEST_F(PictureOfABox, LeavesOutWhatLiesFarOutside) {
  State state = simulation.state();
  state.q[0] = 1e200;  // the box is seen by nobody; its corners are no numbers of pixels
  const PictureView view{0.7, 0.35, 2.0, Vector3d(0.0, 0.0, 0.5)};
  const Picture with = draw(state, view);
  state.q[0] = 1e3;
  EXPECT_EQ(with.pixels, draw(state, view).pixels);
}

}  // namespace
}  // namespace footfall
