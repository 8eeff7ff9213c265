#pragma once

// Every number that the stages chose for themselves, and where it comes from:
//     derived   follows from arithmetic, from a definition or from another number here
//     measured  tried with other values on recorded problems; docs/contact_solver.md says what those did
//     textbook  as in the literature of the method
//     inherited from the first version of the solver; "not compared": chosen later; neither tried with other values
// Numbers of the machine (lanes, tiles, panels) stay where they are used.

namespace footfall::FOOTFALL_ISA {

/// Of all stages together.
struct Budget {
  static constexpr int kStepsOfAnIteration = 2;  ///< compliant ones: their systems are of the motion; inherited
  static constexpr int kReserve = 200;           ///< iterations for what the path leaves; inherited
  /// Of a problem by trees, before impulses may do that are good enough: Newton steps times its motions and rows;
  /// measured
  static constexpr int kWorkInTime = 100'000;
  /// As many Newton steps at least: a wall of 5,700 contacts is solved in 5 to 25 where it is solved, and comes to rest
  /// then; measured
  static constexpr int kLeastStepsInTime = 30;
};

/// What counts as zero in G.
struct RankRules {
  static constexpr double kImmovable = 1e-13;   ///< share of the largest g: rounding of G, some hundred times; derived
  static constexpr double kNegligible = 1e-12;  ///< what is left of a row, as a share of its own; inherited
  static constexpr double kUncoupled = 1e-12;   ///< correlation of two rows that counts as none; inherited
  static constexpr double kSmallest = 1e-10;    ///< share of the largest row below which one is rounding; inherited
};

struct SweepRules {
  static constexpr int kAlways = 2, kMost = 6;        ///< more where the contraction promises to finish; inherited
  static constexpr int kExactLast = 10;               ///< sweeps that do not go beyond; measured
  static constexpr double kTangentThatMoves = 1e-12;  ///< share of g; derived: rounding
  static constexpr double kExact = 1e-15;             ///< of one contact's impulse; derived: rounding
  static constexpr double kBeyond = 1.5;              ///< of an impulse's change, by trees; measured
  static constexpr int kTrials = 50;                  ///< of one contact: bisection alone needs as many; derived
};

/// Of the proximal Newton method; its presets are in proximal_newton.hpp.
struct NewtonRules {
  static constexpr double kSmallestWeight = 1e-11, kLargestWeight = 10.0;  ///< share of g; inherited
  static constexpr double kOnlyTheTerm = 0.05;    ///< share of the residual that is not the term's own; inherited
  static constexpr double kEnoughDecrease = 0.1;  ///< Armijo's rule; textbook
  static constexpr double kBacktrack = 0.4;       ///< inherited
  static constexpr double kSlow = 0.5;  ///< of a term's residual to the last one's: time to extrapolate; inherited
  static constexpr double kFarthestExtrapolation = 1e4;                             ///< terms at once; inherited
  static constexpr double kQuickestFade = 0.1, kSlowestFade = 0.9, kNewFade = 0.3;  ///< of the term; inherited
  static constexpr double kStronger = 30.0;                                         ///< of a new start; inherited
  static constexpr int kStepsBeforeInterior = 30;  ///< measured: 10, 15 and 20 spare fewer steps of the interior point
};

/// Of one Newton solve with compliant contacts.
struct CompliantRules {
  static constexpr int kStepsAtOnce = 24;       ///< measured: 8 ends solves that were about to succeed
  static constexpr int kPatience = 6;           ///< steps without progress; measured
  static constexpr int kNoPatience = 1;         ///< the same where rounds can take over; measured
  static constexpr int kLittlePatience = 2;     ///< the same by trees; measured: with 1 walls that stand go to rounds
  static constexpr double kProgress = 0.7;      ///< of the smallest defect so far; measured with the patience
  static constexpr double kRounding = 4e-15;    ///< of velocities, relative; derived: some twenty times epsilon
  static constexpr double kSmallDefect = 1e-2;  ///< of the yield: if no step makes it smaller it is rounding; measured
  static constexpr double kStopsFalling = 0.5;  ///< of the last defect: no step makes it smaller; derived
  static constexpr double kSameMatrix = 1e-3;   ///< decrease that another step with the same matrix beats; inherited
  static constexpr double kFullStep = 0.5;      ///< slope that is left after it; measured: 0.1 to 0.8 are the same
  static constexpr double kLongest = 64.0;      ///< step of the search; inherited
  static constexpr double kSmallSlope = 0.03;   ///< at which the search ends; inherited
  static constexpr int kTrials = 24;            ///< of the search; derived: halving every other time, 2^-12
  static constexpr double kJustSliding = 1.0001;  ///< reach of sticking where a start says that it slides; derived
};

/// Of the path from soft contacts to rigid ones.
struct PathRules {
  static constexpr double kShareOfTolerance = 0.8;  ///< by which contacts give way in the end; derived: the rest is for
                                                    ///< the defect; the more, the less do contradictions of points show
  static constexpr double kHopeless = 10.0;         ///< times the expected yield: states are far off; measured
  static constexpr double kFirst = 1e-2;            ///< compliance, in units of the mean of g; measured
  static constexpr double kSoftest = 1e4, kSofter = 10.0;  ///< where even that is too stiff; inherited
  static constexpr double kFade = 0.03;                    ///< of the compliance; measured
  static constexpr double kSlowestFade = 0.9;              ///< beyond, the path turns back; inherited
  static constexpr double kBelowFinal = 0.3;               ///< where the final compliance is too soft; inherited
  static constexpr double kPrecision = 1.0;                ///< on the way, of the yield; measured
  static constexpr double kFinalPrecision = 1e-6;          ///< derived: impulses to six digits
  static constexpr double kAlike = 30.0;  ///< largest g to the mean up to which equal shares are quick; measured
  static constexpr int kFewContacts =
      16;  ///< with more, one solution will do: the next step shares the load; inherited
  static constexpr int kStepsPerPoint = 20, kStepsOfAShortCut = 4;  ///< inherited
  static constexpr int kQuick = 1;                       ///< steps of a point whose states did not change; measured
  static constexpr int kFirstWay = 200, kLastSteps = 8;  ///< of one way, of its end; inherited
  static constexpr int kContactsOfAWay = 64;             ///< with more, a way has more steps in proportion; measured
};

/// Where the path turns back: bounds of friction are held and taken anew.
struct FoldRules {
  static constexpr int kTries = 3;                         ///< inherited
  static constexpr double kShare = 0.1;                    ///< of the compliance before the fold; inherited
  static constexpr double kFadeAfter = 0.1;                ///< of the path that goes on; inherited
  static constexpr int kRounds = 15, kStepsPerRound = 12;  ///< inherited
  static constexpr int kFreeRounds = 2;                    ///< before new bounds may be damped; inherited
  static constexpr double kSlow = 0.5, kDamped = 0.5;      ///< change of bounds to the last one; inherited
  static constexpr double kSettled = 1e-3;                 ///< change of bounds, of the largest impulse; inherited
};

struct InteriorRules {
  static constexpr int kSteps = 45, kPatience = 10;             ///< inherited
  static constexpr double kProgress = 0.9;                      ///< of the smallest residual; inherited
  static constexpr double kShortStep = 1e-4;                    ///< counts as two without progress; inherited
  static constexpr double kFirstPolish = 1e-3, kPolish = 0.03;  ///< residual at which Newton tries to finish; inherited
  static constexpr double kStayInside = 0.995;                  ///< of the way to the boundary; textbook
  static constexpr double kLeastCentring = 1e-6;                ///< inherited
  static constexpr double kPoorPredictor = 0.1, kCentring = 0.3;  ///< inherited
  static constexpr int kFewRows = 48;           ///< below, a dense factorisation is as quick; inherited
  static constexpr double kNegligible = 1e-13;  ///< share of the largest diagonal entry; derived: rounding
};

/// Of the rounds of the proximal point method. Measured with 400 problems of a pile of 200 bodies, with random heaps
/// and a wall that is hit; what is about one robot, with the hardest 900 problems of four humanoids that were dropped.
struct ProximalRules {
  static constexpr int kStepsBeforePath = 50;                ///< of one robot; measured
  static constexpr int kStepsOfThePath = 120;                ///< measured
  static constexpr int kStepsAfterPath = 120;                ///< of rounds again; not compared
  static constexpr double kStiffest = 1e-8, kSoftest = 1.0;  ///< compliance; not compared
  static constexpr double kShareOfTolerance = 0.2;  ///< its defect at the end; derived: the rest is for the change of p
  static constexpr int kStepsPerRound = 20, kFewSteps = 4;  ///< not compared
  static constexpr double kSlow = 0.3;       ///< residual to the last one's: time to be stiffer; measured
  static constexpr double kMuchWorse = 3.0;  ///< the same: the round got lost; measured: 1 is no better
  static constexpr int kPatience = 40;  ///< rounds without progress; measured: with 12 a third of random heaps is left
  static constexpr double kProgress = 0.7;         ///< of the smallest residual; not compared
  static constexpr int kSweepsOfAnIteration = 10;  ///< by the time that they take, roughly; not compared
};

/// What differs between the rounds of one robot and those of many bodies; measured.
struct RoundPreset {
  int sweeps;        ///< first and after a round that got lost
  double first;      ///< compliance, of the contact's own g
  double fade;       ///< of the compliance
  double precision;  ///< of Newton's method, of the residual before the round
  int patience;      ///< Newton steps without progress
  int worth;         ///< Newton steps that are not made for such sweeps
  int grace;         ///< Newton steps beyond those allowed, where rounds converge
  /// Sweeps follow each round that got lost, and count whatever they do to the residual. If not, they follow the second
  /// of two, and the first goes back to the compliance that was good before.
  bool trusts_sweeps;
};
inline constexpr RoundPreset kRoundsOfOneRobot{10, 1e-3, 0.03, 0.3, 4, 2, 10, false};
inline constexpr RoundPreset kRoundsFromNothing{10, 1e-2, 0.03, 0.3, 4, 2, 10, false};  ///< of one robot
inline constexpr RoundPreset kRoundsByTrees{20, 1e-2, 0.3, 0.3, 4, 0, 0, true};

struct NormRules {
  static constexpr double kWeight = 1e-13;  ///< of the norm against velocities, as a share of g; derived: rounding
  static constexpr double kShare = 0.3;     ///< of the way to the smallest solution; inherited
  static constexpr double kSettled = 1e-6;  ///< relative distance to it that counts as none; derived: six digits
  static constexpr int kRounds = 4;         ///< of pins; inherited
  static constexpr double kBlocked = 0.5;   ///< a step that gets less far is blocked by a limit; inherited
};

}  // namespace footfall::FOOTFALL_ISA
