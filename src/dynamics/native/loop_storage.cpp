#include "dynamics/native/loop_storage.hpp"

#include <algorithm>

namespace footfall::native {
namespace {

Vec3<double> vec3(const Vector3d& v) { return {v.x(), v.y(), v.z()}; }

}  // namespace

LoopStorage::LoopStorage(const TreeStorage& tree, const Model& model) : tree_(tree) {
  const Tree& t = tree_.tree();
  set_.coordinates = t.base_dofs + t.links - 1;
  for (const LoopPoint& point : loopPoints(model)) addTie(model, point);
  set_.share_of_open = shareOfOpenLoops(model);
  for (int i = 0; i < t.base_dofs; ++i) generalized_.push_back(i);
  for (int k = 1; k < t.links; ++k) generalized_.push_back(t.base_dofs + t.dof[k]);
  assignLanes();
  listCoordinates();
  listMovingJoints();
  share();
}

void LoopStorage::addTie(const Model& model, const LoopPoint& point) {
  const Loop& loop = model.loops[point.loop];
  const auto number = [&](LinkIndex link) { return link.valid() ? tree_.number(link) : -1; };
  const auto inK = [&](LinkIndex link) {
    return link.valid() ? Matrix3d(tree_.R_LK(tree_.number(link)).transpose()) : Matrix3d(Matrix3d::Identity());
  };
  const Matrix3d R_AF = inK(loop.link_a) * point.R_AF;
  LoopTie tie{number(loop.link_a),
              number(loop.link_b),
              vec3(inK(loop.link_a) * point.p_A),
              vec3(inK(loop.link_b) * point.p_B),
              {vec3(R_AF.col(0)), vec3(R_AF.col(1)), vec3(R_AF.col(2))},
              {-1, -1, -1}};
  forTiedAxes(point, set_.rows, [&](int row, int axis) {
    tie.row[axis] = row;
    signs_.push_back(signsOf(tie));
  });
  ties_.push_back(tie);
}

void LoopStorage::addPath(int link, double sign, Signs& signs) const {
  if (link < 0) return;
  const Tree& tree = tree_.tree();
  for (int i = 0; i < tree.base_dofs; ++i) signs[i] += sign;
  const int* path = tree.path + tree.path_begin[link];
  for (int d = 0; d <= tree.depth[link]; ++d) signs[tree.base_dofs + path[d] - 1] += sign;
}

LoopStorage::Signs LoopStorage::signsOf(const LoopTie& tie) const {
  Signs signs(set_.coordinates, 0.0);
  addPath(tie.link_b, 1.0, signs);
  addPath(tie.link_a, -1.0, signs);
  return signs;
}

/// A row goes into the chunk of the row before it if that has room, and if both move some coordinate in common.
void LoopStorage::assignLanes() {
  const auto shareACoordinate = [](const Signs& a, const Signs& b) {
    for (std::size_t i = 0; i < a.size(); ++i)
      if (a[i] != 0.0 && b[i] != 0.0) return true;
    return false;
  };
  for (int r = 0; r < set_.rows; ++r) {
    const bool fits = r > 0 && lane_.back() % 8 != 7 && shareACoordinate(signs_[r], signs_[r - 1]);
    lane_.push_back(fits ? lane_.back() + 1 : 8 * set_.chunks++);
  }
}

void LoopStorage::listCoordinates() {
  const Tree& tree = tree_.tree();
  const int n = set_.coordinates;
  touched_.assign(set_.chunks * n, 0);
  reached_.assign(set_.chunks * n, 0);
  touched_count_.assign(set_.chunks, 0);
  reached_count_.assign(set_.chunks, 0);
  for (int c = 0; c < set_.chunks; ++c) {
    std::vector<bool> touched(n, false), reached(n, false);
    for (int r = 0; r < set_.rows; ++r)
      for (int i = 0; i < n; ++i)
        if (lane_[r] / 8 == c && signs_[r][i] != 0.0) touched[i] = true;
    for (int i = 0; i < tree.base_dofs; ++i) reached[i] = true;
    for (int k = 1; k < tree.links; ++k) {
      const auto joint = [&](int j) { return touched.begin() + tree.base_dofs + j - 1; };
      reached[tree.base_dofs - 1 + k] = std::find(joint(k), joint(tree.last[k] + 1), true) != joint(tree.last[k] + 1);
    }
    for (int i = 0; i < n; ++i) {
      if (touched[i]) touched_[c * n + touched_count_[c]++] = i;
      if (reached[i]) reached_[c * n + reached_count_[c]++] = i;
    }
  }
}

void LoopStorage::listMovingJoints() {
  const Tree& tree = tree_.tree();
  const auto moves = [&](int coordinate) {
    return std::any_of(signs_.begin(), signs_.end(), [&](const Signs& signs) { return signs[coordinate] != 0.0; });
  };
  moves_.assign(tree.links, 0);
  // A loop that is tied to the world needs the base where it is, even one that stands still.
  moves_[0] = std::any_of(ties_.begin(), ties_.end(), [](const LoopTie& t) { return t.link_a < 0 || t.link_b < 0; });
  for (int k = 1; k < tree.links; ++k) {
    moves_[k] = moves(tree.base_dofs + k - 1);
    if (moves_[k]) moving_joint_.push_back(k);
  }
  for (int b = 0; b < tree.balls; ++b) {
    const auto found = std::find(moving_joint_.begin(), moving_joint_.end(), tree.ball[b]);
    if (found != moving_joint_.end()) balls_.push_back(static_cast<int>(found - moving_joint_.begin()));
  }
}

void LoopStorage::share() {
  set_.ties = static_cast<int>(ties_.size()), set_.tie = ties_.data();
  set_.lane = lane_.data(), set_.generalized = generalized_.data();
  set_.touched = touched_.data(), set_.touched_count = touched_count_.data();
  set_.reached = reached_.data(), set_.reached_count = reached_count_.data();
  set_.moving = static_cast<int>(moving_joint_.size()), set_.moving_joint = moving_joint_.data();
  set_.moves = moves_.data();
  set_.balls = static_cast<int>(balls_.size()), set_.ball = balls_.data();
  simd::layOutIn(memory_, [this](simd::Arena& arena) { layOut(arena); });
  writeSigns();
}

void LoopStorage::layOut(simd::Arena& arena) {
  const std::size_t lanes = 8 * set_.chunks, numbers = lanes * set_.coordinates, links = tree_.tree().links;
  for (double** array : {&set_.position, &set_.sine, &set_.cosine}) *array = arena.take<double>(links + 8);
  set_.place = arena.take<LinkPlace>(links);
  set_.gap = arena.take<double>(lanes);
  set_.screw = arena.take<double>(6 * lanes);
  for (double** array : {&set_.J, &set_.Y, &set_.X}) *array = arena.take<double>(numbers);
  for (double** matrix : {&set_.U, &set_.F}) *matrix = arena.take<double>(lanes * lanes);
  for (double** vector : {&set_.pivot_inverse, &set_.own, &set_.v, &set_.lanes}) *vector = arena.take<double>(lanes);
  set_.order = arena.take<int>(lanes);
  set_.B = arena.take<double>(8 * lanes * links);
  set_.sign = sign_ = arena.take<double>(numbers);
}

void LoopStorage::writeSigns() {
  for (int r = 0; r < set_.rows; ++r)
    for (int i = 0; i < set_.coordinates; ++i)
      sign_[8 * (lane_[r] / 8 * set_.coordinates + i) + lane_[r] % 8] = signs_[r][i];
}

}  // namespace footfall::native
