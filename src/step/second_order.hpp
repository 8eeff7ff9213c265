#pragma once

#include <memory>
#include <vector>

#include "footfall/solver/island_solver.hpp"
#include "footfall/step/internal/applied_forces.hpp"
#include "footfall/step/stages.hpp"
#include "step/euler.hpp"
#include "step/islands.hpp"
#include "step/rk4.hpp"
#include "step/slow_motion.hpp"
#include "step/spinning_links.hpp"
#include "step/spring_weights.hpp"
#include "step/taut_flight.hpp"
#include "step/taut_links.hpp"
#include "step/workspace_parts.hpp"

namespace footfall {

/// The integrator by name. The whole step is its scheme's (SecondOrderStep); with contact models that cannot
/// follow it, steps are those of semi_implicit_euler.
class SecondOrder : public SemiImplicitEuler {
 public:
  std::string_view name() const override { return "second_order"; }
  bool ownsStep() const override { return true; }
};

/// The scheme "forces of the middle, constraints at the end" (docs/theory.md (11), (12)): M, h, the Delassus matrix
/// and springs belong to the configuration q_m in the middle of the step, and contacts, loops and limits are satisfied
/// by the velocity at its end, where they are then. Second order in smooth motion, also while contacts stick, slide and
/// roll; first order in steps with an event; fourth where nothing but loops holds a robot. These are the stages of a
/// step, with their scratch memory.
class SecondOrderStep {
 public:
  explicit SecondOrderStep(Workspace::Parts& parts);

  void updateDynamics(const StepStart& start);
  void findConstraints(const StepStart& start);
  void resolveImpacts(const StepStart& start);
  void solveForces(const StepStart& start);

  /// Whether forces of this step have thrown a part of a robot into something that took no part in it: how far away
  /// contacts have to be looked for to find it at the start of the step; else 0 [m].
  double comesIn(const StepStart& start);
  /// For the next findConstraints(): contacts as far away as that take part.
  void lookFarther(double distance) { farther_ = distance; }
  void integrateMotion(const StepStart& start);

  /// The model's masses have changed, and these are their traits.
  void setMasses(std::span<const LinkMass> masses, const MassTraits& traits);

  /// For as many contacts as the system has.
  void makeRoom();

  /// What light links lose of their swinging is taken off the free velocity.
  void dampTautLinks();

  /// Nothing but loops holds the robot, and no spring or damper asks for implicit steps.
  bool swings() const;

  /// The velocity of the bias forces that the step was made with: that of its middle, as far as it can be felt (nv).
  const VectorXd& forceVelocity() const { return nu_forces_; }

  /// Poses at the start of the step, for the report of an impact.
  const Dynamics& returnToStart(const StepStart& start);

 private:
  /// A contact during the step.
  struct Motion {
    double gap_start = 0.0;                        ///< [m]
    double gap_middle = 0.0;                       ///< [m]
    double lift = 0.0;                             ///< that keeps the point from going deep within the step [m/s]
    double lacked_first = 0.0;                     ///< lift when that was first looked at [m/s]
    bool lifts_in_vain = false;                    ///< it went deeper for being lifted
    bool open = false;                             ///< it may be reached at the end of the step; else it is closed
    bool flat = false;                             ///< on a face that stays on another one
    bool turned = false;                           ///< normal or point go too far within the step to be followed
    Vector3d lever_start_W = Vector3d::Zero();     ///< from the link's origin to the point, at the start [m]
    Vector3d lever_middle_W = Vector3d::Zero();    ///< the same in the middle [m]
    Vector3d velocity_start_W = Vector3d::Zero();  ///< of the robot's point at the start [m/s]
    Vector3d normal_start_W = Vector3d::UnitZ();   ///< [-]
    Vector3d slip_start_W = Vector3d::Zero();      ///< along the ground and relative to it, at the start [m/s]
    Vector3d slip_end_W = Vector3d::Zero();        ///< the same at the end [m/s]
    Vector3d ground_start_W = Vector3d::Zero();    ///< velocity of the ground at the start [m/s]

