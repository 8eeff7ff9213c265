#include <nanobind/stl/map.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>

#include "footfall/base/error.hpp"
#include "footfall/batch/batch_simulation.hpp"
#include "one_thread.hpp"
#include "sealed.hpp"
#include "views.hpp"

namespace footfall::python {
namespace {

using Rows = nb::ndarray<nb::numpy, double, nb::ndim<2>>;
using Mask = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

static_assert(sizeof(SolveStatus) == sizeof(std::int32_t));

/// A batch, one thread at a time: a second one gets an error instead of torn states.
class Batch {
 public:
  Batch(const Scene& scene, const BatchSettings& settings)
      : batch_(scene, settings), worst_(static_cast<std::size_t>(settings.copies), SolveStatus::converged) {}

  BatchSimulation& get() {
    guard_.requireNoOther();
    return batch_;
  }
  /// Of each world: the worst of the steps of the last call.
  const std::vector<SolveStatus>& status() const { return worst_; }

  void step(int steps);

  nb::bytes snapshot();
  void restore(const nb::bytes& bytes);

  /// A task that changes no world, on all cores.
  template <class Task>
  void alone(const Task& task) {
    const OneThread::Turn turn(guard_);
    const nb::gil_scoped_release others_may_run;
    task(batch_);
  }

