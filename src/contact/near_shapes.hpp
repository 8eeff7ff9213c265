#pragma once

#include <vector>

#include "footfall/collide/broad_phase.hpp"
#include "footfall/contact/contact.hpp"

namespace footfall {

/// Finds the pairs of shapes that could meet within a step: whole robots and objects first, and the shapes of those
/// that are near each other; of a robot that meets itself the pairs that may. Scratch memory.
class NearShapes {
 public:
  explicit NearShapes(const Model& model);

  /// Whether leaveOutFar() would spare anything.
  bool hasRobots() const { return has_robots_; }
  /// Shapes of robots that no others can come near in this step are not looked at by the next find().
  /// @param around all shapes of each of the model's trees while they move for a step
  void leaveOutFar(const std::vector<collide::AxisAlignedBox>& around);

  /// Shapes by their numbers in the model, in ascending order, untouched pairs left out.
  /// @param boxes one around each of the model's shapes; those of shapes that meet no others are not looked at
  void find(const std::vector<collide::AxisAlignedBox>& boxes, std::vector<ShapePair>& near);

  /// Those that meet others, and are not left out.
  const std::vector<int>& shapes() const { return shapes_; }

 private:
  struct Family {                ///< the shapes of a tree
    int tree = 0;                ///< of the model
    std::vector<int> shapes;     ///< of the model, in ascending order
    std::vector<ShapePair> own;  ///< that meet each other
    bool is_far = false;         ///< from all others, in this step
    bool isRobot() const { return shapes.size() >= kShapesOfARobot && own.empty(); }
  };
  /// With fewer shapes these are looked at as quickly as the whole.
  static constexpr std::size_t kShapesOfARobot = 4;
  void listShapes();
  void findBetween(const Family& a, const Family& b, const collide::AxisAlignedBox& box_a,
                   const collide::AxisAlignedBox& box_b, const std::vector<collide::AxisAlignedBox>& boxes,
                   std::vector<ShapePair>& near);
  bool meet(const ShapePair& pair) const;

  const Model& model_;
  std::vector<int> shapes_;
  std::vector<Family> families_;
  bool has_robots_ = false;
  bool some_apart_ = false;  ///< pairs of two families are untouched
  std::vector<collide::AxisAlignedBox> family_boxes_;
  collide::BroadPhase broad_phase_;  ///< of families
  std::vector<collide::BroadPhase::IndexPair> near_families_;
  std::vector<int> of_a_, of_b_;  ///< shapes that reach into the other family's box
};

}  // namespace footfall
