// Compiled once for each instruction set; FOOTFALL_ISA names the namespace.
#include "solver/native/pack_kernel.hpp"

#include "footfall/simd/internal/registers.hpp"

namespace footfall::FOOTFALL_ISA {
namespace {

using namespace simd::FOOTFALL_ISA;

FOOTFALL_INLINE int triangle(int row) { return row * (row + 1) / 2; }

/// Entries (row, first) to (row, first + kColumns − 1) of L: sums that do not wait for each other, and each entry of
/// the row is read once for all of them.
template <int kColumns>
FOOTFALL_INLINE void factoriseTile(int row, int first, const Lanes* G, const Lanes* part, const Lanes& compliance,
                                   Lanes* L, Lanes* inverse) {
  Lanes* own = L + triangle(row);
  Lanes sum[kColumns];
  const Lanes* other[kColumns];
  for (int c = 0; c < kColumns; ++c) {
    sum[c] = part[row] * part[first + c] * G[first + c];
    other[c] = L + triangle(first + c);
  }
  if (first + kColumns > row) sum[kColumns - 1] += part[row] * compliance + (1.0 - part[row]);
  for (int k = 0; k < first; ++k) {
    const Lanes factor = own[k];
    for (int c = 0; c < kColumns; ++c) sum[c] = sum[c] - factor * other[c][k];
  }
  for (int c = 0; c < kColumns; ++c) {
    const int column = first + c;
    for (int k = 0; k < c; ++k) sum[c] = sum[c] - own[first + k] * other[c][first + k];
    if (column < row) {
      own[column] = sum[c] * inverse[column];
    } else {
      own[column] = squareRoot(sum[c]);
      inverse[column] = 1.0 / own[column];
    }
  }
}

void factoriseLanes(int rows, const Lanes* G, const Lanes* part, const Lanes& compliance, Lanes* L, Lanes* inverse) {
  for (int row = 0; row < rows; ++row) {
    const Lanes* G_row = G + row * rows;
    int first = 0;
    for (; first + 4 <= row + 1; first += 4) factoriseTile<4>(row, first, G_row, part, compliance, L, inverse);
    if (first + 2 <= row + 1) {
      factoriseTile<2>(row, first, G_row, part, compliance, L, inverse);
      first += 2;
    }
    if (first <= row) factoriseTile<1>(row, first, G_row, part, compliance, L, inverse);
  }
}

void solveLanes(int rows, const Lanes* L, const Lanes* inverse, const Lanes* part, const Lanes* b, Lanes* p) {
  for (int row = 0; row < rows; ++row) {
    const Lanes* own = L + triangle(row);
    Lanes even = -(part[row] * b[row]), odd{};
    int k = 0;
    for (; k + 2 <= row; k += 2) {
      even = even - own[k] * p[k];
      odd = odd - own[k + 1] * p[k + 1];
    }
    if (k < row) even = even - own[k] * p[k];
    p[row] = (even + odd) * inverse[row];
  }
  for (int row = rows - 1; row >= 0; --row) {
    const Lanes* own = L + triangle(row);
    p[row] = p[row] * inverse[row];
    for (int k = 0; k < row; ++k) p[k] = p[k] - own[k] * p[row];
  }
  for (int row = 0; row < rows; ++row) p[row] = part[row] * p[row];
}

/// Four rows at once.
template <int kRows>
FOOTFALL_INLINE void velocityOfRows(int first, int rows, const Lanes* G, const Lanes* b, const Lanes* p, Lanes* v) {
  Lanes sum[kRows];
  for (int r = 0; r < kRows; ++r) sum[r] = b[first + r];
  for (int k = 0; k < rows; ++k) {
    const Lanes impulse = p[k];
    for (int r = 0; r < kRows; ++r) sum[r] = sum[r] + G[(first + r) * rows + k] * impulse;
  }
  for (int r = 0; r < kRows; ++r) v[first + r] = sum[r];
}

void velocityLanes(int rows, const Lanes* G, const Lanes* b, const Lanes* p, Lanes* v) {
  for (int row = 0; row < rows; row += 3) velocityOfRows<3>(row, rows, G, b, p, v);
}

// --- contacts that slide ----------------------------------------------------------------------------

/// Directions of the rows of a contact: along its sliding, across, and the normal. What slides is dragged along with
/// its normal impulse, and has no unknown of its own along its sliding.
struct SlidingContact {
  Lanes x, y, drag, part[3];
};

FOOTFALL_INLINE SlidingContact contactOf(const ProblemPackStates& states, int i) {
  const auto at = [i](const ProblemPack* packs) { return reinterpret_cast<const Lanes*>(packs)[i]; };
  const Lanes presses = at(states.presses);
  return {at(states.x), at(states.y), at(states.drag), {at(states.sticks), presses, presses}};
}

/// The block of two contacts in A: rows in the directions of i, columns for the unknowns of j.
FOOTFALL_INLINE void writeBlock(int contacts, int i, int j, const SlidingContact& own, const SlidingContact& other,
                                const Lanes* G, Lanes* A) {
  const int rows = 3 * contacts;
  Lanes block[3][3];
  for (int c = 0; c < 3; ++c) {
    const int column = c * contacts + j;
    const Lanes gx = G[i * rows + column], gy = G[(contacts + i) * rows + column];
    block[0][c] = own.x * gx + own.y * gy;
    block[1][c] = own.x * gy - own.y * gx;
    block[2][c] = G[(2 * contacts + i) * rows + column];
  }
  for (int r = 0; r < 3; ++r) {
    const Lanes along = other.x * block[r][0] + other.y * block[r][1];
    const Lanes across = other.x * block[r][1] - other.y * block[r][0];
    const Lanes normal = block[r][2] - other.drag * along;
    Lanes* to = A + (r * contacts + i) * rows + j;
    to[0] = own.part[r] * other.part[0] * along;
    to[contacts] = own.part[r] * other.part[1] * across;
    to[2 * contacts] = own.part[r] * other.part[2] * normal;
  }
}

void writeSlidingMatrix(int contacts, const Lanes* G, const ProblemPackStates& states, const Lanes& compliance,
                        Lanes* A) {
  const int rows = 3 * contacts;
  for (int i = 0; i < contacts; ++i) {
    const SlidingContact own = contactOf(states, i);
    for (int j = 0; j < contacts; ++j) writeBlock(contacts, i, j, own, contactOf(states, j), G, A);
    for (int c = 0; c < 3; ++c) {
      const int row = c * contacts + i;
      const Lanes give = c == 1 ? compliance + reinterpret_cast<const Lanes*>(states.give)[i] : compliance;
      A[row * rows + row] += own.part[c] * give + (1.0 - own.part[c]);
    }
  }
}

/// Entries (row, first) and behind of L, which has ones on its diagonal, and U.
template <int kColumns>
FOOTFALL_INLINE void eliminateTile(int rows, int row, int first, Lanes* A, Lanes* inverse) {
  Lanes* own = A + row * rows;
  Lanes sum[kColumns];
  for (int c = 0; c < kColumns; ++c) sum[c] = own[first + c];
  const int known = first < row ? first : row;
  for (int k = 0; k < known; ++k) {
    const Lanes factor = own[k];
    for (int c = 0; c < kColumns; ++c) sum[c] = sum[c] - factor * A[k * rows + first + c];
  }
  for (int c = 0; c < kColumns; ++c) {
    const int column = first + c;
    for (int k = known; k < column && k < row; ++k) sum[c] = sum[c] - own[k] * A[k * rows + column];
    own[column] = column < row ? sum[c] * inverse[column] : sum[c];
    if (column == row) inverse[row] = 1.0 / sum[c];
  }
}

/// L U without exchange of rows: those of friction that is not too large need none, and who asks looks at the result.
void eliminate(int rows, Lanes* A, Lanes* inverse) {
  for (int row = 0; row < rows; ++row) {
    int first = 0;
    for (; first + 4 <= rows; first += 4) eliminateTile<4>(rows, row, first, A, inverse);
    for (; first < rows; ++first) eliminateTile<1>(rows, row, first, A, inverse);
  }
}

void solveSlidingLanes(int contacts, const Lanes* G, const Lanes* b, const ProblemPackStates& states,
                       const Lanes& compliance, Lanes* A, Lanes* inverse, Lanes* p) {
  const int rows = 3 * contacts;
  writeSlidingMatrix(contacts, G, states, compliance, A);
  eliminate(rows, A, inverse);
  for (int i = 0; i < contacts; ++i) {
    const SlidingContact own = contactOf(states, i);
    const Lanes bx = b[i], by = b[contacts + i];
    p[i] = -(own.part[0] * (own.x * bx + own.y * by));
    p[contacts + i] = -(own.part[1] * (own.x * by - own.y * bx));
    p[2 * contacts + i] = -(own.part[2] * b[2 * contacts + i]);
  }
  for (int row = 0; row < rows; ++row)
    for (int k = 0; k < row; ++k) p[row] = p[row] - A[row * rows + k] * p[k];
  for (int row = rows - 1; row >= 0; --row) {
    for (int k = row + 1; k < rows; ++k) p[row] = p[row] - A[row * rows + k] * p[k];
    p[row] = p[row] * inverse[row];
  }
  for (int i = 0; i < contacts; ++i) {
    const SlidingContact own = contactOf(states, i);
    const Lanes n = own.part[2] * p[2 * contacts + i], across = own.part[1] * p[contacts + i];
    const Lanes along = own.part[0] * p[i] - own.drag * n;
    p[i] = own.x * along - own.y * across;
    p[contacts + i] = own.y * along + own.x * across;
    p[2 * contacts + i] = n;
  }
}

// --- states of contacts -----------------------------------------------------------------------------

/// Of the points of a foot that are beyond the limit of friction, those that are this near to the one that is farthest
/// beyond begin to slide: the others may stick when it does.
constexpr double kNearlyFarthest = 0.9;

FOOTFALL_INLINE NativePack lanesOf(const ProblemPack* packs, int k, int lane) {
  return load<NativePack>(reinterpret_cast<const double*>(packs + k) + lane);
}

/// Numbers of one contact, of as many problems as a register holds.
struct KnownContact {
  NativePack mu, compliance, active, scale, px, py, pn, vx, vy, vn;

