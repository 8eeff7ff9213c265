#include "footfall/model/state.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <istream>
#include <ostream>
#include <sstream>

#include "footfall/base/error.hpp"
#include "footfall/model/ball_joint.hpp"

namespace footfall {
namespace {

constexpr std::array<char, 8> kMagic = {'F', 'O', 'O', 'T', 'F', 'A', 'L', 'L'};
constexpr std::uint32_t kVersion = 7, kVersionWithoutParts = 6, kVersionWithoutRobot = 5, kVersionWithoutTies = 4;

/// Of the base that begins at `at` in q.
Eigen::Quaterniond baseQuaternion(const VectorXd& q, Eigen::Index at = 0) {
  return {q[at + 6], q[at + 3], q[at + 4], q[at + 5]};
}

void setBaseQuaternion(const Eigen::Quaterniond& Q_WB, VectorXd& q, Eigen::Index at = 0) {
  q.segment<4>(at + 3) << Q_WB.x(), Q_WB.y(), Q_WB.z(), Q_WB.w();
}

/// Moves the base at `at` in q by its velocity at `from` in nu.
void moveBase(const VectorXd& nu, Eigen::Index from, double dt, VectorXd& q, Eigen::Index at) {
  q.segment<3>(at) += dt * nu.segment<3>(from);
  // ω is in world axes: the increment multiplies from the left. Normalising keeps rounding from adding up.
  setBaseQuaternion((expQuaternion(dt * nu.segment<3>(from + 3)) * baseQuaternion(q, at)).normalized(), q, at);
}

/// Where there are ball joints.
void moveJoints(const Model& model, const VectorXd& nu, double dt, VectorXd& q) {
  auto s = model.jointPositions(q);
  const auto s_dot = model.jointVelocities(nu);
  int next = 0;
  for (const DofIndex ball : model.balls) {
    s.segment(next, ball - next) += dt * s_dot.segment(next, ball - next);
    s.segment<3>(ball) = turnedBy(dt * s_dot.segment<3>(ball), Vector3d(s.segment<3>(ball)));
    next = ball + 3;
  }
  s.tail(s.size() - next) += dt * s_dot.tail(s.size() - next);
}

/// A warm start has room for as many contacts as are usual. Where there were more it has grown to twice as many as
/// there were: anything between belongs to another model.
bool slotsFit(const Model& model, Eigen::Index slots) {
  const int usual = model.usualContacts();
  return slots == usual || (usual > 0 && slots >= 2 * usual);
}
constexpr Eigen::Index kMostSlots = 1 << 20;  ///< of a file that can be believed

template <class T>
void write(std::ostream& out, const T& value) {
  out.write(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class Vector>
void writeVector(std::ostream& out, const Vector& v) {
  write(out, static_cast<std::uint64_t>(v.size()));
  out.write(reinterpret_cast<const char*>(v.data()),
            static_cast<std::streamsize>(sizeof(typename Vector::Scalar) * v.size()));
}

void writePose(std::ostream& out, const Pose& X) {
  out.write(reinterpret_cast<const char*>(X.R.data()), 9 * sizeof(double));
  out.write(reinterpret_cast<const char*>(X.p.data()), 3 * sizeof(double));
}

void writeText(std::ostream& out, const std::string& text) {
  write(out, static_cast<std::uint64_t>(text.size()));
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
}

void writeTie(std::ostream& out, const Loop& tie) {
  writeText(out, tie.name);
  write(out, static_cast<std::int32_t>(tie.kind));
  write(out, static_cast<std::int32_t>(tie.link_a));
  write(out, static_cast<std::int32_t>(tie.link_b));
  writePose(out, tie.X_AF);
  writePose(out, tie.X_BF);
  write(out, static_cast<std::int32_t>(tie.frame_a));
  write(out, static_cast<std::int32_t>(tie.frame_b));
}

/// Reads the parts of a state one after the other and names the part that is wrong.
class StateReader {
 public:
  StateReader(std::istream& in, const std::string& source) : in_(in), source_(source) {}

  template <class T>
  T read(const char* part) {
    T value;
    readBytes(reinterpret_cast<char*>(&value), sizeof value, part);
    return value;
  }

  template <class Vector = VectorXd>
  Vector readVector(const char* part, Eigen::Index expected_size) {
    return readNumbers<Vector>(part, readSize(part, expected_size, expected_size));
  }

  Eigen::Index readSize(const char* part, Eigen::Index least, Eigen::Index most) {
    return readSize(part, least, most, [](Eigen::Index) { return true; });
  }

  template <class Fits>
  Eigen::Index readSize(const char* part, Eigen::Index least, Eigen::Index most, const Fits& fits) {
    const auto size = read<std::uint64_t>(part);
    if (size < static_cast<std::uint64_t>(least) || size > static_cast<std::uint64_t>(most) ||
        !fits(static_cast<Eigen::Index>(size)))
      throw Error(source_, fmt::format("{} has {} entries, the model needs {}", part, size, least),
                  "was this state saved with another model, other joints or other contacts?");
    return static_cast<Eigen::Index>(size);
  }

  template <class Vector>
  Vector readNumbers(const char* part, Eigen::Index size) {
    Vector v(size);
    readBytes(reinterpret_cast<char*>(v.data()), sizeof(typename Vector::Scalar) * static_cast<std::size_t>(size),
              part);
    return v;
  }

  std::string readText(const char* part, Eigen::Index longest) {
    std::string text(static_cast<std::size_t>(readSize(part, 0, longest)), '\0');
    readBytes(text.data(), text.size(), part);
    return text;
  }

  Pose readPose(const char* part) {
    Pose X;
    readBytes(reinterpret_cast<char*>(X.R.data()), 9 * sizeof(double), part);
    readBytes(reinterpret_cast<char*>(X.p.data()), 3 * sizeof(double), part);
    return X;
  }

  void expectEnd() {
    if (in_.peek() != std::istream::traits_type::eof()) throw Error(source_, "there are more bytes after the state");
  }

  [[noreturn]] void fail(const std::string& what, const std::string& hint) { throw Error(source_, what, hint); }

 private:
  void readBytes(char* data, std::size_t size, const char* part) {
    in_.read(data, static_cast<std::streamsize>(size));
    if (in_.gcount() != static_cast<std::streamsize>(size))
      throw Error(source_, fmt::format("the file ends inside of {}", part), "the file is truncated: save it again");
  }

  std::istream& in_;
  const std::string& source_;
};

/// Of a file that can be believed.
constexpr Eigen::Index kMostTies = 1 << 16, kLongestName = 1 << 12, kLongestIdentity = 1 << 24;

Loop readTie(StateReader& reader, bool with_parts) {
  constexpr const char* kPart = "the ties";
  Loop tie;
  tie.name = reader.readText(kPart, kLongestName);
  const auto kind = reader.read<std::int32_t>(kPart);
  if (kind < 0 || kind > static_cast<int>(LoopKind::weld))
    reader.fail(fmt::format("the tie '{}' is of the unknown kind {}", tie.name, kind), "is it damaged?");
  tie.kind = static_cast<LoopKind>(kind);
  tie.link_a = LinkIndex(reader.read<std::int32_t>(kPart));
  tie.link_b = LinkIndex(reader.read<std::int32_t>(kPart));
  tie.X_AF = reader.readPose(kPart);
  tie.X_BF = reader.readPose(kPart);
  if (!with_parts) return tie;
  tie.frame_a = FrameIndex(reader.read<std::int32_t>(kPart));
  tie.frame_b = FrameIndex(reader.read<std::int32_t>(kPart));
  return tie;
}

/// The first name in which two identities of robots of one name differ, "'a' in place of 'b'".
std::string firstDifference(const std::string& saved, const std::string& own) {
  std::istringstream saved_names(saved), own_names(own);
  std::string a, b;
  while (true) {
    const bool more_a = static_cast<bool>(std::getline(saved_names, a));
    const bool more_b = static_cast<bool>(std::getline(own_names, b));
    if (!more_a && !more_b) return "";
    if (!more_b) return fmt::format("'{}', which this one does not have", a);
    if (!more_a) return fmt::format("no '{}'", b);
    if (a != b) return fmt::format("'{}' in place of '{}'", a, b);
  }
}

}  // namespace

std::string robotIdentity(const Model& model) {
  std::string names = model.name;
  for (const Dof& dof : model.dofs) names += '\n' + dof.name;
  for (const Joint& joint : model.joints)
    if (joint.kind == JointKind::free) names += '\n' + joint.name;
  return names;
}

void requireSameRobot(const std::string& identity, const Model& model, const std::string& where,
                      const std::string& what) {
  const std::string own = robotIdentity(model);
  if (identity.empty() || identity == own) return;
  const std::string name = identity.substr(0, identity.find('\n'));
  throw Error(where,
              name == model.name ? fmt::format("{} of a robot '{}' with other joints or bodies than this one: {}", what,
                                               name, firstDifference(identity, own))
                                 : fmt::format("{} of the robot '{}', not of '{}'", what, name, model.name),
              "it belongs to a scene with the same robot and the same bodies");
}

void checkTies(const Model& model, const std::vector<Loop>& ties, const std::string& where) {
  const int links = static_cast<int>(model.links.size());
  const auto isLink = [&](LinkIndex link) { return link >= -1 && link < links; };
  const int frames = static_cast<int>(model.frames.size());
  const auto isPartOf = [&](FrameIndex frame, LinkIndex link) {
    return frame == -1 || (frame >= 0 && frame < frames && model.frames[frame].link == link);
  };
  const auto isPose = [](const Pose& X) {
    constexpr double kFarFromRotation = 1e-6;
    return X.p.allFinite() && (X.R.transpose() * X.R - Matrix3d::Identity()).cwiseAbs().maxCoeff() < kFarFromRotation;
  };
  for (const Loop& tie : ties)
    if (!isLink(tie.link_a) || !isLink(tie.link_b) || tie.link_a == tie.link_b || !isPose(tie.X_AF) ||
        !isPose(tie.X_BF) || !isPartOf(tie.frame_a, tie.link_a) || !isPartOf(tie.frame_b, tie.link_b))
      throw Error(where, fmt::format("the tie '{}' does not belong to the robot '{}'", tie.name, model.name),
                  "was this state saved with another model?");
}

Pose State::basePose() const { return {baseQuaternion(q).toRotationMatrix(), q.head<3>()}; }

void State::setBasePose(const Pose& X_WB) {
  q.head<3>() = X_WB.p;
  setBaseQuaternion(Eigen::Quaterniond(X_WB.R).normalized(), q);
}

int warmStartSize(const Model& model) { return 3 * model.usualContacts() + 2 * model.jointDofs(); }

bool warmStartFits(const Model& model, const WarmStart& warm) {
  const Eigen::Index slots = warm.candidate.size();
  return slotsFit(model, slots) && warm.impulse.size() == 3 * slots + 2 * model.jointDofs();
}

State makeState(const Model& model) {
  State state;
  state.q = VectorXd::Zero(model.nq());
  state.q[6] = 1.0;
  state.free_bodies = model.free_bodies;
  for (int body = 0; body < model.free_bodies; ++body) state.q[model.freePosition(body) + 6] = 1.0;
  state.nu = VectorXd::Zero(model.nv());
  state.motors = VectorXd::Zero(model.hasMotorDynamics() ? 2 * model.motors() : 0);
  state.warm.candidate = Eigen::VectorXi::Constant(model.usualContacts(), -1);
  state.warm.impulse = VectorXd::Zero(warmStartSize(model));
  return state;
}

Input makeInput(const Model& model) {
  Input input;
  input.tau = VectorXd::Zero(model.jointDofs());
  input.position = input.velocity = input.tau;
  return input;
}

void integrateConfiguration(const Model& model, const VectorXd& nu, double dt, VectorXd& q) {
  if (model.floating_base) moveBase(nu, 0, dt, q, 0);
  if (model.balls.empty()) {
    model.jointPositions(q) += dt * model.jointVelocities(nu);
  } else {
    moveJoints(model, nu, dt, q);
  }
  for (int body = 0; body < model.free_bodies; ++body)
    moveBase(nu, model.freeVelocity(body), dt, q, model.freePosition(body));
}

void saveState(const State& state, const Model& model, std::ostream& out) {
  saveState(state, robotIdentity(model), out);
}

void saveState(const State& state, const std::string& robot_identity, std::ostream& out) {
  write(out, kMagic);
  write(out, kVersion);
  writeText(out, robot_identity);
  write(out, state.time);
  write(out, state.count.start);
  write(out, state.count.steps);
  writeVector(out, state.q);
  writeVector(out, state.nu);
  writeVector(out, state.motors);
  writeVector(out, state.warm.candidate);
  writeVector(out, state.warm.impulse);
  write(out, static_cast<std::uint8_t>(state.warm.minimum_norm));
  write(out, static_cast<std::uint64_t>(state.ties.size()));
  for (const Loop& tie : state.ties) writeTie(out, tie);
}

State loadState(const Model& model, std::istream& in, const std::string& source_name) {
  StateReader reader(in, source_name);
  if (reader.read<std::array<char, 8>>("the header") != kMagic)
    reader.fail("this is not a saved state",
                "states are written by `footfall run --save-state`, State.save() of Python and saveState() of C++");
  const auto version = reader.read<std::uint32_t>("the header");
  if (version < kVersionWithoutTies || version > kVersion)
    reader.fail(fmt::format("version {} of the format, this program reads versions {} to {}", version,
                            kVersionWithoutTies, kVersion),
                "save the state again with this version of the program");
  if (version > kVersionWithoutRobot)
    requireSameRobot(reader.readText("the robot's names", kLongestIdentity), model, source_name);
  const State shape = makeState(model);
  State state;
  state.free_bodies = shape.free_bodies;
  state.time = reader.read<double>("the time");
  state.count.start = reader.read<double>("the time");
  state.count.steps = reader.read<std::int64_t>("the time");
  state.q = reader.readVector("q", shape.q.size());
  state.nu = reader.readVector("nu", shape.nu.size());
  state.motors = reader.readVector("the motors", shape.motors.size());
  const Eigen::Index slots = reader.readSize("the warm start", shape.warm.candidate.size(), kMostSlots,
                                             [&](Eigen::Index size) { return slotsFit(model, size); });
  state.warm.candidate = reader.readNumbers<Eigen::VectorXi>("the warm start", slots);
  state.warm.impulse = reader.readVector("the warm start", 3 * slots + 2 * model.jointDofs());
  state.warm.minimum_norm = reader.read<std::uint8_t>("the warm start") != 0;
  if (version != kVersionWithoutTies) {
    const Eigen::Index ties = reader.readSize("the ties", 0, kMostTies);
    for (Eigen::Index k = 0; k < ties; ++k) state.ties.push_back(readTie(reader, version > kVersionWithoutParts));
    checkTies(model, state.ties, source_name);
  }
  reader.expectEnd();
  return state;
}

}  // namespace footfall
