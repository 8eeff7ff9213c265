// Whole pictures; that they look well has to be looked at.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "footfall/base/error.hpp"
#include "footfall/base/internal/temporary_folder.hpp"
#include "footfall/plot/plot.hpp"

namespace footfall {
namespace {

Plot smallPlot() {
  PlotSeries sine{"sin <t>", {}, {}};
  for (int i = 0; i < 2000; ++i) {
    sine.x.push_back(0.001 * i);
    sine.y.push_back(i == 1000 ? std::numeric_limits<double>::quiet_NaN() : std::sin(0.01 * i));
  }
  return {"title", "time [s]", {{"panel", "[m]", {sine, {"flat", {0.0, 2.0}, {0.5, 0.5}}}}}};
}

std::string drawn(const Plot& plot, const std::string& name) {
  const TemporaryFolder folder("plot");
  const std::string path = (folder.path() / name).string();
  drawPlot(plot, path);
  std::ifstream file(path, std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

TEST(Picture, SvgHoldsALineForEachRunOfNumbersAndItsWords) {
  const std::string svg = drawn(smallPlot(), "a.svg");
  EXPECT_TRUE(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
  std::size_t traces = 0;
  for (std::size_t at = 0; (at = svg.find("stroke-width=\"1.4\"", at)) != std::string::npos; ++at) ++traces;
  EXPECT_EQ(traces, 3u);  // the sine is interrupted once
  for (const char* words : {">title<", ">time [s]<", ">panel<", ">sin &lt;t&gt;<", ">flat<"})
    EXPECT_NE(svg.find(words), std::string::npos) << words;
}

TEST(Picture, PngHasTwoPixelsForEachUnit) {
  const std::string png = drawn(smallPlot(), "a.png");
  ASSERT_GT(png.size(), 33u);
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1A\n");
  const auto number = [&](std::size_t at) {
    return static_cast<unsigned char>(png[at + 2]) * 256 + static_cast<unsigned char>(png[at + 3]);
  };
  EXPECT_EQ(number(16), 2000);
  EXPECT_EQ(number(20), 680);  // 42 above, 260 of the panel, 48 below that reach 10 into it
  EXPECT_NE(png.find("IEND"), std::string::npos);
}

TEST(Picture, TheSamePlotGivesTheSameBytes) { EXPECT_EQ(drawn(smallPlot(), "a.png"), drawn(smallPlot(), "b.png")); }

TEST(Picture, SaysWhenItCannotBeWritten) {
  EXPECT_THROW(drawPlot(smallPlot(), "/no/such/folder/a.png"), Error);
  EXPECT_THROW(drawPlot(smallPlot(), "a.gif"), Error);
}

}  // namespace
}  // namespace footfall