 private:
  OneThread guard_{"batch"};
  BatchSimulation batch_;
  std::vector<SolveStatus> worst_;
};

/// In portions, so that Ctrl-C does not have to wait for the last of many steps.
void Batch::step(int steps) {
  constexpr int kWorldStepsBetweenSignals = 20'000;
  const OneThread::Turn turn(guard_);
  const int portion = std::max(1, kWorldStepsBetweenSignals / batch_.copies());
  std::fill(worst_.begin(), worst_.end(), SolveStatus::converged);
  do {
    {
      const nb::gil_scoped_release others_may_run;
      batch_.step(std::min(steps, portion));
    }
    const auto status = batch_.status();
    for (std::size_t world = 0; world < worst_.size(); ++world) worst_[world] = std::max(worst_[world], status[world]);
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    steps -= portion;
  } while (steps > 0);
}

/// Their number and statuses, then the worlds.
nb::bytes Batch::snapshot() {
  std::ostringstream out;
  const auto worlds = static_cast<std::uint32_t>(worst_.size());
  out.write(reinterpret_cast<const char*>(&worlds), sizeof worlds);
  out.write(reinterpret_cast<const char*>(worst_.data()),
            static_cast<std::streamsize>(worst_.size() * sizeof worst_[0]));
  get().save(out);
  const std::string text = sealed(std::move(out).str());
  return nb::bytes(text.data(), text.size());
}

void Batch::restore(const nb::bytes& bytes) {
  const std::string given(bytes.c_str(), bytes.size()), inside = unsealed(given, "batch");
  std::uint32_t copies = 0;
  if (inside.size() == given.size() || inside.size() < sizeof copies)  // without a seal
    throw Error("batch", "this is no snapshot of worlds of this version", "BatchSimulation.snapshot() makes them");
  std::memcpy(&copies, inside.data(), sizeof copies);
  if (copies != worst_.size())
    throw Error("batch",
                "the snapshot has " + std::to_string(copies) + " copies, these have " + std::to_string(worst_.size()),
                "restore it in a batch of the same scene, with as many copies and the same longest delay");
  const std::size_t statuses = copies * sizeof worst_[0], head = sizeof copies + statuses;
  if (inside.size() < head) throw Error("batch", "the snapshot ends too early", "it is cut off");
  std::istringstream in(inside.substr(head));
  get().load(in);
  std::memcpy(worst_.data(), inside.data() + sizeof copies, statuses);
}

Rows rowsOf(Batch& self, const std::string& name) {
  BatchArray& array = self.get().values(name);
  return Rows(array.data(), {static_cast<std::size_t>(array.copies()), static_cast<std::size_t>(array.width())},
              nb::find(self));
}

using Statuses = nb::ndarray<nb::numpy, const std::int32_t, nb::ndim<1>>;
using Counts = nb::ndarray<nb::numpy, const std::int64_t, nb::ndim<1>>;

Statuses statusOf(Batch& self) {
  const std::vector<SolveStatus>& status = self.status();
  return {reinterpret_cast<const std::int32_t*>(status.data()), {status.size()}, nb::find(self)};
}

Counts autoResetsOf(Batch& self) {
  const auto resets = self.get().autoResets();
  return {resets.data(), {resets.size()}, nb::find(self)};
}

void resetWhere(Batch& self, const Mask& mask) {
  self.get().reset(std::span(reinterpret_cast<const std::uint8_t*>(mask.data()), mask.shape(0)));
}

using Points = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Distances = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

void requireColumns(const Points& points, std::size_t columns) {
  if (points.shape(1) != columns)
    throw Error("batch",
                "there are " + std::to_string(points.shape(1)) + " columns, expected " + std::to_string(columns));
}

/// Rays as rows (copies · rays, 3).
void castRays(Batch& self, const Points& origins, const Points& directions, double reach, Distances& out) {
  requireColumns(origins, 3);
  requireColumns(directions, 3);
  if (origins.shape(0) != directions.shape(0))
    throw Error("rays", "there are " + std::to_string(origins.shape(0)) + " origins and " +
                            std::to_string(directions.shape(0)) + " directions");
  std::vector<Ray> rays(origins.shape(0));
  for (std::size_t i = 0; i < rays.size(); ++i)
    rays[i] = {Eigen::Map<const Vector3d>(origins.data() + 3 * i),
               Eigen::Map<const Vector3d>(directions.data() + 3 * i)};
  self.alone([&](BatchSimulation& batch) { batch.castRays(rays, reach, std::span(out.data(), out.size())); });
}

void scanHeights(Batch& self, const Points& points, double above, double reach, Distances& out) {
  requireColumns(points, 2);
  std::vector<Eigen::Vector2d> places(points.shape(0));
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = Eigen::Map<const Eigen::Vector2d>(points.data() + 2 * i);
  self.alone(
      [&](BatchSimulation& batch) { batch.scanHeights(places, above, reach, std::span(out.data(), out.size())); });
}

/// Name, whether it is a result, width, unit, meaning.
using About = std::tuple<std::string, bool, int, std::string, std::string>;

std::vector<About> quantitiesOf(Batch& self) {
  std::vector<About> list;
  for (const BatchQuantity& q : self.get().quantities())
    list.emplace_back(q.name, q.kind == BatchQuantity::Kind::result, q.width, q.unit, q.meaning);
  return list;
}

}  // namespace

void bindBatch(nb::module_& module) {
  nb::class_<Batch>(module, "_BatchSimulation", nb::is_weak_referenceable())
      .def(
          "__init__",
          [](Batch* self, const std::string& source, bool is_text, const std::map<std::string, std::string>& set,
             int copies, int threads, int longest_delay, bool auto_reset, const std::string& push_link) {
            const std::vector<SceneOverride> overrides(set.begin(), set.end());
            const Scene scene = is_text ? parseScene(source, "scene", overrides) : loadScene(source, overrides);
            new (self) Batch(scene, {copies, threads, longest_delay, auto_reset, push_link});
          },
          "source"_a, "is_text"_a, "set"_a, "copies"_a, "threads"_a, "longest_delay"_a, "auto_reset"_a, "push_link"_a)
      .def("step", &Batch::step, "steps"_a = 1, R"(So many steps of every world, all with the inputs of now.

A world that fails says so in `status` and keeps its state; the others go on.)")
      .def("snapshot", &Batch::snapshot, R"(All that the worlds remember, with their inputs and parameters, as bytes.

restore() in a batch of the same scene, with as many copies and the same longest delay, goes on from there bit for bit.)")
      .def("restore", &Batch::restore, "snapshot"_a, "Goes on from a snapshot; arrays stay where they are.")
      .def("_cast_rays", &castRays, "origins"_a, "directions"_a, "reach"_a, "out"_a.noconvert())
      .def("_scan_heights", &scanHeights, "points"_a, "above"_a, "reach"_a, "out"_a.noconvert())
      .def("_values", &rowsOf, "name"_a)
      .def("_quantities", &quantitiesOf)
      .def(
          "_body_position", [](Batch& self, const std::string& body) { return self.get().bodyPosition(body); },
          "body"_a)
      .def(
          "_body_velocity", [](Batch& self, const std::string& body) { return self.get().bodyVelocity(body); },
          "body"_a)
      .def(
          "_link", [](Batch& self, const std::string& link) { return int{self.get().model().link(link)}; }, "link"_a)
      .def("_reset_all", [](Batch& self) { self.get().reset(); })
      .def("_reset_where", &resetWhere, "mask"_a)
      .def("_status", &statusOf)
      .def("_auto_resets", &autoResetsOf)
      .def(
          "describe_failure", [](Batch& self, int world) { return self.get().describeFailure(world); }, "world"_a,
          "Why the next step of a world fails, in a line; the world stays as it is.")
      .def_prop_ro("copies", [](Batch& self) { return self.get().copies(); })
      .def_prop_ro("threads", [](Batch& self) { return self.get().threads(); })
      .def_prop_ro(
          "dt", [](Batch& self) { return self.get().settings().step; }, "length of a step [s]")
      .def_prop_ro(
          "model", [](Batch& self) -> const Model& { return self.get().model(); }, nb::rv_policy::reference_internal)
      .def_prop_ro(
          "warnings", [](Batch& self) { return self.get().warnings(); }, "what was odd about the model file")
      .def_prop_ro(
          "bytes_per_copy", [](Batch& self) { return self.get().bytesPerCopy(); }, "memory of one more copy [bytes]");
}

}  // namespace footfall::python