    void liftBy(double more);
  };

  /// What is known of an island in this step.
  struct IslandStep {
    IslandSolver::Outcome outcome;       ///< of its impulses
    IslandSolver::Outcome kept_outcome;  ///< of those before the last solve
    int iterations = 0;                  ///< of all of its solves
    int rows = 0;                        ///< its contacts and joint rows
    double change = 0.0;                 ///< of velocities by its last correction: √kg times [m/s]
    double accepted_share = 0.0;         ///< of its kinetic energy, that the step may have made; 0: that is not known
    double shrinks = 0.0;                ///< a correction is this times the one before, or less
    double wait = 0.0;                   ///< from the start of the step until something bounces or lands [s]
    double low = 0.0, high = 1.0;        ///< shares of its lift that make no energy, and some
    bool strikes = false;                ///< something of it, in this impact
    bool bounces = false;                ///< the same, and it is elastic
    bool uncertain = false;              ///< where something of it lands
    bool touched = false;                ///< it has contacts or limits
    bool settled = false;                ///< its forces are found, or the best that can be had
    bool dropped = false;                ///< its last correction could not be solved
    bool without_gaps = false;           ///< contacts that contradict each other hold as they are in the middle
    bool lifts = false;                  ///< a contact has to be kept from going deep
    bool in_contact = false;             ///< with anything
    bool on_ground = false;              ///< with something that does not move
    bool ground_moves = false;           ///< below it
    bool held = false;                   ///< by springs of its joints
    bool struck_others = false;          ///< in an earlier impact of the step, which it does not touch any more
    bool goes_loose = false;             ///< nothing else has touched it in this step
    bool keeps_momentum = false;         ///< its own: nothing pushes it, either
    bool driven = false;                 ///< by joints whose motion is given, and that work as much as it takes
    bool makes_energy = false;
    bool reverted = false;  ///< it is made without corrections, or without what its end asks for
    bool had_event = false;
    bool hard = false;    ///< it is struck, or pressed as if it were
    bool lost = false;    ///< bias forces change too much within the step to be found
    bool slowed = false;  ///< energy that the step made was taken from it
  };

  /// What islands have, and what they may have by the energy of the start and the work of the step [J]. The one may be
  /// a number so large that nothing is left of the other in their difference.
  struct EnergyAccount {
    double kinetic = 0.0, left = 0.0, accepted = 0.0;
    bool isOverdrawn() const { return !(kinetic - left <= accepted); }
  };

  /// Whether there was enough of what energy is taken from.
  enum class Slowed { not_needed, enough, not_enough };

  /// Of a bounce before the last one of the step.
  struct EarlierImpulse {
    int candidate;
    LinkIndex link, other;  ///< that it is between; other invalid: the ground
    bool ground_moves;
    Vector3d impulse_W;          ///< [N s]
    double gap_of_flight = 0.0;  ///< of an elastic contact, where the step would have started that ends as this one [m]
  };

  // where contacts are looked for
  bool forcesFollowVelocity() const;
  void findAtStart(const StepStart& start, double extra, double extra_joint);
  void bendApproaches(const StepStart& start);
  bool comesPastSomething(const StepStart& start);
  void findInTheMiddle(const StepStart& start);
  bool groundMoves() const;
  bool anySlides() const;
  double stickingSpeed() const;

  // impacts (second_order_impacts.cpp)
  void jump(const StepStart& start);
  bool meet(const StepStart& start);
  bool bouncesInTurn() const;
  bool bouncesOn(const StepStart& start);
  bool meetsMore(const StepStart& start);
  bool takesPart(const ActiveContact& found) const;
  void findStrikes();
  DetectionSettings ofWhatIsStruck();
  const AlignedVector* leaveOutOthers();
  void keepGaps();
  void restoreGaps();
  void keepImpulses();
  void addCarried();
  void addEarlierImpulses(const StepStart& start);
  double gapAtStart(const ActiveContact& contact) const;
  bool isHard(int island) const;
  void recordMotionAtStart(const StepStart& start);
  Vector3d groundVelocityAtStart(int contact, const StepStart& start);

