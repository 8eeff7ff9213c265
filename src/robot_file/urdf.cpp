#include "footfall/robot_file/urdf.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "footfall/base/error.hpp"
#include "footfall/base/internal/read_text.hpp"
#include "footfall/model/ball_joint.hpp"
#include "robot_file/sdf_file.hpp"
#include "robot_file/urdf_joint_plan.hpp"

namespace footfall {
namespace {

/// Walks the tree of the file from the root, depth first, so that the links of a limb get numbers in a row.
class ModelBuilder {
 public:
  ModelBuilder(const UrdfFile& file, const UrdfTree& tree, const JointPlan& plan, std::vector<Warning>& warnings)
      : file_(file), tree_(tree), plan_(plan), warnings_(warnings) {}

  Model build(bool floating_base) {
    model_.name = file_.name;
    model_.floating_base = floating_base;
    model_.dofs = plan_.dofs;
    const bool drop_world = plan_.root_is_world && floating_base;
    const int base = drop_world ? tree_.child_of_joint[tree_.joints_of_link[tree_.root][0]] : tree_.root;
    model_.links.push_back({file_.links[base].name, {}});
    addBody(base, LinkIndex(0), {});
    if (floating_base) checkFloatingBase(file_.links[base]);
    if (floating_base && !drop_world) warnOfBolts(base);
    if (floating_base && file_.is_static)
      warnings_.push_back(
          {file_.source, fmt::format("the model '{}' is static, but its base floats; choose a fixed base "
                                     "({{fixed: true}}) to keep it where it is",
                                     file_.name)});
    for (const FileLoop& loop : file_.loops) addLoop(loop);
    model_.balls = ballsOf(model_);
    return std::move(model_);
  }

 private:
  /// Adds a link of the file, fixed at X_LU to link L of the model, and all that hangs on it. Returns the inertia of
  /// what became a part of link L.
  SpatialInertia addBody(int body, LinkIndex link, const Pose& X_LU) {
    SpatialInertia added = file_.links[body].inertia.expressedIn(X_LU);
    model_.frames.push_back({file_.links[body].name, link, X_LU});
    model_.links[link].inertia += added;
    for (const int joint : tree_.joints_of_link[body]) {
      const Pose X_LJ = X_LU * file_.joints[joint].X_PJ;
      if (plan_.joints[joint].moves) {
        addMovingBody(joint, link, X_LJ);
      } else {
        added += addFixedBody(joint, link, X_LJ * lockedDisplacement(joint));
      }
    }
    return added;
  }

  SpatialInertia addFixedBody(int joint, LinkIndex link, const Pose& X_LU) {
    FixedJoint fixed;
    fixed.name = file_.joints[joint].name;
    fixed.frame = FrameIndex(static_cast<int>(model_.frames.size()));
    fixed.links_begin = LinkIndex(static_cast<int>(model_.links.size()));
    fixed.inertia = addBody(tree_.child_of_joint[joint], link, X_LU);
    fixed.frames_end = FrameIndex(static_cast<int>(model_.frames.size()));
    fixed.links_end = LinkIndex(static_cast<int>(model_.links.size()));
    model_.fixed_joints.push_back(fixed);
    return fixed.inertia;
  }

  Pose lockedDisplacement(int joint) const {
    const std::vector<SingleMotion> motions = motionsOf(file_.joints[joint]);
    const std::vector<double>& positions = plan_.joints[joint].positions;
    Pose X;
    for (std::size_t i = 0; i < motions.size() && i < positions.size(); ++i) {
      if (motions[i].kind == JointKind::ball) {  // the last three: one rotation vector
        X.R = expQuaternion(Eigen::Map<const Vector3d>(&positions[i])).toRotationMatrix();
        break;
      }
      X = X * jointDisplacement(motions[i].kind, motions[i].axis, positions[i]);
    }
    return X;
  }

