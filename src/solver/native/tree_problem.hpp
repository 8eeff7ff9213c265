#pragma once

#include "solver/native/dense_lu.hpp"
#include "solver/native/problem_rows.hpp"

namespace footfall::FOOTFALL_ISA {

template <class ProblemT>
class TreeMotion;
template <class ProblemT>
class TreeSweeps;

constexpr int kBlock = TreeMotions::kBlock;  ///< motions of a node

/// A problem by trees: G = V Vᵀ + own is not written out.
template <class Law>
class TreeProblem : public ProblemRows<Law, 0> {
 public:
  using Rows = ProblemRows<Law, 0>;
  using Motion = TreeMotion<TreeProblem>;
  using Sweeping = TreeSweeps<TreeProblem>;
  /// What memory depends on.
  struct Size {
    int stride, nodes, blocks;
  };
  static int strideOf(const Size& size) { return size.stride; }
  using Rows::b, Rows::contacts, Rows::rows, Rows::stride;

  TreeProblem(const KernelProblem& problem, Arena& arena) : Rows(problem, arena), trees(*problem.trees) {
    motion_ = arena.take<double>(motions());
    this->findScales([&](int i) { return block(i, 0, 0) + block(i, 1, 1) + block(i, 2, 2); });
  }
  static std::size_t scratchSize(const Size& size) {
    return 2 * DenseLu::paddedSize(size.stride) + kBlock * size.nodes;
  }

  Size size() const { return {stride(), trees.nodes, trees.blocks}; }
  int motions() const { return kBlock * trees.nodes; }

  double block(int i, int a, int c) const {
    double sum = a == c ? trees.own[3 * i + a] : 0.0;
    for (int k = trees.piece_begin[i]; k < trees.piece_begin[i + 1]; ++k) {
      const double* V = piece(k);
      sum += dotProduct(V + a * kBlock, V + c * kBlock, kBlock);
    }
    return sum;
  }
  bool movable(int i) const { return block(i, 2, 2) > RankRules::kImmovable * this->largest_g; }

  /// Three rows of V, of one node.
  const double* piece(int k) const { return trees.V + trees.piece_first[k]; }

  /// v += V y, of one contact.
  void addVelocityOf(int i, const double* y, Vector3<double>& v) const {
    NativePack sum[3] = {};
    for (int k = trees.piece_begin[i]; k < trees.piece_begin[i + 1]; ++k) {
      const double *V = piece(k), *own = y + kBlock * trees.piece_node[k];
      for (int q = 0; q < kBlock; q += kNativeLanes)
        for (int c = 0; c < 3; ++c) sum[c] += load<NativePack>(V + c * kBlock + q) * load<NativePack>(own + q);
    }
    v.x += sumOfLanes(sum[0]);
    v.y += sumOfLanes(sum[1]);
    v.n += sumOfLanes(sum[2]);
  }
  /// y += Vᵀ p, of one contact.
  void addMotion(int i, const Vector3<double>& p, double* y) const {
    for (int k = trees.piece_begin[i]; k < trees.piece_begin[i + 1]; ++k) {
      const double* V = piece(k);
      double* own = y + kBlock * trees.piece_node[k];
      addMultiple(p.x, V, own, kBlock);
      addMultiple(p.y, V + kBlock, own, kBlock);
      addMultiple(p.n, V + 2 * kBlock, own, kBlock);
    }
  }

  /// v += V y
  void addVelocity(const double* y, double* v) const {
    for (int i = 0; i < contacts; ++i) {
      Vector3<double> own = contactOf(v, stride(), i);
      addVelocityOf(i, y, own);
      setContact(v, stride(), i, own);
    }
  }
  /// y = Vᵀ p
  void motionOf(const double* p, double* y) const {
    setZero(y, motions());
    for (int i = 0; i < contacts; ++i) {
      const Vector3<double> own = contactOf(p, stride(), i);
      if (own.x != 0.0 || own.y != 0.0 || own.n != 0.0) addMotion(i, own, y);
    }
  }

  /// v = G p + b.
  void velocity(const double* p, double* v) const {
    copyVector(b, v, rows());
    for (int i = 0; i < contacts; ++i)
      for (int c = 0; c < 3; ++c) v[c * stride() + i] += trees.own[3 * i + c] * p[c * stride() + i];
    motionOf(p, motion_);
    addVelocity(motion_, v);
  }

  /// Whether V holds numbers only.
  bool isFinite() const {
    double sum = 0.0;
    for (std::size_t k = 0; k < trees.V_size; ++k) sum += 0.0 * trees.V[k];
    return sum == 0.0;
  }

  const KernelTrees& trees;

 private:
  double* motion_;  ///< scratch
};

}  // namespace footfall::FOOTFALL_ISA
