// Compiled once for each instruction set; FOOTFALL_ISA names the namespace.
#include "footfall/simd/internal/registers.hpp"
#include "step/pack_motion.hpp"

namespace footfall::FOOTFALL_ISA {
namespace {

using namespace simd::FOOTFALL_ISA;

/// As many robots as a register holds, from `first` on.
struct Robots {
  int first;

  FOOTFALL_INLINE NativePack of(const double* values, int entry) const {
    return load<NativePack>(values + 8 * entry + first);
  }
  FOOTFALL_INLINE NativePack of(const RobotPack& numbers) const {
    return of(reinterpret_cast<const double*>(&numbers), 0);
  }
  FOOTFALL_INLINE auto flagged(const RobotPack& flags) const { return of(flags) != NativePack{}; }
  FOOTFALL_INLINE auto flagged(const double* flags, int entry) const { return of(flags, entry) != NativePack{}; }

  FOOTFALL_INLINE void set(double* values, int entry, NativePack to) const { store(values + 8 * entry + first, to); }
  FOOTFALL_INLINE void set(RobotPack& numbers, NativePack to) const { set(reinterpret_cast<double*>(&numbers), 0, to); }
  template <class Mask>
  FOOTFALL_INLINE void setFlag(double* flags, int entry, Mask holds) const {
    set(flags, entry, choose(holds, broadcast<NativePack>(1.0), NativePack{}));
  }
};

template <class Work>
FOOTFALL_INLINE void forAllRobots(Work work) {
  for (int first = 0; first < 8; first += kNativeLanes) work(Robots{first});
}

// --- vectors of all robots --------------------------------------------------------------------------

void turnBases(Robots robots, double half_step, const double* from, const double* velocity, double* to) {
  const double half_angle = 0.5 * half_step;
  const NativePack x = half_angle * robots.of(velocity, 3), y = half_angle * robots.of(velocity, 4),
                   z = half_angle * robots.of(velocity, 5);
  const NativePack square = x * x + y * y + z * z;
  const NativePack sine = 1.0 - square / 6.0 * (1.0 - square / 20.0);
  const NativePack w = 1.0 - square / 2.0 * (1.0 - square / 12.0 * (1.0 - square / 30.0));
  const NativePack i = sine * x, j = sine * y, k = sine * z;
  const NativePack qx = robots.of(from, 3), qy = robots.of(from, 4), qz = robots.of(from, 5), qw = robots.of(from, 6);
  const NativePack px = w * qx + i * qw + j * qz - k * qy, py = w * qy - i * qz + j * qw + k * qx,
                   pz = w * qz + i * qy - j * qx + k * qw, pw = w * qw - i * qx - j * qy - k * qz;
  const NativePack inverse = 1.0 / squareRoot(px * px + py * py + pz * pz + pw * pw);
  robots.set(to, 3, inverse * px);
  robots.set(to, 4, inverse * py);
  robots.set(to, 5, inverse * pz);
  robots.set(to, 6, inverse * pw);
}

void integrate(int joints, double half_step, const double* from, const double* velocity, double* to) {
  forAllRobots([=](Robots robots) {
    const auto move = [&](int position, int rate) FOOTFALL_INLINE_LAMBDA {
      robots.set(to, position, robots.of(from, position) + half_step * robots.of(velocity, rate));
    };
    for (int c = 0; c < 3; ++c) move(c, c);
    turnBases(robots, half_step, from, velocity, to);
    for (int joint = 0; joint < joints; ++joint) move(7 + joint, 6 + joint);
  });
}

void combine(int entries, double a, const double* x, double b, const double* y, double* to) {
  forAllRobots([=](Robots robots) {
    for (int k = 0; k < entries; ++k) robots.set(to, k, a * robots.of(x, k) + b * robots.of(y, k));
  });
}

void addFor(const RobotPack& asked, int entries, const double* x, double b, const double* y, double* to) {
  forAllRobots([&](Robots robots) {
    const auto own = robots.flagged(asked);
    for (int k = 0; k < entries; ++k)
      robots.set(to, k, choose(own, robots.of(x, k) + b * robots.of(y, k), robots.of(to, k)));
  });
}

void takeFor(const RobotPack& asked, int entries, const double* x, double* to) {
  forAllRobots([&](Robots robots) {
    const auto own = robots.flagged(asked);
    for (int k = 0; k < entries; ++k) robots.set(to, k, choose(own, robots.of(x, k), robots.of(to, k)));
  });
}

// --- contacts ---------------------------------------------------------------------------------------

FOOTFALL_INLINE NativePack gapAt(const PackContacts& pack, Robots robots, const double* place, int i) {
  return pack.ground_gap + pack.normal_x * robots.of(place, i) + pack.normal_y * robots.of(place, pack.contacts + i) +
         pack.normal_z * robots.of(place, 2 * pack.contacts + i);
}

void anySlides(const PackContacts& pack, RobotPack& slides) {
  forAllRobots([&](Robots robots) {
    NativePack any{};
    for (int i = 0; i < pack.contacts; ++i) {
      const NativePack x = robots.of(pack.v_middle, i), y = robots.of(pack.v_middle, pack.contacts + i);
      const auto moves = x * x + y * y > broadcast<NativePack>(pack.sticking * pack.sticking);
      const auto touches = gapAt(pack, robots, pack.place, i) <= broadcast<NativePack>(pack.touching);
      any = choose(moves & touches, broadcast<NativePack>(1.0), any);
    }
    robots.set(slides, any);
  });
}

void findContacts(const PackContacts& pack, const RobotPack& slow, RobotPack& others) {
  const int contacts = pack.contacts;
  const double dt = pack.dt;
  forAllRobots([&](Robots robots) {
    const auto is_slow = robots.flagged(slow);
    const NativePack zero{}, one = broadcast<NativePack>(1.0), fall = broadcast<NativePack>(pack.fall);
    NativePack any_strikes{}, none_near = one;
    for (int i = 0; i < contacts; ++i) {
      for (int c = 0; c < 3; ++c) {
        const int k = c * contacts + i;
        robots.set(pack.v_start, k, choose(is_slow, robots.of(pack.v_middle, k), robots.of(pack.v_start, k)));
      }
      const NativePack approach = robots.of(pack.v_start, 2 * contacts + i);
      const NativePack middle_gap = gapAt(pack, robots, pack.place, i);
      const NativePack start_gap =
          choose(is_slow, middle_gap - 0.5 * dt * approach, gapAt(pack, robots, pack.end_place, i));
      const auto near = choose(is_slow, middle_gap, start_gap) <= pack.reach - dt * approach;
      robots.set(pack.gap_middle, i, middle_gap);
      robots.set(pack.gap_start, i, start_gap);
      robots.setFlag(pack.active, i, near);
      const auto presses = near & (robots.of(pack.impulse, 2 * contacts + i) > zero);
      for (int c = 0; c < 3; ++c) {
        const int k = c * contacts + i;
        robots.setFlag(pack.part, k, presses);
        robots.set(pack.impulse, k, choose(near, robots.of(pack.impulse, k), zero));
      }
      const NativePack end_gap = start_gap + dt * approach, rebound = -pack.restitution * approach;
      const auto fast = approach < broadcast<NativePack>(-pack.impact_threshold);
      const auto fast_enough = fast & (rebound > zero) & (2.0 * dt * rebound >= fall);
      const auto bounces = fast_enough & (end_gap - fall <= zero),
                 bounces_later = fast_enough & (end_gap - fall > zero);
      any_strikes = choose(near & ((fast & (end_gap <= zero)) | bounces), one, any_strikes);
      const auto apart = smaller(start_gap, middle_gap) > broadcast<NativePack>(pack.touching);
      robots.setFlag(pack.open, i, apart | bounces_later);
      none_near = choose(near, zero, none_near);
    }
    robots.set(others, larger(any_strikes, none_near));
  });
}

/// It slides from the start of the step to its end: squares of what SecondOrderStep::slidesThroughout() compares.
FOOTFALL_INLINE auto slidesThroughout(NativePack start_x, NativePack start_y, NativePack end_x, NativePack end_y,
                                      double sticking) {
  const NativePack x = end_x - start_x, y = end_y - start_y;
  const NativePack change = larger(x * x + y * y, broadcast<NativePack>(sticking * sticking));
  const NativePack slower = smaller(start_x * start_x + start_y * start_y, end_x * end_x + end_y * end_y);
  return (start_x * end_x + start_y * end_y > NativePack{}) & (change < slower);
}

void setEndShift(const PackContacts& pack, const RobotPack& asked, RobotPack& lifts) {
  forAllRobots([&](Robots robots) {
    NativePack any{};
    for (int i = 0; i < pack.contacts; ++i) {
      const int x = i, y = pack.contacts + i, n = 2 * pack.contacts + i;
      const auto own = robots.flagged(asked) & robots.flagged(pack.active, i);
      const NativePack deepest = smaller(robots.of(pack.gap_start, i), broadcast<NativePack>(-pack.deep));
      any = choose(own & (deepest > gapAt(pack, robots, pack.end_place, i)), broadcast<NativePack>(1.0), any);
      const auto through = slidesThroughout(robots.of(pack.v_start, x), robots.of(pack.v_start, y),
                                            robots.of(pack.v_end, x), robots.of(pack.v_end, y), pack.sticking);
      const auto set = [&](int k, NativePack shift) FOOTFALL_INLINE_LAMBDA {
        robots.set(pack.next_shift, k, choose(own, shift, robots.of(pack.next_shift, k)));
      };
      const auto turns = [&](int k) FOOTFALL_INLINE_LAMBDA {
        return robots.of(pack.v_end, k) - robots.of(pack.v_middle_end, k);
      };
      const auto along = [&](int k) FOOTFALL_INLINE_LAMBDA {
        return choose(through, 0.5 * (robots.of(pack.v_middle, k) - robots.of(pack.v_middle_end, k)), turns(k));
      };
      set(x, along(x));
      set(y, along(y));
      // Of an open contact counts where it is at the end, and not how fast.
      set(n, turns(n) * (1.0 - 0.5 * robots.of(pack.open, i)) + robots.of(pack.gap_shift, i));
    }
    robots.set(lifts, any);
  });
}

void shiftChange(const PackContacts& pack, RobotPack& change) {
  const int rows = 3 * pack.contacts;
  forAllRobots([&](Robots robots) {
    NativePack worst{};
    for (int i = 0; i < pack.contacts; ++i) {
      const auto misses =
          robots.flagged(pack.open, i) & (robots.of(pack.impulse, 2 * pack.contacts + i) == NativePack{});
      for (int c = 0; c < 3; ++c) {
        const int k = c * pack.contacts + i;
        const NativePack difference = robots.of(pack.next_shift, k) - robots.of(pack.shift, k);
        const NativePack square = difference * difference / robots.of(pack.G, k * rows + k);
        worst = choose(robots.flagged(pack.active, i) & ~misses, larger(worst, square), worst);
      }
    }
    robots.set(change, squareRoot(worst));
  });
}

void contactWork(const PackContacts& pack, double gravity_share, double turning_share, RobotPack& work,
                 RobotPack& accepted) {
  forAllRobots([&](Robots robots) {
    NativePack done{}, allowed{};
    for (int i = 0; i < pack.contacts; ++i) {
      const int n = 2 * pack.contacts + i;
      const NativePack start = robots.of(pack.v_middle, n), end = robots.of(pack.v_middle_end, n);
      const NativePack p = robots.of(pack.active, i) * robots.of(pack.impulse, n);
      done += p * (0.5 * (start + end) + smaller(robots.of(pack.gap_shift, i), NativePack{}));
      allowed += p * (gravity_share + turning_share * 0.5 * (magnitude(start) + magnitude(end)));
    }
    robots.set(work, done);
    robots.set(accepted, allowed);
  });
}

}  // namespace

extern const PackMotion pack_motion{integrate,    combine,     addFor,      takeFor,    anySlides,
                                    findContacts, setEndShift, shiftChange, contactWork};

}  // namespace footfall::FOOTFALL_ISA
