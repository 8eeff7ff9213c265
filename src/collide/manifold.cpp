#include "footfall/collide/manifold.hpp"

#include <algorithm>
#include <utility>

#include "collide/pair.hpp"
#include "collide/pair_manifolds.hpp"
#include "collide/round.hpp"

namespace footfall::collide {
namespace {

/// Round solids come first, then what is simple.
int rank(const Solid& solid) {
  if (solid.isRound()) return 0;
  return solid.core.dimension < 2 ? 1 + solid.core.dimension : 3;
}

bool comesFirst(const Placed& a, const Placed& b) {
  const int rank_a = rank(*a.solid), rank_b = rank(*b.solid);
  if (rank_a != rank_b) return rank_a < rank_b;
  if (a.solid->kind != b.solid->kind) return a.solid->kind < b.solid->kind;
  return a.key <= b.key;
}

/// How far a part reaches along a direction of the pair's frame, without its layer.
double reachOf(const Part& part, const Vector3d& direction) {
  if (part.solid.isRound()) return Round(part).reach(direction);
  const Vector3d backwards_S = -(part.X_CS.R.transpose() * direction);
  double lowest;
  polytopeKernel().lowest(part.core.vertexTableCount(), part.core.vertex_table.data(), backwards_S.data(), &lowest);
  return direction.dot(part.X_CS.p) - lowest;
}

/// By more than all that is taken for one point: whoever looks for points then finds none. (Of what overlaps, some may
/// be a little deeper than the way out.)
bool areApart(const Pair& pair, const Vector3d& direction) {
  constexpr double kClearly = 10.0;
  const double separation = -reachOf(pair.first, -direction) - reachOf(pair.second, direction);
  return separation > std::max(pair.margin, 0.0) + pair.layers() + kClearly * pair.tiny();
}

Vector3d addPoints(const Pair& pair, Scratch::Lists& lists, PointWriter& writer) {
  if (pair.second.solid.isRound()) return addRoundPairPoints(pair, writer);
  if (pair.first.solid.isRound()) return addRoundPoints(pair, lists, writer);
  if (pair.second.core.dimension < 2) return addSegmentPoints(pair, writer);
  return addPolytopePoints(pair, lists, writer);
}

}  // namespace

Scratch::Scratch() : lists_(std::make_unique<Lists>()) {}
Scratch::~Scratch() = default;
Scratch::Scratch(Scratch&&) noexcept = default;
Scratch& Scratch::operator=(Scratch&&) noexcept = default;

void PointWriter::add(const Vector3d& p_C, const Vector3d& normal, double gap, std::uint32_t feature) {
  constexpr double kSameDirection = 0.999;  // cosine
  if (!(gap < pair_.margin)) return;
  if (isPoint(pair_.first) || isPoint(pair_.second)) feature = 0;  // a ball touches once
  const Vector3d p_WA = origin_W_ + p_C, p_WB = origin_W_ + (p_C - gap * normal);
  const ManifoldPoint point =
      swapped_ ? ManifoldPoint{p_WB, p_WA, -normal, gap, feature} : ManifoldPoint{p_WA, p_WB, normal, gap, feature};
  const auto isSame = [&](const Vector3d& p, const Vector3d& q) {
    return (p - q).squaredNorm() <= pair_.tiny() * pair_.tiny();
  };
  for (std::size_t i = begin_; i < out_.size(); ++i) {
    if (out_[i].feature == feature) return;
    // On both solids: deep inside, two directions may meet in a corner of one of them.
    if (isSame(out_[i].p_WA, point.p_WA) && isSame(out_[i].p_WB, point.p_WB) &&
        out_[i].normal_W.dot(point.normal_W) > kSameDirection)
      return;
  }
  out_.push_back(point);
}

void manifold(const Placed& a, const Placed& b, double margin, Scratch& scratch, std::vector<ManifoldPoint>& out,
              Apart* apart) {
  const double radii = a.solid->bound_S.radius + b.solid->bound_S.radius;
  const double reach = radii + margin;
  if ((a.centre_W - b.centre_W).squaredNorm() > reach * reach) return;
  const bool swapped = !comesFirst(a, b);
  const Placed& first = swapped ? b : a;
  const Placed& second = swapped ? a : b;
  const Pair pair{{*first.solid, first.solid->core, {first.X_WS.R, Vector3d::Zero()}},
                  {*second.solid, second.solid->core, {second.X_WS.R, second.X_WS.p - first.X_WS.p}},
                  margin,
                  radii};
  const bool were_apart = apart && !apart->direction_S.isZero(0.0);
  if (were_apart && areApart(pair, first.X_WS.R * apart->direction_S)) return;
  PointWriter writer(pair, first.X_WS.p, swapped, out);
  const Vector3d direction = addPoints(pair, scratch.lists(), writer);
  if (apart) apart->direction_S = first.X_WS.R.transpose() * direction;
}

}  // namespace footfall::collide
