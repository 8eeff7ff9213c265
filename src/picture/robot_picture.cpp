#include "footfall/picture/robot_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "footfall/base/error.hpp"
#include "footfall/model/kinematics.hpp"
#include "footfall/scene/internal/scene_setup.hpp"
#include "picture/raster.hpp"
#include "picture/shape_triangles.hpp"

namespace footfall {
namespace {

using picture::Color;

const Vector3d kSun = Vector3d(0.4, -0.3, 0.87).normalized();  // towards it
const Color kGrey(0.72f, 0.74f, 0.78f), kLight(0.86f, 0.87f, 0.86f), kDark(0.70f, 0.72f, 0.72f),
    kShadow(0.42f, 0.44f, 0.46f);
const Color kHaze(0.93f, 0.95f, 0.97f);

/// A shape that moves with a link L.
struct Body {
  LinkIndex link;
  TriangleMesh mesh;  ///< in L
  Color color;
};

Color colorOf(const LinkGeometry& geometry) {
  return geometry.color ? Color(geometry.color->head<3>().cast<float>()) : kGrey;
}

std::vector<Body> bodiesOf(const Scene& scene, const Model& model) {
  const std::vector<LinkGeometry> geometries = loadRobot(scene).geometries;
  const bool has_visuals =
      std::any_of(geometries.begin(), geometries.end(), [](const auto& g) { return !g.collision; });
  std::vector<Body> bodies;
  for (const LinkGeometry& geometry : geometries) {
    if (geometry.collision == has_visuals) continue;
    const Frame& frame = model.frames[model.frame(geometry.link)];
    Body body{frame.link, picture::trianglesOf(geometry), colorOf(geometry)};
    for (Vector3d& vertex : body.mesh.vertices) vertex = frame.X_LF * (geometry.X_FS * vertex);
    bodies.push_back(std::move(body));
  }
  return bodies;
}

/// How bright a surface is: some light comes from everywhere. Meshes are not always wound one way, so both sides count.
float brightness(const Vector3d& normal) {
  const double towards_sun = normal.dot(kSun), from_above = 0.5 + 0.5 * normal.z();
  return static_cast<float>(0.45 + 0.15 * from_above + 0.4 * std::abs(towards_sun));
}

/// Farther away nothing is seen, and numbers of pixels and squares end.
constexpr double kFarthest = 1e9;  // [m]

void requireView(const PictureView& view) {
  const auto require = [](const char* name, double value, double least, double most) {
    if (!(value >= least && value <= most))
      throw Error("picture", fmt::format("its {} is {:g}, expected {:g} to {:g}", name, value, least, most));
  };
  require("azimuth", view.azimuth, -1e6, 1e6);
  require("elevation", view.elevation, -1e6, 1e6);
  if (view.distance) require("distance", *view.distance, 1e-3, kFarthest);
}

}  // namespace

struct RobotPicture::Parts {
  Parts(const Scene& scene, const Model& of_robot) : model(of_robot), bodies(bodiesOf(scene, of_robot)) {}

  /// From the base to the farthest corner of the robot [m].
  double reach(const Vector3d& centre) const {
    double farthest = 0.05;
    for (const Body& body : bodies)
      for (const Vector3d& vertex : body.mesh.vertices)
        farthest = std::max(farthest, (poses[body.link] * vertex - centre).norm());
    return farthest;
  }

  void aim(const PictureView& view, const State& state) {
    target = view.target.value_or(state.basePose().p);
    if (!(target.cwiseAbs().maxCoeff() <= kFarthest))
      throw Error("picture", fmt::format("it looks at ({:g}, {:g}, {:g}) m, expected a place within {:g} m", target.x(),
                                         target.y(), target.z(), kFarthest));
    distance = view.distance.value_or(3.0 * reach(target));
    const double flat = std::cos(view.elevation);
    const Vector3d back(flat * std::cos(view.azimuth), flat * std::sin(view.azimuth), std::sin(view.elevation));
    Vector3d right = Vector3d::UnitZ().cross(back);
    if (right.norm() < 1e-9) right = Vector3d(-std::sin(view.azimuth), std::cos(view.azimuth), 0.0);
    right.normalize();
    Pose X_WC;
    X_WC.R << right, right.cross(back), -back;  // x right, y down, z forwards
    X_WC.p = target + distance * back;
    camera = {X_WC.inverse(), 2.2};
  }