  // bounces and landings within a step (second_order_meetings.cpp)
  bool waitForMeetings(const StepStart& start);
  void findLandings();
  bool anyLands() const;
  void leaveOutUncertain(const StepStart& start);
  bool runsAround(int contact, const Vector3d& lever_W) const;
  void holdUntilMeetings(const StepStart& start);
  void holdAfterMeetings(const StepStart& start);
  void hold(const StepStart& start, const VectorXd& q, AlignedVector& impulse);
  void addTurning(const StepStart& start, const VectorXd& q);
  void setGapsOfLimits(bool after);
  void goToBounces(const StepStart& start);
  double gapThatIsLeft(double gap, double approach, double acceleration, double wait) const;
  void keepLandings();
  void keepMeetings();
  bool hasLanded(const ActiveContact& contact) const;
  void findFlight(const StepStart& start, const VectorXd& q);
  void takeBackFlight(const StepStart& start);
  void flyOn();
  bool anyWaits() const;
  template <class SetVelocity>
  void moveByWaits(SetVelocity setVelocity, VectorXd& q);

  // the middle
  void placeInTheMiddle(const StepStart& start);
  void moveContactsToTheMiddle(const StepStart& start);
  bool staysOnFaces(int contact, const LinkMotions& before, const Vector3d& normal_before, const LinkMotions& after,
                    const Vector3d& normal_after) const;
  void limitLoopRank();
  void assemble();

  // islands (second_order_islands.cpp)
  void findIslands();
  bool isSettled(int row) const;
  bool allSettled() const;
  bool anyLost() const;
  void copyRow(int row, const AlignedVector& from, AlignedVector& to) const;
  void copyRows(int island, const AlignedVector& from, AlignedVector& to) const;
  void lookAtIslands(const StepStart& start);
  bool fliesAlone(int island) const;
  bool isAdrift(int island) const;
  bool anyAdrift() const;
  bool findLifts();
  double turningOf(int island, const VectorXd& nu) const;
  double rootMass(int island) const;
  double smallChange(int island) const;
  double gate(double share) const;

  // what the end asks of contacts and loops (second_order_shifts.cpp)
  void setGapShift();
  bool isOpen(const JointRow& limit) const;
  void setFirstShift();
  void lookAtTheEnd();
  void setEndShift(const StepStart& start);
  void shiftContact(int contact, const Vector3d& shift_C, AlignedVector& shift) const;
  bool slidesThroughout(const Motion& motion) const;

  // forces (second_order_forces.cpp)
  static constexpr int kAllIterations = 0;  ///< as many as the settings allow
  AppliedForces appliedForces(const StepStart& start) const;
  void takeBiasOfTheStart(const StepStart& start);
  void leaveSettledAlone();
  void solve(int max_iterations);
  void takeOutcomes();
  void combineOutcomes();
  void takeKept(int island);
  bool isNoWorse(const IslandStep& island) const;
  void takeKeptWhereBetter();
  void resolve();
  void dropCorrection(int island);
  void leaveOutMuchWork();
  void settleWhatShrinks();
  void settleWhatIsFound();
  void findLost();
  void solveWithoutGaps(const StepStart& start);
  bool anyDeep() const;
  void liftWithoutGaps(const StepStart& start);
  bool endedInTime(int island) const;
  int firstIterations() const;
  int iterationsInTime() const;
  void endInTime();
  bool doesHarm();
  void startFromKept();
  bool isAlone() const;
  bool lies() const;
  bool hasFeetAlone() const;
  void findBiasChanges(const StepStart& start);
  void takeCorrectedBias(const StepStart& start);
  void addShiftChanges();
  void correct(const StepStart& start);

