#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "footfall/batch/batch_array.hpp"
#include "footfall/run/simulation.hpp"
#include "footfall/terrain/ray_cast.hpp"

namespace footfall {

/// How many worlds, and who computes them.
struct BatchSettings {
  int copies = 1;
  int threads = 0;             ///< the caller's among them; 0: one for each core
  int longest_delay = 0;       ///< of commands, in steps: what `delay` may ask for
  bool auto_reset = false;     ///< a world whose step fails starts anew at once; its status says that it failed
  std::string push_link = {};  ///< where `push` acts, at the link's origin; empty: the base
};

/// A quantity of the worlds that is set or read by its name.
struct BatchQuantity {
  enum class Kind { state, input, parameter, result };

  std::string name;
  Kind kind;
  std::string unit;
  std::string meaning;
  int width;  ///< numbers for each world
};

/// Many copies of the world of one scene, each with a state, inputs and parameters of its own, stepped on all cores.
///
///     BatchSimulation batch(loadScene("stand.yaml"), {.copies = 4096});
///     batch.values("friction").row(7).setConstant(0.5);   // half of the scene's
///     batch.step(10);
///     batch.values("q").row(7);
///
/// What a world gives depends neither on the number of copies and threads nor on its place among them, to the bit, and
/// is what a Simulation of it gives: to the bit where worlds step one by one, within the tolerance of the contact
/// solver where they step in packs (docs/batch.md). No exception, lock or allocation in a step: a world that fails says
/// so in its status, keeps its state, and the others go on.
///
/// Quantities that nobody has asked for cost neither memory nor time. Not to be called by two threads at once.
class BatchSimulation {
 public:
  /// Throws Error where the scene is wrong, has a diagram, or the settings make no sense.
  BatchSimulation(const Scene& scene, const BatchSettings& settings);
  ~BatchSimulation();
  BatchSimulation(BatchSimulation&&) noexcept;
  BatchSimulation& operator=(BatchSimulation&&) noexcept;

  int copies() const;
  int threads() const;
  const Model& model() const;
  const Settings& settings() const;
  const Scene& scene() const;
  const std::vector<std::string>& warnings() const;  ///< what was odd about the model file

  /// What there is: docs/batch.md lists them.
  const std::vector<BatchQuantity>& quantities() const;
  /// Numbers of all worlds, to read and to write; they stay where they are for as long as the batch lives. Throws Error
  /// with the nearest names when there is no such quantity.
  BatchArray& values(std::string_view name);

  /// Where a body beside the robot is in the rows of `q` (position, quaternion) and of `nu`, by its name.
  int bodyPosition(std::string_view body) const;
  int bodyVelocity(std::string_view body) const;

  /// Makes so many steps of each world, all with the inputs of now.
  void step(int steps = 1);

  /// Of each world: the worst of the steps of the last call.
  std::span<const SolveStatus> status() const;
  /// How often each world was started anew by auto_reset.
  std::span<const std::int64_t> autoResets() const;
  int failedWorlds() const;
  /// Why the next step of a world fails, in a line, or that it does not; the world stays as it is.
  std::string describeFailure(int world);

  /// Starts worlds anew: at `start_q`, `start_nu` where somebody has asked for these, else as the scene says.
  void reset();
  /// The same for worlds whose entry is not zero.
  void reset(std::span<const std::uint8_t> mask);

  /// How far rays go until they enter the ground or a body beside the robot, `reach` where they do not [m]. Each world
  /// has the same number of rays; those of world 0 come first. Throws Error as footfall::castRays() does.
  void castRays(std::span<const Ray> rays, double reach, std::span<double> distance);
  /// The ground around each robot, and what lies on it: its height above the origin of the base, at points that turn
  /// with the heading of the base but do not tilt, (copies × points) [m]. Rays begin `above` the base and go `reach`
  /// down: `above` − `reach` is a place without ground; a world whose base is no finite place gets NaN.
  void scanHeights(std::span<const Eigen::Vector2d> points, double above, double reach, std::span<double> heights);

  /// All that a world remembers, for a Simulation and back.
  State state(int world) const;
  void setState(int world, const State& state);  ///< throws Error when sizes do not fit

  /// All that all worlds remember, with their inputs and parameters: a batch of the same scene, as many copies and the
  /// same longest delay goes on from there bit for bit. load() throws Error when it does not fit; then nothing has
  /// changed.
  void save(std::ostream& out) const;
  void load(std::istream& in);

  /// Memory of one more copy [bytes].
  std::size_t bytesPerCopy() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace footfall
