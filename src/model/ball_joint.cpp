#include "footfall/model/ball_joint.hpp"

#include <algorithm>

namespace footfall {

std::vector<DofIndex> ballsOf(const Model& model) {
  std::vector<DofIndex> balls;
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    if (model.joints[j].kind != JointKind::ball) continue;
    balls.push_back(model.joints[j].dof);
    j += 2;
  }
  std::sort(balls.begin(), balls.end());
  return balls;
}

bool isInsideBall(const Model& model, LinkIndex link) {
  const auto isBall = [&](int joint) { return joint >= 0 && model.joints[joint].kind == JointKind::ball; };
  const int own = link - 1;
  int before = 0;  // joints of balls that follow each other: three of each
  while (isBall(own - before)) ++before;
  return before % 3 != 0;
}

}  // namespace footfall