  // forces that make no energy (second_order_energy.cpp)
  void lowerLift(const StepStart& start);
  void askForNothing(int island);
  bool findEnergyMakers();
  bool loopsDoWork();
  void solvePlainly(const StepStart& start);
  bool liftWhatIsDeep(const StepStart& start);

  // the end
  void goToTheEnd(const VectorXd& nu_end, VectorXd& q);
  void recordSlipAtEnd();
  bool findEvents();
  bool wasStruck(int row) const;
  bool changedItsMode(int contact, double sticking) const;
  bool stopsOrStarts(const JointRow& row) const;
  bool reachesLimit(const JointRow& row, int number) const;

  // flights (second_order_flight.cpp)
  bool fly(const StepStart& start);
  int piecesOfAWhip(double turning) const;
  double turningWithin(int island) const;
  double turningOfAll() const;
  bool turnsFar(int island) const;
  bool anyTurnsFar() const;
  void flyBeside(const StepStart& start, State& next);
  void swing(int pieces, const StepStart& start);
  void swingThrough(int pieces, const StepStart& start, Dynamics& dynamics, VectorXd& q, VectorXd& nu);
  void flyInPieces(const StepStart& start);
  void finishPieces(const StepStart& start);

  // accounts of energy and momentum (second_order_accounts.cpp)
  void takeMadeEnergy(const StepStart& start, State& next);
  Slowed slowToItsEnergy(int island, State& next);
  EnergyAccount accountOf(int island);
  void goWithNewVelocities(State& next);
  void slowJoints(const StepStart& start, State& next);
  bool slowJointsOf(int island, State& next);
  double acceptedEnergy(int island) const;
  void findEnergies(const VectorXd& q, const VectorXd& nu);
  void findEnergiesAtStart(const StepStart& start);
  void findPushes(const StepStart& start, const VectorXd& nu);
  void findMeanVelocity(const StepStart& start);
  void findWorkOfInputs(const StepStart& start);
  void keepMomentum(const StepStart& start, State& next);
  void keepMomentumOfTrees(const StepStart& start, State& next);
  bool touchesItself() const;
  void findMomenta(const StepStart& start);
  void giveMomentumBack(bool IslandStep::*which, State& next);
  bool keepsMomentum() const;
  Vector6d momentumAtEnd(const StepStart& start);

  Workspace::Parts& w_;
  const double dt_;
  std::unique_ptr<Dynamics> probe_;  ///< poses and velocities at the start and at the end of the step
  MassTraits traits_;
  SlowMotion slow_motion_;
  SpringWeights springs_;
  MomentumKeeper keeper_;
  MomentumOfTrees momentum_of_trees_;
  RungeKutta4 swing_;
  SpinningLinks spinning_;
  TautLinks taut_links_;
  TautFlight taut_flight_;
  ContactDetector detector_;  ///< of what an impact sets in motion
  Islands islands_;
  IslandSolver* island_solver_;  ///< null: there is one island

