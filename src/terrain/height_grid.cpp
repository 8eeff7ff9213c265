#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "footfall/base/error.hpp"
#include "footfall/terrain/height_field.hpp"
#include "terrain/checks.hpp"

namespace footfall {
namespace {

constexpr const char* kField = "ground.heights";

/// Where a coordinate is between the nodes: the node before it, and the way from there to the next one.
struct Cell {
  int index;        ///< of the node before
  double fraction;  ///< 0 … 1
  bool beyond;      ///< the border: the ground goes on level
};

Cell cellOf(double node_coordinate, int nodes) {
  const double inside = std::clamp(node_coordinate, 0.0, nodes - 1.0);
  const int index = std::min(static_cast<int>(inside), nodes - 2);
  return {index, inside - index, inside != node_coordinate};
}

/// Shares of four neighbouring nodes (−1, 0, 1, 2) in a value between nodes 0 and 1, and their derivatives.
struct Shares {
  std::array<double, 4> value, slope;
};

Shares sharesAt(double s, Interpolation interpolation) {
  if (interpolation == Interpolation::bilinear) return {{0.0, 1.0 - s, s, 0.0}, {0.0, -1.0, 1.0, 0.0}};
  const double s2 = s * s, s3 = s2 * s;
  return {
      {0.5 * (-s + 2.0 * s2 - s3), 0.5 * (2.0 - 5.0 * s2 + 3.0 * s3), 0.5 * (s + 4.0 * s2 - 3.0 * s3), 0.5 * (s3 - s2)},
      {0.5 * (-1.0 + 4.0 * s - 3.0 * s2), 0.5 * (-10.0 * s + 9.0 * s2), 0.5 * (1.0 + 8.0 * s - 9.0 * s2),
       0.5 * (3.0 * s2 - 2.0 * s)}};
}

/// The same without derivatives.
std::array<double, 4> valueSharesAt(double s) {
  const double s2 = s * s, s3 = s2 * s;
  return {0.5 * (-s + 2.0 * s2 - s3), 0.5 * (2.0 - 5.0 * s2 + 3.0 * s3), 0.5 * (s + 4.0 * s2 - 3.0 * s3),
          0.5 * (s3 - s2)};
}

using Nodes = Eigen::Matrix4d;  ///< sixteen nodes around a cell, or its sixteen Bézier points

/// From nodes along a line to the Bézier points of the cell between the two middle ones.
Nodes bezierFromNodes(Interpolation interpolation) {
  Nodes B;
  if (interpolation == Interpolation::bilinear)
    B << 0, 3, 0, 0, 0, 2, 1, 0, 0, 1, 2, 0, 0, 0, 3, 0;
  else
    B << 0, 3, 0, 0, -0.5, 3, 0.5, 0, 0, 0.5, 3, -0.5, 0, 0, 3, 0;
  return B / 3.0;
}

/// Second derivatives of a patch with these Bézier points, in cells: no row of their matrix is larger in sum.
double sharpestOf(const Nodes& points) {
  const Eigen::Matrix<double, 4, 3> along_x = points.rightCols<3>() - points.leftCols<3>();
  const Eigen::Matrix<double, 3, 4> along_rows = points.bottomRows<3>() - points.topRows<3>();
  const double xx = 6.0 * (along_x.rightCols<2>() - along_x.leftCols<2>()).cwiseAbs().maxCoeff();
  const double yy = 6.0 * (along_rows.bottomRows<2>() - along_rows.topRows<2>()).cwiseAbs().maxCoeff();
  const double xy = 9.0 * (along_x.bottomRows<3>() - along_x.topRows<3>()).cwiseAbs().maxCoeff();
  return std::max(xx, yy) + xy;
}

}  // namespace

HeightGrid::HeightGrid(HeightTable table, double cell, double scale, Interpolation interpolation)
    : table_(std::move(table)), cell_(cell), interpolation_(interpolation) {
  requirePositive("ground.cell", "cell of the height field in m", cell);
  requireFinite("ground.scale", "scale of the heights", scale);
  if (table_.rows < 2 || table_.columns < 2)
    throw Error(kField, fmt::format("the grid has {} rows and {} columns, expected 2 or more of each", table_.rows,
                                    table_.columns));
  if (table_.heights.size() != static_cast<std::size_t>(table_.rows) * table_.columns)
    throw Error(kField, fmt::format("there are {} heights, expected {} rows of {}", table_.heights.size(), table_.rows,
                                    table_.columns));
  refuseBadHeights();
  for (double& height : table_.heights) height *= scale;
  findLimits();
}

void HeightGrid::refuseBadHeights() const {
  for (int row = 0; row < table_.rows; ++row)
    for (int column = 0; column < table_.columns; ++column)
      if (!std::isfinite(node(row, column)))
        throw Error(kField, fmt::format("the height in row {}, column {} is {}, expected a finite number", row + 1,
                                        column + 1, node(row, column)));
}

double HeightGrid::node(int row, int column) const {
  row = std::clamp(row, 0, table_.rows - 1);
  column = std::clamp(column, 0, table_.columns - 1);
  return table_.heights[static_cast<std::size_t>(row) * table_.columns + column];
}

Height HeightGrid::at(double x, double y) const {
  const Cell along_x = cellOf(x / cell_ + 0.5 * (table_.columns - 1), table_.columns);
  const Cell along_rows = cellOf(0.5 * (table_.rows - 1) - y / cell_, table_.rows);
  const Shares sx = sharesAt(along_x.fraction, interpolation_), sr = sharesAt(along_rows.fraction, interpolation_);
  Height height;
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 4; ++c) {
      const double z = node(along_rows.index + r - 1, along_x.index + c - 1);
      height.z += sr.value[r] * sx.value[c] * z;
      height.slope_x += sr.value[r] * sx.slope[c] * z;
      height.slope_y -= sr.slope[r] * sx.value[c] * z;
    }
  height.slope_x = along_x.beyond ? 0.0 : height.slope_x / cell_;
  height.slope_y = along_rows.beyond ? 0.0 : height.slope_y / cell_;
  return height;
}

