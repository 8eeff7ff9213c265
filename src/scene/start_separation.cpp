#include "scene/start_separation.hpp"

#include <algorithm>
#include <map>

#include "footfall/model/tree.hpp"

namespace footfall {
namespace {

constexpr double kApart = 1e-7;      ///< what is deeper is moved [m]
constexpr double kClearance = 1e-8;  ///< that is left between what was moved [m]
constexpr int kMostRounds = 2000;    ///< of shifts; one of a heap hands on to the next body

class Separation {
 public:
  Separation(const Model& model, const Terrain& terrain, Dynamics& dynamics)
      : model_(model), terrain_(terrain), dynamics_(dynamics), detector_(model), trees_(treesOf(model)) {
    for (const Tree& tree : trees_) gives_way_.push_back(tree.floats && !isTied(tree));
  }

  /// Shifts every body by what its deepest contacts ask for; false: there was nothing to do.
  bool shift(State& state) {
    find(state);
    std::map<std::pair<int, int>, int> deepest;  // contact of each pair of trees; the ground is −1
    for (int i = 0; i < static_cast<int>(active_.size()); ++i) {
      if (active_[i].surface.gap >= -kApart) continue;
      const std::pair pair{treeOf(frames_[i].link), treeOf(frames_[i].other)};
      const auto [at, first] = deepest.emplace(pair, i);
      if (!first && active_[i].surface.gap < active_[at->second].surface.gap) at->second = i;
    }
    for (const auto& [pair, i] : deepest) part(pair.first, pair.second, active_[i].surface, state);
    return !deepest.empty();
  }

 private:
  bool isTied(const Tree& tree) const {
    return std::any_of(model_.loops.begin(), model_.loops.end(),
                       [&](const Loop& loop) { return tree.contains(loop.link_a) || tree.contains(loop.link_b); });
  }

  int treeOf(LinkIndex link) const {
    if (!link.valid()) return -1;
    const auto holds = [&](const Tree& tree) { return tree.contains(link); };
    return static_cast<int>(std::find_if(trees_.begin(), trees_.end(), holds) - trees_.begin());
  }

  void find(const State& state) {
    const VectorXd at_rest = VectorXd::Zero(state.nu.size());
    dynamics_.update(state.q, at_rest);
    detector_.detect(terrain_, state.time, {.step = 0.0, .acceleration = 0.0}, state.q, at_rest, dynamics_, frames_,
                     active_);
  }

  void part(int a, int b, const SurfacePoint& surface, State& state) const {
    const Vector3d way = (kClearance - surface.gap) * surface.R_WC.col(2);
    const double share = shareOf(a, b);
    if (share > 0.0) state.q.segment<3>(trees_[a].position) += share * way;
    if (share < 1.0 && b >= 0 && gives_way_[b]) state.q.segment<3>(trees_[b].position) -= (1.0 - share) * way;
  }

  /// Of the way that the first of two goes.
  double shareOf(int a, int b) const {
    const bool a_moves = gives_way_[a] && a != b, b_moves = b >= 0 && gives_way_[b] && a != b;
    if (!a_moves || !b_moves) return a_moves ? 1.0 : 0.0;
    constexpr int kRobot = 0;
    if (a == kRobot || b == kRobot) return a == kRobot ? 0.0 : 1.0;
    return 0.5;
  }

  const Model& model_;
  const Terrain& terrain_;
  Dynamics& dynamics_;
  ContactDetector detector_;
  std::vector<Tree> trees_;
  std::vector<bool> gives_way_;
  std::vector<ContactFrame> frames_;
  std::vector<ActiveContact> active_;
};

}  // namespace

void separateStart(const Model& model, const Terrain& terrain, Dynamics& dynamics, State& state) {
  Separation separation(model, terrain, dynamics);
  for (int round = 0; round < kMostRounds && separation.shift(state); ++round) {
  }
}

}  // namespace footfall
