#pragma once

#include <vector>

#include "footfall/scene/world.hpp"

namespace footfall {

/// Whether the positions and velocities of an input are what steps can follow. Not those of joints that nothing moves
/// from outside, which would be ignored, and not positions that go on while velocities stay zero: forces follow from
/// velocities, and nothing would be pushed.
class MotionCheck {
 public:
  /// @param at_rest  the input of a robot that nobody moves (Body::makeInput())
  MotionCheck(const Body& robot, Input at_rest);

  /// Throws Error that names the joint.
  void check(const State& state, const Input& input, double dt);
  /// The state is another one than that of the last step: how far its next step goes tells nothing.
  void forget() { knows_ = false; }

 private:
  /// Since when a joint has had no velocity.
  struct Still {
    double time = 0.0;  ///< [s]
    double from = 0.0;  ///< [rad or m]
    bool is_still = false;
  };
  void refuseWhatIsIgnored(const Input& input) const;
  void refuseForgottenVelocity(const State& state, const Input& input, double dt);

  const Body& robot_;
  Input at_rest_;
  std::vector<Still> still_;  ///< of the joints that are moved from outside
  bool knows_ = true;
};

}  // namespace footfall
