#include "studio/server/step_diagram.hpp"

#include <fmt/format.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "footfall/step/step.hpp"

namespace footfall::studio {
namespace {

using nlohmann::json;

bool endsWith(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

class Drawing {
 public:
  explicit Drawing(const std::vector<Column>& columns) : columns_(columns) {}

  struct Block {
    const char *id, *title;
    std::string detail;
    int column, row;
  };
  void add(const Block& block) {
    blocks_.push_back({{"id", block.id},
                       {"title", block.title},
                       {"detail", block.detail},
                       {"column", block.column},
                       {"row", block.row}});
  }
  /// A block that is a stage of the step, with its time.
  void add(const Block& block, StepStage stage) {
    add(block);
    const json found = numbers([&](const std::string& name) { return name == fmt::format("stage.{}", nameOf(stage)); });
    if (!found.empty()) blocks_.back()["time"] = found[0];
  }

  using Choice = std::function<bool(const std::string&)>;
  void connect(const char* from, const char* to, const char* label) {
    lines_.push_back({{"from", from}, {"to", to}, {"label", label}});
  }
  /// With the values of the chosen columns on the line; more than one as their norm.
  void connect(const char* from, const char* to, const char* unit, const Choice& choice) {
    lines_.push_back({{"from", from}, {"to", to}, {"unit", unit}, {"values", numbers(choice)}});
  }

  json take() { return {{"blocks", std::move(blocks_)}, {"lines", std::move(lines_)}}; }

 private:
  json numbers(const Choice& choice) const {
    json found = json::array();
    for (std::size_t i = 0; i < columns_.size(); ++i)
      if (choice(columns_[i].name)) found.push_back(i);
    return found;
  }

  const std::vector<Column>& columns_;
  json blocks_ = json::array(), lines_ = json::array();
};

Drawing::Choice named(const char* name) {
  return [name](const std::string& column) { return column == name; };
}

Drawing::Choice startingWith(const char* start) {
  return [start](const std::string& column) { return column.rfind(start, 0) == 0; };
}

/// Of joints, not of motors or sensors.
bool isJointTorque(const std::string& column) {
  return endsWith(column, ".torque") && column.rfind("motor.", 0) != 0 && column.rfind("sensor.", 0) != 0;
}

/// Of points, which have a number: "l_sole[2].force.z".
bool isNormalForce(const std::string& column) { return endsWith(column, "].force.z"); }

std::string controllerOf(const Scene& scene) {
  if (scene.diagram.given()) return "the diagram";
  return scene.hold.enabled ? "holds the posture" : "none";
}

}  // namespace

json stepDiagram(const Scene& scene, const std::vector<Column>& columns) {
  const ScenePhysics& physics = scene.physics;
  Drawing d(columns);
  d.add({"controller", "Controller", controllerOf(scene), 0, 0});
  d.add({"state", "State", "q, ν, warm start", 0, 1});
  d.add({"next", "Next state", fmt::format("after {:g} ms", 1e3 * physics.step), 0, 2});
  d.add({"dynamics", "Dynamics", physics.engine, 1, 1}, StepStage::dynamics);
  d.add({"contacts", "Contacts", "detection", 2, 1}, StepStage::contacts);
  d.add({"impact", "Impact", "", 3, 1}, StepStage::impact);
  d.add({"free", "Free velocity", "", 3, 0}, StepStage::free_velocity);
  d.add({"forces", "Forces", fmt::format("{}, {}", physics.contact, physics.solver), 3, 2}, StepStage::forces);
  d.add({"motion", "Motion", physics.integrator, 2, 2}, StepStage::motion);
  d.add({"report", "Report, log", "", 1, 2}, StepStage::report);
  d.connect("state", "controller", "q, ν");
  d.connect("controller", "free", "N m", isJointTorque);
  d.connect("state", "dynamics", "m/s", startingWith("base.velocity."));
  d.connect("dynamics", "contacts", "M, h");
  d.connect("contacts", "impact", "contacts", named("contacts"));
  d.connect("impact", "free", "impact", named("impact"));
  d.connect("impact", "forces", "iterations", named("solver.iterations"));
  d.connect("forces", "motion", "N", isNormalForce);
  d.connect("motion", "report", "ν, q");
  d.connect("report", "next", "J", startingWith("energy."));
  return d.take();
}

}  // namespace footfall::studio
