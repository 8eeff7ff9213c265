#include "footfall/scene/internal/collision_filter.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "footfall/base/error.hpp"
#include "footfall/base/suggest.hpp"
#include "footfall/contact/contact.hpp"
#include "footfall/model/tree.hpp"
#include "footfall/robot_file/srdf.hpp"
#include "scene/at_place.hpp"

namespace footfall {
namespace {

/// The shapes of a link, a frame or a body by name.
std::vector<int> shapesNamed(const std::string& name, const std::string& where, const Model& model) {
  std::vector<int> found;
  std::vector<std::string> known;
  for (int k = 0; k < static_cast<int>(model.shapes.size()); ++k) {
    const CollisionShape& shape = model.shapes[k];
    const std::string& link = model.links[shape.link].name;
    const std::string& frame = model.frames[shape.frame].name;
    if (link == name || frame == name || frame.starts_with(name + "/") || link.starts_with(name + "/"))
      found.push_back(k);
    known.push_back(frame);
  }
  if (found.empty())
    throw Error(where, fmt::format("there is no link, frame or body '{}' with collision shapes", name),
                suggestOrList(name, known));
  return found;
}

ShapePair ordered(int a, int b) { return a < b ? ShapePair{a, b} : ShapePair{b, a}; }

std::set<ShapePair> pairsOf(const std::vector<int>& first, const std::vector<int>& second) {
  std::set<ShapePair> pairs;
  for (const int a : first)
    for (const int b : second)
      if (a != b) pairs.insert(ordered(a, b));
  return pairs;
}

std::set<ShapePair> pairsNamed(const std::vector<std::string>& names, const std::string& where, const Model& model) {
  std::set<ShapePair> pairs = pairsOf(shapesNamed(names[0], where, model), shapesNamed(names[1], where, model));
  if (pairs.empty())
    throw Error(where, fmt::format("'{}' and '{}' are one shape, which does not meet itself", names[0], names[1]),
                "name two links, frames or bodies");
  return pairs;
}

/// Names that are wrong are told also where nothing depends on them, and that nothing does.
void checkIdle(const Scene& scene, const Model& model, std::vector<std::string>& warnings) {
  const SceneCollisions& collisions = scene.collisions;
  const auto check = [&](const std::vector<std::string>& names, const std::string& where) {
    for (const std::string& name : names) atPlace(where, [&] { return model.frame(name); });
  };
  for (const std::vector<std::string>& names : collisions.exclude) check(names, collisions.where);
  for (const std::vector<std::string>& names : collisions.only) check(names, collisions.where);
  for (const SceneCollisionPair& pair : collisions.pairs) check(pair.between, pair.where);
  if (!collisions.srdf.empty()) srdfFile(scene);
  static const std::set<std::string> kOfPairs = {"exclude", "only", "srdf", "pairs", "friction", "restitution"};
  for (const std::string& key : collisions.given)
    if (kOfPairs.contains(key))
      warnings.push_back(
          fmt::format("{}: collisions.{} does nothing: the robot meets the ground alone, which has its own friction; "
                      "there are no `bodies`, and collisions.self is false",
                      collisions.where, key));
}

/// Links that no joint, or a single one, lies between.
bool areNeighbours(const Model& model, LinkIndex a, LinkIndex b) {
  const auto parentOf = [&](LinkIndex link) { return link == 0 ? LinkIndex() : model.joints[link - 1].parent; };
  return a == b || parentOf(b) == a || parentOf(a) == b;
}

/// Collects pairs; the first reason counts.
class Filter {
 public:
  Filter(const Scene& scene, const Model& model)
      : scene_(scene), collisions_(scene.collisions), model_(model), tree_of_shape_(treesOfShapes(model)) {}

  std::map<ShapePair, Apart> pairs(std::vector<std::string>& warnings) && {
    takeLinksOfOneRobot();
    if (collisions_.self) takeTouchingAtZero();
    if (!collisions_.srdf.empty()) takeSrdf(warnings);
    if (!collisions_.only.empty()) takeNotListed();
    for (const std::vector<std::string>& names : collisions_.exclude)
      take(pairsNamed(names, collisions_.where, model_), Apart::excluded);
    return std::move(apart_);
  }

 private:
  static std::vector<int> treesOfShapes(const Model& model) {
    const std::vector<Tree> trees = treesOf(model);
    std::vector<int> found;
    for (const CollisionShape& shape : model.shapes)
      found.push_back(static_cast<int>(
          std::find_if(trees.begin(), trees.end(), [&](const Tree& tree) { return tree.contains(shape.link); }) -
          trees.begin()));
    return found;
  }

  int count() const { return static_cast<int>(model_.shapes.size()); }
  bool ofOneRobot(const ShapePair& pair) const { return tree_of_shape_[pair.a] == tree_of_shape_[pair.b]; }

  void take(const std::set<ShapePair>& pairs, Apart why) {
    for (const ShapePair& pair : pairs) apart_.emplace(pair, why);
  }