  bool taut_ = false;                     ///< light links carry more than the step can follow without help
  bool slow_ = false;                     ///< forces and J do not change within the step, as far as can be felt
  double loop_change_ = 0.0;              ///< of loop_shift_ by the last correction [m/s]
  bool loops_diverge_ = false;            ///< corrections of the loops grow
  bool may_land_ = true;                  ///< within the step; else landings are at its start
  bool meets_more_ = false;               ///< what the last impact has set in motion
  bool last_bounce_ = false;              ///< of the step: nothing is thrown back any more
  bool carries_ = false;                  ///< islands stand on something until something of them bounces or lands
  Vector6d momentum_ = Vector6d::Zero();  ///< at the start of the step
  const VectorXd* q_start_ = nullptr;     ///< where the step starts: in the state, or where a bounce puts it
  double farther_ = 0.0;                  ///< contacts of farther_links_ are looked for as far away as that [m]
  std::vector<char> farther_links_;       ///< of the links: the same after an impact, by extra_
  std::vector<char> struck_links_;        ///< of the links: their islands take part in an impact
  double extra_ = 0.0,
         extra_joint_ = 0.0;          ///< how far what an impact sets in motion is away from what it meets [m, rad]
  VectorXd bounce_q_;                 ///< where something bounces (nq)
  VectorXd met_q_;                    ///< where it was then, of trees that have (nq)
  std::vector<int> met_trees_;        ///< that have bounced or landed within the step
  VectorXd bounced_q_;                ///< where the step would have started that flies on from there (nq)
  VectorXd impact_inertia_;           ///< that joints have in impacts beside that of the bodies (n)
  VectorXd acceleration_;             ///< until a bounce (nv)
  std::vector<Motion> motions_;       ///< of the contacts
  AlignedVector gaps_;                ///< of the contacts in the middle [m]
  AlignedVector gap_shift_;           ///< of the rows: from gaps [m/s]
  AlignedVector shift_, next_shift_;  ///< of the rows: what is added to J ν_free, at hand and corrected [m/s]
  AlignedVector end_shift_;           ///< of the rows: (J(q_e) − J(q_m)) ν⁺ [m/s]
  AlignedVector middle_start_, middle_end_;       ///< of the rows: J(q_m) times ν and ν⁺ [m/s]
  VectorXd loop_shift_, next_loop_shift_;         ///< the same of the loops' rows [m/s]
  VectorXd loop_start_, loop_middle_, loop_end_;  ///< of the loops' rows: J(q) ν, J(q_m) ν and J(q_m) ν⁺ [m/s]
  VectorXd h_, next_h_;                           ///< bias forces, at hand and corrected (nv)
  VectorXd correction_;                           ///< of ν_free (nv)
  VectorXd nu_middle_, nu_before_;                ///< (nv)
  VectorXd slowed_q_, slowed_nu_;                 ///< scratch (nq, nv)
  VectorXd nu_last_half_;                         ///< that leads from the middle to the end (nv)
  VectorXd nu_met_;                               ///< of what has bounced or landed, just after it; else 0 (nv)
  VectorXd waited_;                               ///< share of the step until it did; else 0 (nv)
  VectorXd nu_forces_, kept_nu_forces_;           ///< velocity of h_, and before a correction (nv)
  VectorXd nu_probe_;                             ///< velocity at the end, prescribed joints as they are there (nv)
  VectorXd kept_nu_free_, kept_nu_end_;           ///< before a correction (nv)
  ContactSolution kept_;                          ///< the same
  AlignedVector unlifted_;                        ///< impulses that lift nothing [N s]
  AlignedVector held_;                            ///< of the rows, after it, in a whole step [N s]
  AlignedVector carried_;                         ///< of the rows, until something bounces or lands [N s]
  std::vector<EarlierImpulse> earlier_impulses_;
  std::vector<IslandStep> island_steps_;            ///< of the islands; empty: they were not looked for yet
  std::vector<int> island_of_row_;                  ///< of the contacts, then of the joint rows
  std::vector<char> settled_rows_;                  ///< the same: whether their islands are
  std::vector<RigidPart> rigid_parts_;              ///< of the islands that keep their momentum, at the start
  std::vector<double> sums_, accepted_, energies_;  ///< of the islands, scratch
  std::vector<double> gaps_at_start_;               ///< of the contacts and joint rows [m, rad]
  std::vector<int> landed_;                         ///< candidates that have landed in this step
  std::vector<char> landings_;                      ///< of the contacts: it lands in this step
  std::vector<ContactFrame> found_frames_;
  std::vector<ActiveContact> found_;
  std::vector<JointRow> found_rows_;
};

}  // namespace footfall
