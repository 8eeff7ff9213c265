#include "footfall/batch/batch_simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <thread>

#include "batch/height_scan.hpp"
#include "batch/quantities.hpp"
#include "batch/world_stepper.hpp"
#include "batch/worlds_image.hpp"
#include "footfall/base/error.hpp"
#include "footfall/base/suggest.hpp"
#include "footfall/batch/internal/worker_pool.hpp"
#include "footfall/model/tree.hpp"

namespace footfall {
namespace {

constexpr int kMostCopies = 1 << 24;
constexpr int kMostThreads = 1024;
constexpr int kLongestDelay = 1 << 16;

void requireWithin(const char* name, int value, int least, int most) {
  if (value < least || value > most) throw Error(name, fmt::format("it is {}, expected {} to {}", value, least, most));
}

const BatchSettings& validated(const BatchSettings& settings) {
  requireWithin("copies", settings.copies, 1, kMostCopies);
  requireWithin("threads", settings.threads, 0, kMostThreads);
  requireWithin("longest_delay", settings.longest_delay, 0, kLongestDelay);
  return settings;
}

int workersFor(const BatchSettings& settings) {
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return std::min(settings.threads > 0 ? settings.threads : cores, settings.copies);
}

/// Worlds that a thread takes at once, whole packs of them. Of c worlds the last pack is half empty, which costs 4/c;
/// of n worlds for each thread the last to end keeps the others waiting for half of its c, c/2n: both are least
/// together with c = √(8 n).
int chunkOf(int copies, int workers) {
  constexpr int kPack = PackStep::kRobots;
  if (workers == 1) return WorldStepper::kMostWorlds;
  const double share = std::sqrt(8.0 * copies / workers);
  return std::clamp(static_cast<int>(share) / kPack * kPack, kPack, WorldStepper::kMostWorlds);
}

bool isMass(std::string_view name) { return name == "mass" || name == "payload" || name == "com_shift"; }

/// Worlds of one thread share an engine, which is made for its loops.
const Scene& withoutTies(const Scene& scene) {
  for (std::size_t k = 0; k < scene.loops.size(); ++k)
    if (scene.loops[k].isTie())
      throw Error(scene.loops[k].where,
                  fmt::format("loops.{}: '{}' is made and released while it runs, which worlds of a batch cannot do", k,
                              nameOf(scene.loops[k])),
                  "run such scenes one by one, or as a study: footfall sweep");
  return scene;
}

/// Not valid: nobody has said which one, and the base does not move.
LinkIndex pushLinkOf(const Model& model, const std::string& name) {
  if (name.empty()) return model.floating_base ? LinkIndex(0) : LinkIndex{};
  const LinkIndex link = model.link(name);
  for (const Tree& tree : treesOf(model))
    if (tree.base == link && !tree.floats)
      throw Error("push_link", fmt::format("'{}' does not move: it is fixed to the world", name),
                  "name a link that moves");
  return link;
}

}  // namespace

struct BatchSimulation::Parts {
  Parts(const Scene& scene, const BatchSettings& settings)
      : prototype(withoutTies(scene)),
        longest_delay(settings.longest_delay),
        common{prototype.state(), pushLinkOf(prototype.model(), settings.push_link), settings.auto_reset},
        worlds(settings.copies, prototype.state()),
        stored(quantitiesOf(prototype, common.push_link.valid())),
        pool(workersFor(settings)) {
    for (const StoredQuantity& quantity : stored) quantities.push_back(quantity.about);
    for (int worker = 0; worker < pool.size(); ++worker)
      steppers.push_back(std::make_unique<WorldStepper>(prototype.world()));
    body_rays.assign(pool.size(), BodyRays(prototype.model(), !scene.robot.model.empty()));
    reserveSteppers();
  }

  /// Calls task(worker, begin, end) for all worlds from `begin` up to `end`, on all cores; it may throw nothing.
  template <class Task>
  void forWorlds(const Task& task) {
    const int copies = worlds.copies(), chunk = chunkOf(copies, pool.size());
    std::atomic<int> next{0};
    pool.run([&](int worker) noexcept {
      for (int begin = next.fetch_add(chunk); begin < copies; begin = next.fetch_add(chunk))
        task(worker, begin, std::min(begin + chunk, copies));
    });
  }
  /// Calls task(worker, world) in the same way.
  template <class Task>
  void forEachWorld(const Task& task) {
    forWorlds([&](int worker, int begin, int end) {
      for (int world = begin; world < end; ++world) task(worker, world);
    });
  }
  void reserveSteppers();
  const StoredQuantity& find(std::string_view name) const;
  void enableDelay();
  void enableMasses();

