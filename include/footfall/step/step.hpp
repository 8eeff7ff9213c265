#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "footfall/contact/contact_model.hpp"
#include "footfall/model/state.hpp"
#include "footfall/step/force_field.hpp"

namespace footfall {

class Integrator;
struct LinkMass;
struct MassTraits;

/// The numbers and names that choose how a step is made.
struct Settings {
  double step = 1e-3;  ///< [s]
  std::string engine = "native";
  std::string solver = "native";
  std::string integrator = "second_order";
  ContactSettings contact;
};

/// Throws Error for values that make no sense, and for combinations that cannot work.
void validate(const Settings& settings);

/// Joint springs and dampers, integrated implicitly and so stable however stiff:
/// tau = stiffness (target − s) − damping ṡ, in the mean of the step (at its end with the Euler schemes).
struct JointSprings {
  VectorXd stiffness;  ///< (n) [N m/rad or N/m]
  VectorXd damping;    ///< (n) [N m s/rad or N s/m]
  VectorXd target;     ///< (n) [rad or m]
};

enum class ContactMode { open, sticking, sliding };

/// What happened at one active contact during a step. Gap, place and axes are those at its start, where an impact
/// happens; the mean force of the step has the place and axes of StepResult::q_forces.
struct ContactReport {
  int candidate = -1;                      ///< of the model, or a number above all of those for two shapes
  FrameIndex frame;                        ///< what touches
  FrameIndex other;                        ///< what it touches: a part of another link; not valid: the ground
  double gap = 0.0;                        ///< [m]
  Vector3d p_WC = Vector3d::Zero();        ///< [m]
  Matrix3d R_WC = Matrix3d::Identity();    ///< contact axes in the world [-]
  Vector3d force_C = Vector3d::Zero();     ///< mean force of the step, contact axes [N]
  Vector3d force_W = Vector3d::Zero();     ///< the same in world axes [N]
  Vector3d force_p_W = Vector3d::Zero();   ///< where it acts [m]
  Vector3d impulse_C = Vector3d::Zero();   ///< of the impact, contact axes [N s]
  Vector3d impulse_W = Vector3d::Zero();   ///< the same in world axes [N s]
  Vector3d velocity_C = Vector3d::Zero();  ///< relative to the surface at the end of the step, contact axes [m/s]
  double friction = 0.0;                   ///< Coulomb coefficient of the surface there [-]
  ContactMode mode = ContactMode::open;
};

/// All the contacts of one frame as one wrench, in that frame's own axes and about its own origin.
struct SoleReport {
  FrameIndex frame;
  Vector6d wrench_F = Vector6d::Zero();   ///< force [N] and moment [N m] of the ground on the sole
  Vector6d impulse_F = Vector6d::Zero();  ///< of the impact [N s, N m s]
};

/// Why a step failed.
struct StepFailure {
  enum class Reason {
    none,           ///< it did not
    contact_solve,  ///< the solver stopped at a residual above the acceptable one
    not_finite,     ///< numbers that are not finite came in, or came of it
    blocked,        ///< prescribed joints press a contact into the ground, where no force can keep it out
    torn_loops      ///< prescribed joints have opened loops
  };
  Reason reason = Reason::none;
  int candidate = -1;    ///< contact that is pressed, or whose residual is the largest; −1: none, or one of two links
  LinkIndex link = {};   ///< that it is a contact of; not valid: none
  LinkIndex other = {};  ///< not valid: the ground
};

struct StepResult {
  SolveStatus status = SolveStatus::converged;  ///< worst of the solves of this step
  bool impact = false;
  /// Of accuracy of this step: that of the integrator in smooth motion, 1 where an event (an impact, a contact that
  /// closes, starts or stops to slide) or contacts that the integrator cannot follow made it so.
  int order = 1;
  int iterations = 0;       ///< of all the solves of this step
  double residual = 0.0;    ///< largest of the solves of this step [m/s]
  SolverCounters counters;  ///< of all the solves of this step, also of those whose result was not taken
  StepFailure failure;      ///< where status is `failed`
  std::vector<ContactReport> contacts;
  std::vector<SoleReport> soles;  ///< one for each of Model::soles()
  /// Of each loop on its link b: mean force [N] and moment [N m] of the step, about the origin of its frame there, in
  /// the axes of its first frame as it was named (axesOfWrench()); those of the model, then those of the state
  /// (next.ties).
  std::vector<Vector6d> loop_wrenches;
  double loop_gap = 0.0;     ///< largest of all loops at the end of the step [m]
  VectorXd limit_torque;     ///< of the joint limits, mean of the step (n) [N m or N]
  VectorXd friction_torque;  ///< of the joints' Coulomb friction, mean of the step (n) [N m or N]
  VectorXd joint_torque;     ///< applied by inputs, springs, damping and drives during the step (n) [N m or N]
  VectorXd drive_torque;     ///< what prescribed joints took to follow their motion, mean of the step (n) [N m or N]
  VectorXd drive_impulse;    ///< what they took to keep their velocity in the impact (n) [N m s or N s]
  VectorXd nu_dot;           ///< mean acceleration of the step without impacts (nv) [m/s², rad/s²]
  /// Where the means of this step belong together, M(q) ν̇ + h(q, ν) = S τ + Jᵀ f: with `second_order` the middle of the
  /// step, with other integrators its start just after the impacts.
  VectorXd q_forces;   ///< (nq)
  VectorXd nu_forces;  ///< (nv) [m/s, rad/s]
  State next;          ///< the state at the end of the step
  /// Of each loop on its link b during the impact, about the origin and in the axes of its frame [N s, N m s].
  std::vector<Vector6d> loop_impulses;
};

/// The stages of a step, in their order.
enum class StepStage { dynamics, contacts, impact, free_velocity, forces, motion, report };
inline constexpr int kStepStages = 7;
const char* nameOf(StepStage stage);

/// Where the time of a step goes; filled by step() for workspaces that were asked to measure.
struct StepProfile {
  std::array<double, kStepStages> seconds{};  ///< of each stage of the last step [s]
  int growths = 0;                            ///< how often memory has grown, for more contacts than ever before
  int room = 0;                               ///< contacts and rows of joints that there is room for since then
};

/// Scratch memory of step(), bound to a model, a ground and settings. A fresh one gives the same bits.
class Workspace {
 public:
  /// Model and terrain must outlive the workspace. Throws Error when an engine or a solver is missing.
  Workspace(const Model& model, const Terrain& terrain, const Settings& settings);
  ~Workspace();
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;