  FOOTFALL_INLINE KnownContact(const ProblemPackNumbers& known, int i, int lane) {
    const int y = known.contacts + i, n = 2 * known.contacts + i;
    mu = lanesOf(known.friction, 0, lane), compliance = lanesOf(known.compliance, 0, lane);
    active = lanesOf(known.active, i, lane), scale = lanesOf(known.scale, i, lane);
    px = lanesOf(known.p, i, lane), py = lanesOf(known.p, y, lane), pn = lanesOf(known.p, n, lane);
    vx = lanesOf(known.v, i, lane), vy = lanesOf(known.v, y, lane), vn = lanesOf(known.v, n, lane);
  }
  FOOTFALL_INLINE NativePack speed() const { return squareRoot(vx * vx + vy * vy); }
  FOOTFALL_INLINE NativePack friction() const { return squareRoot(px * px + py * py); }
};

/// Writes the states of one contact: of `slides` those that slide along (x, y) with this speed and bound of friction.
template <class Mask>
FOOTFALL_INLINE void writeState(const ProblemPackStatesOut& states, int i, int lane, Mask asked, Mask presses,
                                Mask slides, const KnownContact& contact, NativePack x, NativePack y,
                                NativePack bound) {
  const NativePack zero{}, one = broadcast<NativePack>(1.0);
  const auto write = [&](ProblemPack* packs, NativePack value) FOOTFALL_INLINE_LAMBDA {
    double* to = reinterpret_cast<double*>(packs + i) + lane;
    store(to, choose(asked, value, load<NativePack>(to)));
  };
  const NativePack give = larger(contact.speed() / bound - contact.compliance, zero);
  write(states.presses, choose(presses, one, zero));
  write(states.sticks, choose(presses & ~slides, one, zero));
  write(states.x, choose(slides, x, one));
  write(states.y, choose(slides, y, zero));
  write(states.drag, choose(slides, contact.mu, zero));
  write(states.give, choose(slides & (bound > zero), give, zero));
}

FOOTFALL_INLINE void statesOfFrom(int lane, const ProblemPackNumbers& known, double nearly, const ProblemPack& asked,
                                  const ProblemPackStatesOut& states) {
  const NativePack zero{};
  for (int i = 0; i < known.contacts; ++i) {
    const KnownContact contact(known, i, lane);
    const NativePack bound = contact.mu * contact.pn, tangent = contact.friction();
    const auto presses = (contact.active != zero) & (contact.pn > zero);
    const auto slides = presses & (tangent > nearly * bound) & (tangent > zero);
    writeState(states, i, lane, lanesOf(&asked, 0, lane) != zero, presses, slides, contact, -contact.px / tangent,
               -contact.py / tangent, bound);
  }
}

FOOTFALL_INLINE void likelyStatesFrom(int lane, const ProblemPackNumbers& known, const ProblemPack& asked,
                                      const ProblemPackStatesOut& states) {
  const NativePack zero{};
  for (int i = 0; i < known.contacts; ++i) {
    const KnownContact c(known, i, lane);
    const NativePack x = c.px - c.vx / c.scale, y = c.py - c.vy / c.scale, n = c.pn - c.vn / c.scale;
    const NativePack bound = c.mu * n, tangent = squareRoot(x * x + y * y);
    const auto presses = (c.active != zero) & (n > zero);
    writeState(states, i, lane, lanesOf(&asked, 0, lane) != zero, presses, presses & (tangent > bound), c, -x / tangent,
               -y / tangent, bound);
  }
}

/// Of the points of each foot that stick: the largest friction over load.
FOOTFALL_INLINE void findFarthest(int lane, const ProblemPackNumbers& known, const ProblemPackStatesOut& states,
                                  ProblemPack* farthest) {
  const NativePack zero{};
  const auto at = [=](int contact)
                      FOOTFALL_INLINE_LAMBDA { return reinterpret_cast<double*>(farthest + contact) + lane; };
  for (int i = 0; i < known.contacts; ++i) store(at(i), zero);
  for (int i = 0; i < known.contacts; ++i) {
    const KnownContact contact(known, i, lane);
    const auto counts = (lanesOf(states.sticks, i, lane) != zero) & (contact.pn > zero);
    double* of_foot = at(known.foot[i]);
    store(of_foot, larger(load<NativePack>(of_foot), choose(counts, contact.friction() / contact.pn, zero)));
  }
}

/// A contact gives way until friction is at its limit, and slides from there on; one that would go backwards sticks.
/// Where points of a foot hold against each other, all of them may be beyond the limit until the first one slides.
FOOTFALL_INLINE void guessStatesFrom(int lane, const ProblemPackNumbers& known, const ProblemPack& asked,
                                     ProblemPack* farthest, const ProblemPackStatesOut& states) {
  const NativePack zero{};
  findFarthest(lane, known, states, farthest);
  for (int i = 0; i < known.contacts; ++i) {
    const KnownContact c(known, i, lane);
    const auto pressed = lanesOf(states.presses, i, lane) != zero, stuck = lanesOf(states.sticks, i, lane) != zero;
    const NativePack bound = c.mu * c.pn, tangent = c.friction(), speed = c.speed();
    const NativePack forward = c.vx * lanesOf(states.x, i, lane) + c.vy * lanesOf(states.y, i, lane);
    const NativePack least = kNearlyFarthest * lanesOf(farthest, known.foot[i], lane) * c.pn;
    const auto begins = tangent > larger(bound, least), goes_on = forward > c.compliance * bound;
    const auto stays = pressed & (c.pn > zero);
    const auto slides = stays & ((stuck & begins) | (~stuck & goes_on));
    const NativePack along = 1.0 / choose(stuck, -tangent, speed);
    writeState(states, i, lane, (lanesOf(&asked, 0, lane) != zero) & (c.active != zero),
               stays | (~pressed & (c.vn < zero)), slides, c, along * choose(stuck, c.px, c.vx),
               along * choose(stuck, c.py, c.vy), bound);
  }
}

// --- how well it fits -------------------------------------------------------------------------------

/// Of as many problems as a register holds, from `lane` on.
FOOTFALL_INLINE void residualsFrom(int lane, int contacts, const ProblemPack* scale, const ProblemPack* active,
                                   const double* friction, const ProblemPack* p, const ProblemPack* v,
                                   double* residual) {
  const auto at = [lane](const ProblemPack* packs, int k) FOOTFALL_INLINE_LAMBDA {
    return load<NativePack>(reinterpret_cast<const double*>(packs + k) + lane);
  };
  const NativePack zero{}, one = broadcast<NativePack>(1.0), tiny = broadcast<NativePack>(1e-300);
  const NativePack mu = load<NativePack>(friction + lane);
  NativePack worst{};
  for (int i = 0; i < contacts; ++i) {
    const int x = i, y = contacts + i, n = 2 * contacts + i;
    const NativePack g = at(scale, i), qx = g * at(p, x), qy = g * at(p, y), qn = g * at(p, n);
    const NativePack ax = qx - at(v, x), ay = qy - at(v, y), an = qn - at(v, n);
    const NativePack radius = mu * larger(qn, zero), length2 = ax * ax + ay * ay;
    const NativePack factor = choose(length2 > radius * radius, radius / squareRoot(larger(length2, tiny)), one);
    const NativePack rx = qx - factor * ax, ry = qy - factor * ay, rn = qn - larger(an, zero);
    const NativePack square = at(active, i) * (rx * rx + ry * ry + rn * rn);
    worst = choose((worst >= square) | (worst != worst), worst, square);  // what is no number is worse than any
  }
  store(residual + lane, squareRoot(worst));
}

// Lanes and ProblemPack are the same eight numbers in memory.
const Lanes* in(const ProblemPack* packs) { return reinterpret_cast<const Lanes*>(packs); }
Lanes* out(ProblemPack* packs) { return reinterpret_cast<Lanes*>(packs); }

void factorise(int rows, const ProblemPack* G, const ProblemPack* part, const ProblemPack& compliance, ProblemPack* L,
               ProblemPack* inverse) {
  factoriseLanes(rows, in(G), in(part), *in(&compliance), out(L), out(inverse));
}
void solve(int rows, const ProblemPack* L, const ProblemPack* inverse, const ProblemPack* part, const ProblemPack* b,
           ProblemPack* p) {
  solveLanes(rows, in(L), in(inverse), in(part), in(b), out(p));
}
void solveSliding(int contacts, const ProblemPack* G, const ProblemPack* b, const ProblemPackStates& states,
                  const ProblemPack& compliance, ProblemPack* A, ProblemPack* inverse, ProblemPack* p) {
  solveSlidingLanes(contacts, in(G), in(b), states, *in(&compliance), out(A), out(inverse), out(p));
}
void velocity(int rows, const ProblemPack* G, const ProblemPack* b, const ProblemPack* p, ProblemPack* v) {
  velocityLanes(rows, in(G), in(b), in(p), out(v));
}

void statesOf(const ProblemPackNumbers& known, double nearly, const ProblemPack& asked,
              const ProblemPackStatesOut& states) {
  for (int lane = 0; lane < 8; lane += kNativeLanes) statesOfFrom(lane, known, nearly, asked, states);
}
void likelyStates(const ProblemPackNumbers& known, const ProblemPack& asked, const ProblemPackStatesOut& states) {
  for (int lane = 0; lane < 8; lane += kNativeLanes) likelyStatesFrom(lane, known, asked, states);
}
void guessStates(const ProblemPackNumbers& known, const ProblemPack& asked, ProblemPack* farthest,
                 const ProblemPackStatesOut& states) {
  for (int lane = 0; lane < 8; lane += kNativeLanes) guessStatesFrom(lane, known, asked, farthest, states);
}

void residuals(int contacts, const ProblemPack* scale, const ProblemPack* active, const double* friction,
               const ProblemPack* p, const ProblemPack* v, double* residual) {
  for (int lane = 0; lane < 8; lane += kNativeLanes)
    residualsFrom(lane, contacts, scale, active, friction, p, v, residual);
}

}  // namespace

extern const PackKernel pack_kernel{factorise, solve,        solveSliding, velocity,
                                    statesOf,  likelyStates, guessStates,  residuals};

}  // namespace footfall::FOOTFALL_ISA
