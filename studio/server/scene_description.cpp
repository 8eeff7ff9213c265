#include "studio/server/scene_description.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "footfall/geometry/triangle_mesh.hpp"
#include "footfall/record/tie_reader.hpp"
#include "footfall/scene/internal/terrain_setup.hpp"
#include "footfall/solver/solver_stages.hpp"
#include "footfall/step/tie.hpp"
#include "studio/server/column_finder.hpp"
#include "studio/server/mesh_buffer.hpp"

namespace footfall::studio {
namespace {

using nlohmann::json;

template <class Vector>
json list(const Vector& v) {
  json out = json::array();
  for (Eigen::Index i = 0; i < v.size(); ++i) out.push_back(v[i]);
  return out;
}

/// Position and quaternion (x, y, z, w).
json poseJson(const Pose& X) { return {{"p", list(X.p)}, {"q", list(Eigen::Quaterniond(X.R).coeffs())}}; }

/// JSON has no infinity.
json limit(double value) { return std::isfinite(value) ? json(value) : json(); }

json linkJson(const Link& link) {
  const Eigen::Map<const VectorXd> inertia(link.inertia.I_com.data(), 9);
  return {
      {"name", link.name}, {"mass", link.inertia.mass}, {"com", list(link.inertia.com)}, {"inertia", list(inertia)}};
}

json jointJson(const Joint& joint) {
  return {{"name", joint.name},
          {"kind", traitsOf(joint.kind).name},
          {"parent", int(joint.parent)},
          {"X_PJ", poseJson(joint.X_PJ)},
          {"axis", list(joint.axis)},
          {"dof", int(joint.dof)},
          {"multiplier", joint.multiplier},
          {"offset", joint.offset},
          {"body", joint.body}};
}

json dofJson(const Dof& dof) {
  return {{"name", dof.name},
          {"kind", traitsOf(dof.kind).name},
          {"lower", limit(dof.lower)},
          {"upper", limit(dof.upper)},
          {"max_effort", limit(dof.max_effort)}};
}

json loopJson(const Loop& loop) {
  return {{"name", loop.name},          {"kind", nameOf(loop.kind)},   {"link_a", int(loop.link_a)},
          {"link_b", int(loop.link_b)}, {"X_AF", poseJson(loop.X_AF)}, {"X_BF", poseJson(loop.X_BF)}};
}

json robotJson(const Model& model) {
  json robot = {{"name", model.name}, {"floating_base", model.floating_base}, {"gravity", list(model.gravity)}};
  for (const char* key : {"links", "joints", "dofs", "frames", "loops", "candidates"}) robot[key] = json::array();
  for (const Link& link : model.links) robot["links"].push_back(linkJson(link));
  for (const Joint& joint : model.joints) robot["joints"].push_back(jointJson(joint));
  for (const Dof& dof : model.dofs) robot["dofs"].push_back(dofJson(dof));
  for (const Frame& frame : model.frames)
    robot["frames"].push_back({{"name", frame.name}, {"link", int(frame.link)}, {"X_LF", poseJson(frame.X_LF)}});
  for (const Loop& loop : model.loops) robot["loops"].push_back(loopJson(loop));
  for (const ContactCandidate& c : model.candidates)
    robot["candidates"].push_back({{"name", c.name},
                                   {"link", int(c.link)},
                                   {"frame", int(c.frame)},
                                   {"p_LC", list(c.p_LC)},
                                   {"radius", c.radius}});
  return robot;
}

/// How the scene asks to be shown.
json viewJson(const SceneView& view) {
  json out = {{"layers", view.layers}, {"plots", view.plots}, {"camera", json::object()}};
  if (!view.tab.empty()) out["tab"] = view.tab;
  if (view.speed >= 0.0) out["speed"] = view.speed;
  const SceneCamera& camera = view.camera;
  if (!camera.from.empty()) out["camera"]["from"] = camera.from;
  if (!camera.show.empty()) out["camera"]["show"] = camera.show;
  if (camera.placed) out["camera"]["position"] = list(camera.position);
  if (camera.aimed) out["camera"]["target"] = list(camera.target);
  return out;
}

json heightsJson(const GroundDrawing::Heights& field) {
  json heights = json::array();
  for (const std::optional<double>& height : field.values) heights.push_back(height ? json(*height) : json());
  return {{"columns", field.columns},
          {"rows", field.rows},
          {"size", list(field.size)},
          {"origin", list(field.origin)},
          {"heights", std::move(heights)}};
}

json blocksJson(const std::vector<GroundDrawing::Block>& blocks) {
  json out = json::array();
  for (const GroundDrawing::Block& block : blocks)
    out.push_back({{"pose", poseJson(block.X_WB)}, {"size", list(block.size)}});
  return out;
}

}  // namespace

SceneDescription::SceneDescription(const Scene& scene, const Model& model, const LoadedModel& robot)
    : json_(std::make_shared<json>()) {
  json& out = *json_;
  out["source"] = scene.source;
  out["robot"] = robotJson(model);
  out["ties"] = record::tieNames(scene);
  out["geometries"] = json::array();
  for (const LinkGeometry& geometry : robot.geometries) out["geometries"].push_back(geometryJson(geometry, model));
  out["grounds"] = json::array();
  out["grounds"].push_back(groundJson(scene.ground));
  for (const SceneGround& ground : scene.more_ground) out["grounds"].push_back(groundJson(ground));
  out["meshes"] = meshes();
  out["moving_grounds"] = movingGrounds();
  out["view"] = viewJson(scene.view);
  const ScenePhysics& p = scene.physics;
  out["physics"] = {{"engine", p.engine}, {"contact", p.contact},       {"solver", p.solver},
                    {"step", p.step},     {"integrator", p.integrator}, {"tolerance", p.tolerance}};
}

int SceneDescription::meshNumber(const LinkGeometry& geometry) {
  for (std::size_t i = 0; i < meshes_.size(); ++i)
    if (meshes_[i].path == geometry.mesh_path && meshes_[i].scale == geometry.mesh_scale) return static_cast<int>(i);
  meshes_.push_back({geometry.mesh_path, geometry.mesh_scale});
  return static_cast<int>(meshes_.size()) - 1;
}

json SceneDescription::geometryJson(const LinkGeometry& geometry, const Model& model) {
  const Frame& frame = model.frames[model.frame(geometry.link)];
  json out = {{"link", int(frame.link)},
              {"name", geometry.link},
              {"collision", geometry.collision},
              {"shape", geometry.shape},
              {"X_LG", poseJson(frame.X_LF * geometry.X_FS)}};
  if (geometry.color) out["color"] = list(*geometry.color);
  if (geometry.shape == "box") out["size"] = list(geometry.size);
  if (geometry.shape == "mesh" && !geometry.mesh_path.empty()) out["mesh"] = meshNumber(geometry);
  if (geometry.radius > 0.0) out["radius"] = geometry.radius;
  if (geometry.length > 0.0) out["length"] = geometry.length;
  return out;
}

json SceneDescription::groundJson(const SceneGround& ground) {
  json out = {{"shape", ground.shape}, {"friction", ground.friction}, {"restitution", ground.restitution}};
  const GroundDrawing drawing = buildGround(ground)->drawing(ground.position);
  if (drawing.plane) {
    out["pose"] = poseJson(*drawing.plane);
    out["incline"] = ground.incline;
  }
  if (!drawing.blocks.empty()) out["boxes"] = blocksJson(drawing.blocks);
  if (drawing.heights) out["field"] = heightsJson(*drawing.heights);
  if (!ground.conveyor.law.kind.empty()) out["conveyor"] = list(ground.conveyor.direction);
  if (!ground.translations.empty() || !ground.rotations.empty()) {
    out["motion"] = movingGrounds();
    motions_.push_back(buildMotion(ground));
  }
  return out;
}

std::shared_ptr<const std::string> SceneDescription::mesh(int index) const {
  std::shared_ptr<const std::string>& buffer = buffers_[index];
  const MeshFile& file = meshes_.at(static_cast<std::size_t>(index));
  if (!buffer) buffer = std::make_shared<const std::string>(meshBuffer(readMesh(file.path, file.scale)));
  return buffer;
}

void SceneDescription::addGroundPoses(double time, std::vector<double>& out) const {
  for (const Motion& motion : motions_) {
    const Pose X = motion.pose(time);
    const Eigen::Quaterniond q(X.R);
    out.insert(out.end(), {X.p.x(), X.p.y(), X.p.z(), q.x(), q.y(), q.z(), q.w()});
  }
}

void addColumns(const std::vector<Column>& columns, const Model& model, json& description) {
  const ColumnFinder finder(columns);
  json& names = description["columns"] = json::array();
  for (const Column& column : columns) names.push_back({column.name, column.unit});
  json tau = json::array();
  for (const Dof& dof : model.dofs) tau.push_back(finder.find(dof.name + ".torque"));
  description["state"] = {{"q", finder.configuration(model)}, {"nu", finder.velocity(model)}, {"tau", std::move(tau)}};
  json stages = json::array();
  for (int k = 0; k < kSolverStages; ++k) {
    const std::string stage = nameOf(static_cast<SolverStage>(k));
    stages.push_back({{"name", stage}, {"column", finder.find("solver.steps." + stage)}});
  }
  description["solver"] = {{"iterations", finder.find("solver.iterations")},
                           {"residual", finder.find("solver.residual")},
                           {"solves", finder.find("solver.solves")},
                           {"stages", std::move(stages)}};
}

}  // namespace footfall::studio