  /// Of the model and the ties; it lasts until these change.
  Dynamics& dynamics();

  /// Joints beside those of the model (State::ties). step() takes those of its state by itself, which needs memory
  /// where they are others than before: called between steps, this keeps it out of them. What is tied, directly or
  /// rigidly, passes through each other. References to the engine end here; the result of the last step stays.
  void setTies(const std::vector<Loop>& ties);

  /// Room for what touches in this state: the first step from it would ask for that memory, which takes milliseconds
  /// where there are hundreds of contacts. Changes no bit.
  void makeRoomFor(const State& state);

  /// What the links weigh from now on, in place of what the model says. The first call takes memory, and ends
  /// references to the engine. Not while there are ties. @param traits of these masses (OwnMassTraits)
  void setMasses(std::span<const LinkMass> masses, const MassTraits& traits);

  /// Parts of one's own in place of those that the settings name; they must give the same bits for the same question.
  void setContactModel(std::unique_ptr<ContactModel> model);
  void setIntegrator(std::unique_ptr<Integrator> integrator);

  /// Forces as functions of time and state, added to those of the input; an empty one: none.
  void setForceField(ForceField field);

  /// Steps write their times here from now on; null (the default): they look at no clock. Must outlive the workspace.
  void setProfile(StepProfile* profile);

  struct Parts;
  Parts& parts() { return *parts_; }

 private:
  void replaceParts(std::unique_ptr<Parts> fresh);

  std::unique_ptr<Parts> parts_;
};

/// One step of the simulation. Pure: the result depends on the arguments only; it lives in the workspace until
/// the next call. When status is `failed`, result.next is the unchanged state.
const StepResult& step(const State& state, const Input& input, const JointSprings* springs, Workspace& workspace);

}  // namespace footfall