  void takeLinksOfOneRobot() {
    for (int a = 0; a < count(); ++a)
      for (int b = a + 1; b < count(); ++b) {
        const LinkIndex link_a = model_.shapes[a].link, link_b = model_.shapes[b].link;
        if (link_a == link_b || !ofOneRobot({a, b})) continue;
        const bool neighbours = areNeighbours(model_, link_a, link_b);
        if (!collisions_.self || neighbours)
          apart_.emplace(ShapePair{a, b}, neighbours ? Apart::neighbours : Apart::one_robot);
      }
  }

  /// Links of one robot whose shapes touch in the zero posture were drawn so.
  void takeTouchingAtZero() {
    Model model = model_;
    model.untouched_pairs.clear();
    for (const auto& [pair, why] : apart_) model.untouched_pairs.push_back(pair);
    const std::unique_ptr<Dynamics> dynamics = makeDynamics("native", model);
    State zero = makeState(model);
    // Robots that all stand where the first one does would touch each other, pair by pair of their links.
    constexpr double kFarApart = 100.0;  // [m]
    for (int body = 0; body < model.free_bodies; ++body) zero.q[model.freePosition(body)] = kFarApart * (body + 1);
    dynamics->update(zero.q, zero.nu);
    for (const TouchingShapes& pair : touchingShapes(model, *dynamics))
      if (ofOneRobot(pair.shapes)) apart_.emplace(pair.shapes, Apart::touching_at_zero);
  }

  void takeSrdf(std::vector<std::string>& warnings) {
    const std::string path = srdfFile(scene_).string();
    std::set<std::string> unknown;
    for (const DisabledPair& pair : loadSrdf(path))
      take(pairsOf(shapesOfRobot(pair.link_a, unknown), shapesOfRobot(pair.link_b, unknown)), Apart::disabled_by_srdf);
    if (!unknown.empty())
      warnings.push_back(
          fmt::format("{}: the robot has no links {}, which are named there", path, fmt::join(unknown, ", ")));
  }

  /// Of a link of the robot, which may have none.
  std::vector<int> shapesOfRobot(const std::string& link, std::set<std::string>& unknown) const {
    const auto named = [&](const auto& thing) { return thing.name == link; };
    if (std::none_of(model_.frames.begin(), model_.frames.end(), named)) unknown.insert(link);
    std::vector<int> found;
    for (int k = 0; k < count(); ++k)
      if (tree_of_shape_[k] == 0 && model_.frames[model_.shapes[k].frame].name == link) found.push_back(k);
    return found;
  }

  void takeNotListed() {
    std::set<ShapePair> wanted;
    for (const std::vector<std::string>& names : collisions_.only)
      wanted.merge(pairsNamed(names, collisions_.where, model_));
    for (int a = 0; a < count(); ++a)
      for (int b = a + 1; b < count(); ++b)
        if (!wanted.contains({a, b})) apart_.emplace(ShapePair{a, b}, Apart::not_listed);
  }

  const Scene& scene_;
  const SceneCollisions& collisions_;
  const Model& model_;
  std::vector<int> tree_of_shape_;
  std::map<ShapePair, Apart> apart_;
};

}  // namespace

std::filesystem::path srdfFile(const Scene& scene) {
  const SceneCollisions& collisions = scene.collisions;
  const auto beside = std::filesystem::path(scene.source).parent_path();
  if (const auto path = ResourcePath::standard({beside}).find(collisions.srdf, beside)) return *path;
  throw Error(collisions.where, fmt::format("collisions.srdf: there is no file '{}'", collisions.srdf),
              "it is looked for beside the scene, and as package://…");
}

std::vector<ApartShapes> apartShapes(const Scene& scene, const Model& model, std::vector<std::string>& warnings) {
  std::vector<ApartShapes> apart;
  for (const auto& [pair, why] : Filter(scene, model).pairs(warnings)) apart.push_back({pair, why});
  return apart;
}

void setCollisions(const Scene& scene, Model& model, std::vector<std::string>& warnings) {
  const SceneCollisions& collisions = scene.collisions;
  if (scene.bodies.empty() && !collisions.self) return checkIdle(scene, model, warnings);
  for (const std::string& key : collisions.given)
    if (scene.robot.model.empty() && (key == "friction" || key == "restitution"))
      warnings.push_back(
          fmt::format("{}: collisions.{} does nothing: it belongs to the robot, and there is none; bodies "
                      "have their own",
                      collisions.where, key));
  for (CollisionShape& shape : model.shapes) shape.meets_shapes = true;
  for (const ApartShapes& pair : apartShapes(scene, model, warnings)) model.untouched_pairs.push_back(pair.shapes);

  std::map<ShapePair, PairMaterial> given;
  std::set<std::set<std::string>> named;
  for (const SceneCollisionPair& entry : collisions.pairs) {
    if (!named.insert({entry.between.begin(), entry.between.end()}).second)
      throw Error(entry.where,
                  fmt::format("collisions.pairs names '{}' and '{}' twice", entry.between[0], entry.between[1]),
                  "remove one of the entries");
    for (const ShapePair& pair : pairsNamed(entry.between, entry.where, model))
      given[pair] = {pair, entry.friction, entry.restitution};
  }
  for (const auto& [pair, material] : given) model.pair_materials.push_back(material);
}

}  // namespace footfall
