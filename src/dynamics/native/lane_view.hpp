#pragma once

#include "dynamics/native/tree_storage.hpp"
#include "footfall/spatial/pose.hpp"

/// What one robot of a scratch looks like from outside. T = double has one robot, T = RobotPack eight.
namespace footfall::native {

inline double lane(double value, int) { return value; }
inline double lane(const RobotPack& value, int robot) { return value[robot]; }

template <class T>
Vector3d laneVector(const Vec3<T>& v, int robot) {
  return {lane(v.x, robot), lane(v.y, robot), lane(v.z, robot)};
}

template <class T>
Matrix3d laneRotation(const Rotation<T>& R, int robot) {
  Matrix3d M;
  M << laneVector(R.x, robot), laneVector(R.y, robot), laneVector(R.z, robot);
  return M;
}

template <class T>
[[gnu::always_inline]] inline Pose laneLinkPose(const TreeStorage& tree, const Scratch<T>& w, int number, int robot) {
  const LinkState<T>& link = w.link[number];
  return {laneRotation(link.R_WK, robot) * tree.R_LK(number).transpose(),
          laneVector(w.p_WB, robot) + laneVector(link.p, robot)};
}

template <class T>
void laneMassMatrix(const Tree& tree, const Scratch<T>& w, int robot, Eigen::Ref<MatrixXd> M) {
  const int base = tree.base_dofs;
  M.setZero();
  for (int r = 0; r < base; ++r) {
    for (int c = 0; c < base; ++c) M(r, c) = lane(w.M_base[r].v[c], robot);
  }
  for (int k = 1; k < tree.links; ++k) {
    const T* row = w.M + w.row[k];
    const int* path = tree.path + tree.path_begin[k];
    const int i = base + tree.dof[k];
    for (int b = 0; b < base; ++b) M(i, b) = M(b, i) = lane(row[b], robot);
    for (int d = 0; d <= tree.depth[k]; ++d) {
      const int j = base + tree.dof[path[d]];
      M(i, j) = M(j, i) = lane(row[w.row_base + d], robot);
    }
  }
}

}  // namespace footfall::native
