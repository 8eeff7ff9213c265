#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "contact/hill_places.hpp"
#include "contact/manifold_place.hpp"
#include "footfall/contact/contact.hpp"

namespace footfall {

/// Finds where blocks of the ground meet collision shapes with what their points do not see. Each point of a shape has
/// one contact, with the nearest face. An edge or a corner of a block that pokes into a shape between its points (a
/// plank across a step, a shin against a stair), the second face in an inner corner, and hills that do the same are
/// found here. Scratch memory.
class GroundEdges {
 public:
  /// @param solids may be null: then it makes its own as soon as the ground has blocks
  GroundEdges(const Model& model, SharedSolids solids) : model_(model), solids_(std::move(solids)) {}

  /// To be called before the shapes of a step are looked at: where the blocks are.
  void begin(const Terrain& terrain, TimeSpan span);
  bool empty() const { return blocks_.empty() && !has_hills_; }

  struct Point {
    collide::ManifoldPoint touch;  ///< A is the shape, B the block or hill
    SurfacePoint surface;          ///< of the ground there
    int number = 0;                ///< for the warm start
    int index = 0;                 ///< ActiveContact::edge_point
  };
  /// Those of one shape that are nearer than `margin`; valid until the next call.
  const std::vector<Point>& find(int shape, const Pose& X_WL, double margin, const Terrain& terrain, TimeSpan span);

  /// Hills that poke into a shape with its link at another pose.
  const std::vector<Point>& findHillsAt(int shape, const Pose& X_WL, const Terrain& terrain, TimeSpan span);

  const CollisionShape& shapeOf(const ActiveContact& contact) const {
    return model_.shapes[found_[contact.edge_point].shape];
  }
  /// Where a contact of the last step is with its link at X_WL.
  ContactPlace placeOf(const ActiveContact& contact, const Pose& X_WL, const Terrain& terrain, TimeSpan span);

 private:
  struct Block {
    collide::Solid solid;
    GroundBlock place;
  };
  struct Found {
    int shape = 0, block = 0;
    TouchPoint touch;
    int panel = -1;  ///< of the shape, into which a hill pokes; −1: it is a block that it touches
    HillPlace hill = {};
  };
  void findHills(int shape, const Pose& X_WL, double margin, const Terrain& terrain, TimeSpan span);
  /// Above those of all shapes, so that the block comes second where kinds are the same.
  std::uint32_t keyOf(int block) const { return static_cast<std::uint32_t>(model_.shapes.size()) + block; }
  const std::vector<collide::ManifoldPoint>& pointsOf(int shape, int block, const Pose& X_WL, const Pose& X_WB,
                                                      double margin);

  const Model& model_;
  SharedSolids solids_;  ///< of the shapes
  std::vector<Block> blocks_;
  bool has_hills_ = false;
  std::vector<Found> found_;  ///< of this step
  std::vector<Point> points_;
  PairManifold manifold_;
};

}  // namespace footfall