  void addMovingBody(int joint, LinkIndex parent, const Pose& X_PJ) {
    const std::vector<SingleMotion> motions = motionsOf(file_.joints[joint]);
    const PlannedJoint& planned = plan_.joints[joint];
    LinkIndex link = parent;
    for (std::size_t i = 0; i < motions.size(); ++i) {
      const SingleMotion& motion = motions[i];
      const DofIndex dof(planned.first_dof + static_cast<int>(i));
      model_.joints.push_back({motion.name, motion.kind, link, i == 0 ? X_PJ : Pose{}, motion.axis, dof,
                               planned.multiplier, planned.offset});
      link = LinkIndex(static_cast<int>(model_.links.size()));
      const bool last = i + 1 == motions.size();
      model_.links.push_back({last ? file_.joints[joint].child : motion.name, {}});
    }
    const int body = tree_.child_of_joint[joint];
    addBody(body, link, {});
    if (model_.links[link].inertia.mass == 0.0)
      warnings_.push_back(
          {file_.links[body].where, fmt::format("link '{}' moves and has no mass{}", file_.links[body].name,
                                                tree_.carries_mass[body] ? "; what follows it has" : "")});
  }

  void addLoop(const FileLoop& loop) {
    const FrameIndex frame_a = model_.frame(loop.link_a), frame_b = model_.frame(loop.link_b);
    const Frame &a = model_.frames[frame_a], &b = model_.frames[frame_b];
    model_.loops.push_back(
        {loop.name, loop.kind, a.link, b.link, a.X_LF * loop.X_AF, b.X_LF * loop.X_BF, frame_a, frame_b});
  }

  /// A floating base without mass that carries a single limb can turn with nothing following it.
  void checkFloatingBase(const UrdfLink& base) const {
    if (model_.links[0].inertia.mass > 0.0) return;
    int limbs = 0;
    for (const Joint& joint : model_.joints) limbs += joint.parent == 0 ? 1 : 0;
    if (limbs >= 2) {
      warnings_.push_back(
          {base.where, fmt::format("the floating base '{}' has no mass; what follows it has", base.name)});
      return;
    }
    throw Error(base.where, fmt::format("link '{}' is the floating base, and has no mass", base.name),
                "give it an <inertial>, or choose a fixed base");
  }

  /// A root `world` says that what is fixed to it stays there.
  void warnOfBolts(int base) const {
    if (file_.links[base].name != "world" || file_.links[base].inertia.mass > 0.0) return;
    for (const int joint : tree_.joints_of_link[base])
      if (!plan_.joints[joint].moves)
        warnings_.push_back(
            {file_.joints[joint].where,
             fmt::format("joint '{}' fixes link '{}' to the world, but the base floats; choose a fixed base (base: "
                         "{{fixed: true}}) to keep it there",
                         file_.joints[joint].name, file_.joints[joint].child)});
  }

  const UrdfFile& file_;
  const UrdfTree& tree_;
  const JointPlan& plan_;
  std::vector<Warning>& warnings_;
  Model model_;
};

void findMeshes(const ResourcePath& resources, LoadedModel& loaded) {
  const std::filesystem::path beside = std::filesystem::path(loaded.source).parent_path();
  std::set<std::string> reported;
  for (LinkGeometry& geometry : loaded.geometries) {
    if (geometry.mesh.empty()) continue;
    if (const auto found = resources.find(geometry.mesh, beside)) {
      geometry.mesh_path = found->string();
    } else if (reported.insert(geometry.mesh).second) {
      loaded.warnings.push_back({geometry.where, fmt::format("link '{}': mesh '{}' is not found (the dynamics do not "
                                                             "need it)",
                                                             geometry.link, geometry.mesh)});
    }
  }
}

}  // namespace

LoadedModel parseUrdf(const std::string& text, const std::string& source, const UrdfOptions& options) {
  LoadedModel loaded;
  loaded.source = source;
  UrdfFile file = isSdf(text) ? parseSdfFile(text, source, options.sdf_model, loaded.warnings)
                              : parseUrdfFile(text, source, loaded.warnings);
  for (const UrdfLink& link : file.links) loaded.link_places.emplace(link.name, link.where);
  const UrdfTree tree = buildUrdfTree(file);
  const JointPlan plan = planJoints(file, tree, options, loaded.warnings);
  loaded.model = ModelBuilder(file, tree, plan, loaded.warnings).build(options.floating_base);
  loaded.geometries = std::move(file.geometries);
  findMeshes(options.resources, loaded);
  return loaded;
}

LoadedModel loadUrdf(const std::string& name, const UrdfOptions& options) {
  const std::size_t mark = name.rfind(".sdf#");
  if (mark != std::string::npos) {
    UrdfOptions one = options;
    one.sdf_model = name.substr(mark + 5);
    return loadUrdf(name.substr(0, mark + 4), one);
  }
  const std::filesystem::path path = options.resources.findModel(name);
  return parseUrdf(readText(path), path.string(), options);
}

}  // namespace footfall
