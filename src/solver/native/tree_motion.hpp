#pragma once

#include "solver/native/block_lu.hpp"
#include "solver/native/dense_motion.hpp"

namespace footfall::FOOTFALL_ISA {

/// What DenseMotion is for a problem by trees: the matrix compliance + Vᵀ D V has blocks where a contact touches two
/// trees, and nowhere else.
template <class ProblemT>
class TreeMotion {
 public:
  using Size = typename ProblemT::Size;
  TreeMotion(const ProblemT& problem, Arena& arena) : problem_(problem), lu_(problem.trees, arena) {
    spread_ = arena.take<double>(problem.rows());
  }
  static std::size_t scratchSize(const Size& size) {
    return BlockLu::scratchSize(size.nodes, size.blocks) + DenseLu::paddedSize(3 * size.stride) + 16;
  }
  static int mostMotions(const Size& size) { return kBlock * size.nodes; }

  void begin() {}
  int rank() const { return problem_.motions(); }
  int width() const { return problem_.motions(); }
  bool regular() const { return false; }  ///< not looked at
  /// Not those that answer to their own impulses alone.
  bool takesPart(int row) const {
    const int stride = problem_.stride(), i = row % stride;
    return i < problem_.contacts && problem_.trees.own[3 * i + row / stride] == 0.0;
  }
  void addVelocity(const double* y, double* v) const { problem_.addVelocity(y, v); }
  void of(const double* p, double* y) const { problem_.motionOf(p, y); }

  void factorise(const Response* response, const double* weight, double compliance) {
    response_ = response;
    weight_ = weight;
    compliance_ = compliance;
    lu_.begin(nothingDrags());
    for (int k = 0; k < problem_.trees.nodes; ++k) lu_.addToDiagonal(k, compliance);
    for (int i = 0; i < problem_.contacts; ++i) addContact(i);
    lu_.factorise();
  }

  void solve(const double* defect, const double* shift, double* step) {
    setZero(step, rank());
    if (shift) {
      spreadShift(problem_, response_, weight_, shift, spread_);
      of(spread_, step);
    }
    for (int k = 0; k < rank(); ++k) step[k] = -step[k] - compliance_ * defect[k];
    lu_.solve(step);
  }

 private:
  /// Friction of sliding contacts, which follows the pressure, is all that makes the matrix unsymmetric.
  bool nothingDrags() const {
    for (int i = 0; i < problem_.contacts; ++i)
      if (response_[i].closed && (response_[i].drag_x != 0.0 || response_[i].drag_y != 0.0)) return false;
    return true;
  }

  /// D of one contact, by rows.
  void answerOf(int i, double D[3][3]) const {
    const Response& r = response_[i];
    const double share = 1.0 / weight_[i];
    for (int a = 0; a < 3; ++a)
      for (int c = 0; c < 3; ++c) D[a][c] = 0.0;
    for (int k = 0; k < r.directions; ++k) {
      const Response::Direction& d = r.direction[k];
      D[0][0] += share * d.size * d.x * d.x;
      D[0][1] += share * d.size * d.x * d.y;
      D[1][1] += share * d.size * d.y * d.y;
    }
    D[1][0] = D[0][1];
    if (!r.closed) return;
    D[0][2] = -share * r.drag_x;
    D[1][2] = -share * r.drag_y;
    D[2][2] = share;
  }

  /// Vᵀ D V of one contact into the blocks of those that it touches.
  void addContact(int i) {
    const Response& r = response_[i];
    if (!r.closed && r.directions == 0) return;
    double D[3][3];
    answerOf(i, D);
    const KernelTrees& trees = problem_.trees;
    const int begin = trees.piece_begin[i], count = trees.piece_begin[i + 1] - begin;
    const int* block = trees.pair_block + trees.pair_begin[i];
    for (int c = 0; c < count; ++c) {
      const double* V = problem_.piece(begin + c);
      alignas(64) double answer[3 * kBlock] = {};
      for (int a = 0; a < 3; ++a)
        for (int k = 0; k < 3; ++k)
          if (D[a][k] != 0.0) addMultiple(D[a][k], V + k * kBlock, answer + a * kBlock, kBlock);
      for (int a = 0; a < count; ++a)
        lu_.addProduct(block[a * count + c], trees.piece_node[begin + a], trees.piece_node[begin + c],
                       problem_.piece(begin + a), answer);
    }
  }

  const ProblemT& problem_;
  BlockLu lu_;
  const Response* response_ = nullptr;
  const double* weight_ = nullptr;
  double compliance_ = 0.0;
  double* spread_;  ///< D · shift
};

}  // namespace footfall::FOOTFALL_ISA
