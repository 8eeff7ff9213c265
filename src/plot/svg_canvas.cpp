#include <fmt/format.h>

#include <iterator>

#include "footfall/base/internal/xml_text.hpp"
#include "plot/canvas.hpp"

namespace footfall {
namespace {

std::string hex(const PlotColor& color) {
  const auto byte = [](double share) { return std::lround(255.0 * share); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(color.r), byte(color.g), byte(color.b));
}

class SvgCanvas : public Canvas {
 public:
  SvgCanvas(double width, double height)
      : svg_(fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" "
                         "viewBox=\"0 0 {0:g} {1:g}\" font-family=\"DejaVu Sans, Verdana, sans-serif\">\n"
                         "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
                         width, height)) {}

  void lines(std::span<const PlotPoint> points, double width, const PlotColor& color,
             const PlotRectangle& clip) override {
    svg_ += fmt::format(
        "<clipPath id=\"c{0}\"><rect x=\"{1:g}\" y=\"{2:g}\" width=\"{3:g}\" height=\"{4:g}\"/></clipPath>\n"
        "<polyline clip-path=\"url(#c{0})\" fill=\"none\" stroke=\"{5}\" stroke-width=\"{6:g}\" "
        "stroke-linejoin=\"round\" points=\"",
        clips_++, clip.left, clip.top, clip.width, clip.height, hex(color), width);
    for (const PlotPoint& point : points) fmt::format_to(std::back_inserter(svg_), "{:.2f},{:.2f} ", point.x, point.y);
    svg_ += "\"/>\n";
  }

  void text(const std::string& text, const PlotPoint& at, double size, double anchor, bool upwards,
            const PlotColor& color) override {
    const char* side = anchor == 0.0 ? "start" : anchor == 1.0 ? "end" : "middle";
    const std::string turn = upwards ? fmt::format(" transform=\"rotate(-90 {:.2f} {:.2f})\"", at.x, at.y) : "";
    svg_ +=
        fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{:g}\" text-anchor=\"{}\" fill=\"{}\"{}>{}</text>\n",
                    at.x, at.y, size, side, hex(color), turn, xmlText(text));
  }

  std::string encode() override { return svg_ + "</svg>\n"; }

 private:
  std::string svg_;
  int clips_ = 0;
};

}  // namespace

std::unique_ptr<Canvas> makeSvgCanvas(double width, double height) {
  return std::make_unique<SvgCanvas>(width, height);
}

}  // namespace footfall
