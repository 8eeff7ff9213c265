#include "plot/coverage.hpp"

#include <gtest/gtest.h>

#include "plot/font.hpp"

namespace footfall {
namespace {

double areaOf(const std::vector<PlotPoint>& polygon) {
  Coverage coverage(40, 30);
  coverage.addPolygon(polygon);
  double area = 0.0;
  coverage.paint([&](int, int, double share) { area += share; });
  return area;
}

// Shares below a thousandth are not painted: at most one for each pixel of the edges.
constexpr double kUnpainted = 40 * 1e-3;

TEST(Coverage, IsTheAreaOfAPolygonWhicheverWayItTurns) {
  EXPECT_NEAR(areaOf({{3.25, 2.5}, {13.25, 2.5}, {13.25, 9.0}, {3.25, 9.0}}), 65.0, kUnpainted);
  EXPECT_NEAR(areaOf({{3.25, 9.0}, {13.25, 9.0}, {13.25, 2.5}, {3.25, 2.5}}), 65.0, kUnpainted);
  EXPECT_NEAR(areaOf({{1.1, 1.2}, {31.7, 4.9}, {12.3, 27.6}}), 0.5 * std::abs(30.6 * 26.4 - 3.7 * 11.2), kUnpainted);
}

TEST(Coverage, CountsWhatIsCoveredTwiceOnce) {
  Coverage coverage(20, 20);
  const PlotPoint square[] = {{2.0, 2.0}, {8.0, 2.0}, {8.0, 8.0}, {2.0, 8.0}};
  coverage.addPolygon(square);
  coverage.addPolygon(square);
  coverage.paint([](int, int, double share) { EXPECT_DOUBLE_EQ(share, 1.0); });
}

TEST(Coverage, WhatLiesOutsideOfThePictureIsLeftOut) {
  EXPECT_NEAR(areaOf({{-10.0, -10.0}, {100.0, -10.0}, {100.0, 100.0}, {-10.0, 100.0}}), 40.0 * 30.0, kUnpainted);
}

TEST(Font, KnowsLettersOfUtf8AndReplacesOthers) {
  EXPECT_GT(font::widthOf("W", 12.0), font::widthOf("i", 12.0));
  EXPECT_DOUBLE_EQ(font::widthOf("ab", 12.0), font::widthOf("a", 12.0) + font::widthOf("b", 12.0));
  EXPECT_DOUBLE_EQ(font::widthOf("τ", 12.0), font::widthOf("τ", 24.0) / 2.0);
  EXPECT_DOUBLE_EQ(font::widthOf("\u4e16", 12.0), font::widthOf("?", 12.0));
  EXPECT_EQ(font::outlinesOf("o", 12.0).size(), 2u);  // inside and outside
}

}  // namespace
}  // namespace footfall