  Simulation prototype;
  int longest_delay;
  BatchCommon common;
  Worlds worlds;
  std::vector<StoredQuantity> stored;
  std::vector<BatchQuantity> quantities;
  WorkerPool pool;
  std::vector<std::unique_ptr<WorldStepper>> steppers;  ///< one for each worker
  std::vector<BodyRays> body_rays;                      ///< one for each worker
};

/// The memory of a step is taken now, and not by whichever thread happens to come first.
void BatchSimulation::Parts::reserveSteppers() {
  for (const auto& stepper : steppers) stepper->reserve(worlds, common);
}

const StoredQuantity& BatchSimulation::Parts::find(std::string_view name) const {
  const auto found = std::find_if(stored.begin(), stored.end(), [&](const auto& s) { return s.about.name == name; });
  if (found != stored.end()) return *found;
  if (name == "target" || name == "stiffness" || name == "damping")
    throw Error(std::string(name), "nothing holds the posture of this scene", "the section `hold` of the scene does");
  if (name == "push")
    throw Error("push", "the base does not move, and no other link was named to be pushed",
                "give `push_link` where the batch is made");
  if (name == "delay") throw Error("delay", "the scene has no joints: nothing is commanded that could arrive late");
  std::vector<std::string> names;
  for (const BatchQuantity& quantity : quantities) names.push_back(quantity.name);
  throw Error("batch", fmt::format("there is no quantity '{}'", name), suggestOrList(name, names));
}

/// Commands have a ring of their own, as long as the longest delay.
void BatchSimulation::Parts::enableDelay() {
  if (longest_delay == 0)
    throw Error("delay", "the batch was made without room for delays", "set longest_delay, in steps, where it is made");
  if (!worlds.commands.empty()) return;
  const int width = enable(find("tau"), worlds).width() +
                    (prototype.springs() != nullptr ? enable(find("target"), worlds).width() : 0);
  worlds.commands = BatchArray(worlds.copies(), (longest_delay + 1) * width);
  std::fill(worlds.commanded.begin(), worlds.commanded.end(), 0);
}

/// What follows from masses has its memory now, and is worked out in the next step.
void BatchSimulation::Parts::enableMasses() {
  if (!worlds.weighed.empty()) return;
  const Model& model = prototype.model();
  OwnMassTraits finder(model, prototype.settings().engine, prototype.settings().step);
  Worlds::Weighed none;
  none.masses.setConstant(static_cast<Eigen::Index>(model.links.size()) + 4, std::numeric_limits<double>::quiet_NaN());
  finder.find(linkMassesOf(model), none.traits);
  worlds.weighed.assign(worlds.copies(), none);
}

BatchSimulation::BatchSimulation(const Scene& scene, const BatchSettings& settings)
    : parts_(std::make_unique<Parts>(scene, validated(settings))) {}
BatchSimulation::~BatchSimulation() = default;
BatchSimulation::BatchSimulation(BatchSimulation&&) noexcept = default;
BatchSimulation& BatchSimulation::operator=(BatchSimulation&&) noexcept = default;

int BatchSimulation::copies() const { return parts_->worlds.copies(); }
int BatchSimulation::threads() const { return parts_->pool.size(); }
const Model& BatchSimulation::model() const { return parts_->prototype.model(); }
const Settings& BatchSimulation::settings() const { return parts_->prototype.settings(); }
const Scene& BatchSimulation::scene() const { return parts_->prototype.scene(); }
const std::vector<std::string>& BatchSimulation::warnings() const { return parts_->prototype.warnings(); }
const std::vector<BatchQuantity>& BatchSimulation::quantities() const { return parts_->quantities; }

BatchArray& BatchSimulation::values(std::string_view name) {
  const StoredQuantity& quantity = parts_->find(name);
  Worlds& worlds = parts_->worlds;
  if (!(worlds.*quantity.array).empty()) return worlds.*quantity.array;
  if (name == "delay") parts_->enableDelay();
  if (isMass(name)) parts_->enableMasses();
  BatchArray& array = enable(quantity, worlds);
  parts_->reserveSteppers();
  return array;
}

void BatchSimulation::step(int steps) {
  if (steps < 0) throw Error("step", fmt::format("{} steps are asked for, expected zero or more", steps));
  Parts& p = *parts_;
  p.forWorlds([&](int worker, int begin, int end) { p.steppers[worker]->step(p.worlds, begin, end, steps, p.common); });
}

void BatchSimulation::castRays(std::span<const Ray> rays, double reach, std::span<double> distance) {
  const std::size_t each = rays.size() / copies();
  if (each * copies() != rays.size())
    throw Error("rays",
                fmt::format("there are {} rays for {} worlds, expected as many for each", rays.size(), copies()));
  requireGoodRays(rays, reach, distance);
  std::fill(distance.begin(), distance.end(), reach);
  Parts& p = *parts_;
  p.forEachWorld([&](int worker, int world) {
    const auto own_rays = rays.subspan(world * each, each);
    const auto own_distance = distance.subspan(world * each, each);
    shortenRays(p.prototype.terrain(), own_rays, p.worlds.time(world, 0), own_distance);
    p.body_rays[worker].shorten(p.worlds.q.row(world), own_rays, own_distance);
  });
}

void BatchSimulation::scanHeights(std::span<const Eigen::Vector2d> points, double above, double reach,
                                  std::span<double> heights) {
  requireGoodScan(points, above, reach, heights.size(), copies());
  Parts& p = *parts_;
  std::vector<HeightScan> scans(p.pool.size(), HeightScan(points, above, reach));
  p.forEachWorld([&](int worker, int world) {
    scans[worker].scan(p.prototype.terrain(), p.body_rays[worker], p.worlds.q.row(world), p.worlds.time(world, 0),
                       heights.subspan(world * points.size(), points.size()));
  });
}

std::span<const SolveStatus> BatchSimulation::status() const { return parts_->worlds.status; }
std::span<const std::int64_t> BatchSimulation::autoResets() const { return parts_->worlds.auto_resets; }

int BatchSimulation::failedWorlds() const {
  return static_cast<int>(std::count(status().begin(), status().end(), SolveStatus::failed));
}

namespace {

void requireWorld(int world, int copies) {
  if (world < 0 || world >= copies)
    throw Error("batch", fmt::format("there is no world {}, expected 0 to {}", world, copies - 1));
}

/// Number of a further body that floats, by the name of its base.
int bodyNamed(const Model& model, std::string_view name) {
  std::vector<std::string> names;
  for (const Joint& joint : model.joints) {
    if (joint.kind != JointKind::free) continue;
    if (joint.name == name) return joint.body;
    names.push_back(joint.name);
  }
  throw Error("batch", fmt::format("there is no body '{}' that floats", name), suggestOrList(name, names));
}

}  // namespace

std::string BatchSimulation::describeFailure(int world) {
  requireWorld(world, copies());
  return parts_->steppers[0]->describeFailure(parts_->worlds, world, parts_->common);
}

void BatchSimulation::reset() {
  for (int world = 0; world < copies(); ++world) parts_->worlds.reset(world, parts_->common.initial);
}

void BatchSimulation::reset(std::span<const std::uint8_t> mask) {
  if (static_cast<int>(mask.size()) != copies())
    throw Error("reset",
                fmt::format("the mask has {} entries, expected {}: one for each world", mask.size(), copies()));
  for (int world = 0; world < copies(); ++world)
    if (mask[world] != 0) parts_->worlds.reset(world, parts_->common.initial);
}

State BatchSimulation::state(int world) const {
  requireWorld(world, copies());
  State state = parts_->common.initial;
  parts_->worlds.load(world, state);
  return state;
}

void BatchSimulation::setState(int world, const State& state) {
  requireWorld(world, copies());
  if (!state.ties.empty()) throw Error("state", "it has ties, which worlds of a batch cannot have");
  parts_->prototype.setState(state);  // looks at the sizes
  parts_->worlds.store(world, state);
}

void BatchSimulation::save(std::ostream& out) const {
  write(imageOf(model(), parts_->worlds, parts_->stored, parts_->longest_delay), out);
}

void BatchSimulation::load(std::istream& in) {
  Parts& p = *parts_;
  const WorldsImage image = readImage(in);
  std::vector<WarmStart> warm = requireFit(image, model(), p.worlds, p.stored, p.longest_delay);
  for (std::size_t k = 0; k < p.stored.size(); ++k)
    if (!image.quantities[k].empty()) values(p.stored[k].about.name);  // has its memory now
  restore(image, std::move(warm), p.stored, p.worlds);
}

int BatchSimulation::bodyPosition(std::string_view body) const {
  return model().freePosition(bodyNamed(model(), body));
}
int BatchSimulation::bodyVelocity(std::string_view body) const {
  return model().freeVelocity(bodyNamed(model(), body));
}

std::size_t BatchSimulation::bytesPerCopy() const { return parts_->worlds.bytes() / copies(); }

}  // namespace footfall