  /// Squares that stay where they are while the robot moves over them; they fade with the distance.
  void drawGround(const Terrain& terrain, double time) {
    constexpr int kHalf = 24;  // squares from the middle to the edge
    const double cell = std::pow(2.0, std::round(std::log2(0.12 * distance)));
    const auto column = static_cast<long long>(std::floor(target.x() / cell));
    const auto row = static_cast<long long>(std::floor(target.y() / cell));
    const auto corner = [&](int i, int k) {
      const double x = cell * static_cast<double>(column + i), y = cell * static_cast<double>(row + k);
      return Vector3d(x, y, findGroundBelow(terrain, x, y, target.z() + 0.5 * distance, time).z);
    };
    constexpr int kCorners = 2 * kHalf + 1;
    corners.clear();
    for (int i = -kHalf; i <= kHalf; ++i)
      for (int k = -kHalf; k <= kHalf; ++k) corners.push_back(corner(i, k));
    for (int i = 0; i + 1 < kCorners; ++i)
      for (int k = 0; k + 1 < kCorners; ++k) {
        const bool even = (column + i + row + k) % 2 == 0;
        const double away = std::hypot(i - kHalf, k - kHalf) / kHalf;
        const Color color = (even ? kLight : kDark) +
                            static_cast<float>(std::min(1.0, away * away)) * (kHaze - (even ? kLight : kDark));
        const std::size_t at = static_cast<std::size_t>(i * kCorners + k);
        raster.draw({corners[at], corners[at + 1], corners[at + kCorners]}, color);
        raster.draw({corners[at + 1], corners[at + kCorners + 1], corners[at + kCorners]}, color);
      }
  }

  void drawBodies(const Terrain& terrain, double time) {
    for (const Body& body : bodies) {
      const Pose& X_WL = poses[body.link];
      const double floor = findGroundBelow(terrain, X_WL.p.x(), X_WL.p.y(), X_WL.p.z() + 0.01, time).z;
      moved.clear();
      for (const Vector3d& vertex : body.mesh.vertices) moved.push_back(X_WL * vertex);
      for (const auto& [a, b, c] : body.mesh.triangles) drawTriangle({moved[a], moved[b], moved[c]}, body.color, floor);
    }
  }

  /// With the shadow that it casts on the ground under its link.
  void drawTriangle(const std::array<Vector3d, 3>& corners_W, const Color& color, double floor) {
    const Vector3d normal = (corners_W[1] - corners_W[0]).cross(corners_W[2] - corners_W[0]);
    const double size = normal.norm();
    if (!(size > 0.0)) return;
    raster.draw(corners_W, brightness(normal / size) * color);
    std::array<Vector3d, 3> shadow;
    constexpr double kAboveTheGround = 2e-3;  // so that it is not hidden by it [m]
    for (std::size_t i = 0; i < 3; ++i) {
      const double height = corners_W[i].z() - floor;
      if (height < 0.0) return;
      shadow[i] = corners_W[i] - height / kSun.z() * kSun;
      shadow[i].z() = floor + kAboveTheGround;
    }
    raster.draw(shadow, kShadow);
  }

  const Model& model;
  std::vector<Body> bodies;
  std::vector<Pose> poses;  ///< X_WL of the links
  Vector3d target = Vector3d::Zero();
  double distance = 1.0;  ///< [m]
  picture::Pinhole camera;
  picture::Raster raster;
  std::vector<Vector3d> corners, moved;  ///< of the ground; of the body that is drawn [m]
  Picture image;
};

RobotPicture::RobotPicture(const Scene& scene, const Model& model) : parts_(std::make_unique<Parts>(scene, model)) {}
RobotPicture::~RobotPicture() = default;
RobotPicture::RobotPicture(RobotPicture&&) noexcept = default;
RobotPicture& RobotPicture::operator=(RobotPicture&&) noexcept = default;

const Picture& RobotPicture::draw(const State& state, const Terrain& terrain, const PictureView& view, int width,
                                  int height) {
  constexpr int kLargest = 8192;
  if (width < 1 || height < 1 || width > kLargest || height > kLargest)
    throw Error("picture", fmt::format("its size is {} × {} pixels, expected 1 to {} each", width, height, kLargest));
  requireView(view);
  if (!state.q.allFinite()) throw Error("picture", "the state of the robot has numbers that are not finite");
  Parts& parts = *parts_;
  forwardKinematics(parts.model, state.q, parts.poses);
  parts.aim(view, state);
  parts.raster.begin(width, height, parts.camera);
  parts.drawGround(terrain, state.time);
  parts.drawBodies(terrain, state.time);
  parts.image.width = width;
  parts.image.height = height;
  parts.raster.finish(parts.image.pixels);
  return parts.image;
}

}  // namespace footfall