/// Cells of straight lines are bent by their twist alone; where two meet, the slope jumps.
double HeightGrid::sharpestNear(double x, double y, double distance) const {
  if (interpolation_ == Interpolation::bicubic) return limits_.sharpest;
  constexpr double kLevel = 1e-12;  // rounding of heights [m]
  const auto columnOf = [&](double at) {
    return cellOf(at / cell_ + 0.5 * (table_.columns - 1), table_.columns).index;
  };
  const auto rowOf = [&](double at) { return cellOf(0.5 * (table_.rows - 1) - at / cell_, table_.rows).index; };
  const int left = columnOf(x - distance), right = columnOf(x + distance) + 1;
  const int top = rowOf(y + distance), bottom = rowOf(y - distance) + 1;
  double twist = 0.0;
  for (int row = top; row <= bottom; ++row)
    for (int column = left; column <= right; ++column) {
      const double z = node(row, column);
      const bool valley_along_y =
          column > left && column < right && node(row, column - 1) + node(row, column + 1) - 2.0 * z > kLevel;
      const bool valley_along_x =
          row > top && row < bottom && node(row - 1, column) + node(row + 1, column) - 2.0 * z > kLevel;
      if (valley_along_y || valley_along_x) return std::numeric_limits<double>::infinity();
      if (row < bottom && column < right)
        twist =
            std::max(twist, std::abs(z - node(row, column + 1) - node(row + 1, column) + node(row + 1, column + 1)));
    }
  return twist / (cell_ * cell_);
}

void HeightGrid::heightsAt(std::span<const double> x, std::span<const double> y, std::span<double> z) const {
  if (interpolation_ == Interpolation::bilinear) return bilinearHeights(x, y, z);
  for (std::size_t i = 0; i < z.size(); ++i) z[i] = bicubicHeight(x[i], y[i]);
}

/// Without divisions, calls and branches: a scan asks for hundreds.
void HeightGrid::bilinearHeights(std::span<const double> x, std::span<const double> y, std::span<double> z) const {
  const double inverse_cell = 1.0 / cell_, last_x = table_.columns - 1.0, last_row = table_.rows - 1.0;
  const int stride = table_.columns, most_x = table_.columns - 2, most_row = table_.rows - 2;
  const double* heights = table_.heights.data();
  for (std::size_t i = 0; i < z.size(); ++i) {
    // max() of a number that is none is 0: no cell outside of the table is ever asked for.
    const double u = std::min(std::max(0.0, x[i] * inverse_cell + 0.5 * last_x), last_x);
    const double v = std::min(std::max(0.0, 0.5 * last_row - y[i] * inverse_cell), last_row);
    const int column = std::min(static_cast<int>(u), most_x), row = std::min(static_cast<int>(v), most_row);
    const double s = u - column, r = v - row;
    const double* corner = heights + static_cast<std::ptrdiff_t>(row) * stride + column;
    const double near = corner[0] + s * (corner[1] - corner[0]);
    const double far = corner[stride] + s * (corner[stride + 1] - corner[stride]);
    z[i] = near + r * (far - near);
  }
}

double HeightGrid::bicubicHeight(double x, double y) const {
  const double u = x / cell_ + 0.5 * (table_.columns - 1), v = 0.5 * (table_.rows - 1) - y / cell_;
  const bool whole = u >= 1.0 && u < table_.columns - 2 && v >= 1.0 && v < table_.rows - 2;
  if (!whole) return at(x, y).z;  // a neighbour is beyond the border
  const int column = static_cast<int>(u), row = static_cast<int>(v);
  const std::array<double, 4> sx = valueSharesAt(u - column), sr = valueSharesAt(v - row);
  const double* node = table_.heights.data() + static_cast<std::ptrdiff_t>(row - 1) * table_.columns + column - 1;
  double z = 0.0;
  for (int r = 0; r < 4; ++r, node += table_.columns)
    z += sr[r] * (sx[0] * node[0] + sx[1] * node[1] + sx[2] * node[2] + sx[3] * node[3]);
  return z;
}

/// A patch lies inside the hull of its Bézier points, its slopes inside the hull of their differences, and so on.
void HeightGrid::findLimits() {
  const Nodes B = bezierFromNodes(interpolation_);
  double highest = -std::numeric_limits<double>::infinity(), steepest = 0.0, sharpest = 0.0;
  for (int row = 0; row + 1 < table_.rows; ++row)
    for (int column = 0; column + 1 < table_.columns; ++column) {
      const Nodes nodes =
          Nodes::NullaryExpr([&](Eigen::Index r, Eigen::Index c) { return node(row + r - 1, column + c - 1); });
      const Nodes points = B * nodes * B.transpose();
      const double rise_x = (points.rightCols<3>() - points.leftCols<3>()).cwiseAbs().maxCoeff();
      const double rise_y = (points.bottomRows<3>() - points.topRows<3>()).cwiseAbs().maxCoeff();
      highest = std::max(highest, points.maxCoeff());
      steepest = std::max(steepest, 3.0 * std::hypot(rise_x, rise_y) / cell_);
      sharpest = std::max(sharpest, sharpestOf(points) / (cell_ * cell_));
    }
  // Where cells meet, slopes of straight lines jump.
  if (interpolation_ == Interpolation::bilinear) sharpest = std::numeric_limits<double>::infinity();
  limits_ = {highest, steepest, sharpest};
}

}  // namespace footfall
