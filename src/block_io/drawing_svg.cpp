#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "block_io/drawing_style.hpp"
#include "block_io/text_width.hpp"
#include "footfall/base/internal/xml_text.hpp"
#include "footfall/block_io/diagram_drawing.hpp"

namespace footfall {
namespace {

using namespace drawing;
using Point = DiagramDrawing::Point;

struct Colour {
  const char *fill, *header, *edge;
};

/// Calm colours that stay apart when they are printed, one for each category.
constexpr std::array<Colour, 9> kCategoryColours = {{{"#f4f8fd", "#cfe2f7", "#4a78a8"},
                                                     {"#f6fbf3", "#d5ecc8", "#5c8f42"},
                                                     {"#fff8ef", "#fbe0bd", "#b57a2a"},
                                                     {"#fbf4fa", "#ecd2e8", "#93588b"},
                                                     {"#fdf4f3", "#f7d3cf", "#b0554b"},
                                                     {"#f2fafa", "#c9e8e8", "#3f8a8a"},
                                                     {"#fbfaf0", "#ece6b9", "#8d8332"},
                                                     {"#f5f4fb", "#dad6f0", "#655aa5"},
                                                     {"#f6f6f6", "#e0e0e0", "#707070"}}};
constexpr std::array<const char*, 7> kRateColours = {"#2b2b2b", "#c0392b", "#2471a3", "#1e8449",
                                                     "#b9770e", "#7d3c98", "#117a65"};

class SvgWriter {
 public:
  explicit SvgWriter(const DiagramDrawing& drawing) : d_(drawing) {}

  std::string write() {
    for (const DiagramDrawing::Frame& frame : d_.frames) writeFrame(frame);
    for (const DiagramDrawing::Line& line : d_.lines) writeLine(line);
    for (const DiagramDrawing::Line& line : d_.lines)
      for (const Point& point : line.junctions)
        add(R"(<circle cx="{:.1f}" cy="{:.1f}" r="2.4" fill="{}"/>)", point.x, point.y, rateColour(line.rate));
    for (const DiagramDrawing::Block& block : d_.blocks) writeBlock(block);
    for (const DiagramDrawing::Pin& pin : d_.pins) writePin(pin);
    for (const DiagramDrawing::Line& line : d_.lines) writeLabel(line);
    writeTitle();
    const double legend = writeLegend(d_.height + 34.0);
    return wrapped(std::max({d_.width, legend, titleWidth()}) + kMargin, d_.height + 34.0 + kMargin);
  }

 private:
  template <class... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    body_ += "  " + fmt::format(format, std::forward<Values>(values)...) + "\n";
  }

  const char* rateColour(int rate) const {
    if (rate >= 0 && rate < static_cast<int>(d_.rates.size())) {
      if (d_.rates[rate] == "constant") return "#8a8a8a";
      if (d_.rates[rate] == "continuous") return kRateColours[0];
    }
    const bool has_continuous = !d_.rates.empty() && d_.rates[0] == "continuous";
    const std::size_t number = static_cast<std::size_t>(rate) + (has_continuous ? 0 : 1);
    return kRateColours[1 + (number + kRateColours.size() - 2) % (kRateColours.size() - 1)];
  }

  const Colour& categoryColour(const std::string& category) const {
    const auto found = std::find(d_.categories.begin(), d_.categories.end(), category);
    const std::size_t number = static_cast<std::size_t>(found - d_.categories.begin());
    return found == d_.categories.end() ? kCategoryColours.back()
                                        : kCategoryColours[number % (kCategoryColours.size() - 1)];
  }

  void text(double x, double y, const char* style, const std::string& words) {
    add(R"(<text x="{:.1f}" y="{:.1f}" class="{}">{}</text>)", x, y, style, xmlText(words));
  }

  void writeFrame(const DiagramDrawing::Frame& frame) {
    add(R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="8" class="frame{}"/>)", frame.x, frame.y,
        frame.width, frame.height, frame.depth % 2);
    text(frame.x + 10.0, frame.y + 18.0, "name", frame.name);
    text(frame.x + 10.0 + textWidth(frame.name, kNameSize) + 8.0, frame.y + 18.0, "kind", frame.kind);
  }

  /// Right angles with round corners.
  static std::string pathOf(const std::vector<Point>& points, double shorten_end) {
    constexpr double kRound = 4.0;
    std::string path = fmt::format("M{:.1f} {:.1f}", points.front().x, points.front().y);
    for (std::size_t k = 1; k < points.size(); ++k) {
      Point end = points[k];
      if (k + 1 == points.size()) {
        end.x -= shorten_end;
        path += fmt::format("L{:.1f} {:.1f}", end.x, end.y);
        break;
      }
      const Point before = points[k - 1], after = points[k + 1];
      const double in = std::hypot(end.x - before.x, end.y - before.y);
      const double out = std::hypot(after.x - end.x, after.y - end.y);
      const double r = std::min({kRound, 0.5 * in, 0.5 * out});
      if (r < 0.1) {
        path += fmt::format("L{:.1f} {:.1f}", end.x, end.y);
        continue;
      }
      path += fmt::format("L{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}", end.x + (before.x - end.x) * r / in,
                          end.y + (before.y - end.y) * r / in, end.x, end.y, end.x + (after.x - end.x) * r / out,
                          end.y + (after.y - end.y) * r / out);
    }
    return path;
  }

  void writeLine(const DiagramDrawing::Line& line) {
    if (line.points.size() < 2) return;
    const char* colour = rateColour(line.rate);
    add(R"(<path d="{}" class="line" stroke="{}"><title>{}</title></path>)",
        pathOf(line.points, line.arrives ? 6.0 : 0.0), colour, xmlText(line.source + " -> " + line.target));
    if (!line.arrives) return;
    const Point& tip = line.points.back();
    add(R"(<path d="M{0:.1f} {1:.1f}l-7 -3.4v6.8z" fill="{2}"/>)", tip.x, tip.y, colour);
  }

  void writeBlock(const DiagramDrawing::Block& block) {
    const Colour& colour = categoryColour(block.category);
    add(R"(<g><title>{}</title>)", xmlText(block.path + " (" + block.kind + ")"));
    add(R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="5" fill="{}" stroke="{}"/>)", block.x,
        block.y, block.width, block.height, colour.fill, colour.edge);
    add(R"(<path d="M{0:.1f} {1:.1f}v-25a5 5 0 0 1 5 -5h{2:.1f}a5 5 0 0 1 5 5v25z" fill="{3}" stroke="{4}"/>)", block.x,
        block.y + 30.0, block.width - 10.0, colour.header, colour.edge);
    text(block.x + 8.0, block.y + 13.5, "name", block.name);
    text(block.x + 8.0, block.y + 25.5, "kind", block.kind);
    add(R"(<text x="{:.1f}" y="{:.1f}" class="rate" style="fill:{}">{}</text>)", block.x + block.width - 8.0,
        block.y + 25.5, rateColour(block.rate), xmlText(block.sample));
    for (const DiagramDrawing::Port& port : block.inputs)
      text(block.x + 9.0, port.at.y + 3.3, port.connected ? "port" : "port idle", port.name);
    for (const DiagramDrawing::Port& port : block.outputs) {
      text(port.at.x - 9.0, port.at.y + 3.3, port.connected ? "port end" : "port end idle", port.name);
      add(R"(<circle cx="{:.1f}" cy="{:.1f}" r="2" fill="{}"/>)", port.at.x, port.at.y, colour.edge);
    }
    add("</g>");
  }

  void writePin(const DiagramDrawing::Pin& pin) {
    const double direction = pin.input ? 1.0 : -1.0;
    add(R"(<path d="M{0:.1f} {1:.1f}l6 4l-6 4z" class="pin"/>)", pin.input ? pin.at.x - 1.0 : pin.at.x - 5.0,
        pin.at.y - 4.0);
    text(pin.at.x + direction * 9.0, pin.at.y + 3.3, pin.input ? "port" : "port end", pin.name);
  }

  void writeLabel(const DiagramDrawing::Line& line) {
    if (!line.label.empty()) text(line.points.front().x + 5.0, line.points.front().y - 3.0, "label", line.label);
  }

  double titleWidth() const {
    return kMargin + std::max(textWidth(d_.title, kTitleSize), textWidth(d_.subtitle, kNameSize));
  }

  void writeTitle() {
    if (!d_.title.empty()) text(kMargin, kMargin + 12.0, "title", d_.title);
    if (!d_.subtitle.empty()) text(kMargin, kMargin + 30.0, "subtitle", d_.subtitle);
  }

  /// Sample times and categories that occur; returns where it ends.
  double writeLegend(double y) {
    double x = kMargin;
    for (std::size_t k = 0; k < d_.rates.size(); ++k) {
      add(R"(<path d="M{:.1f} {:.1f}h18" class="line" stroke="{}"/>)", x, y - 3.5, rateColour(static_cast<int>(k)));
      text(x + 23.0, y, "label", d_.rates[k]);
      x += 23.0 + textWidth(d_.rates[k], kSmallSize) + 16.0;
    }
    for (const std::string& category : d_.categories) {
      const Colour& colour = categoryColour(category);
      add(R"(<rect x="{:.1f}" y="{:.1f}" width="12" height="10" rx="2" fill="{}" stroke="{}"/>)", x, y - 8.5,
          colour.header, colour.edge);
      text(x + 17.0, y, "label", category);
      x += 17.0 + textWidth(category, kSmallSize) + 16.0;
    }
    return x;
  }

  std::string wrapped(double width, double height) const {
    return fmt::format(
               R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0:.0f}" height="{1:.0f}" viewBox="0 0 {0:.0f} {1:.0f}">
  <style>
    text {{ font-family: Helvetica, Arial, "Liberation Sans", sans-serif; font-size: {2}px; fill: #222; }}
    .title {{ font-size: {3}px; font-weight: bold; }}
    .subtitle {{ font-size: {4}px; fill: #555; }}
    .name {{ font-size: {4}px; font-weight: bold; }}
    .kind {{ fill: #555; font-style: italic; }}
    .rate {{ text-anchor: end; }}
    .end {{ text-anchor: end; }}
    .idle {{ fill: #aaa; }}
    .label {{ fill: #555; paint-order: stroke; stroke: #fff; stroke-width: 3px; stroke-linejoin: round; }}
    .line {{ fill: none; stroke-width: 1.3; }}
    .frame0, .frame1 {{ stroke: #9a9a9a; stroke-dasharray: 5 3; fill: #f7f7f7; }}
    .frame0 {{ fill: #efefef; }}
    .pin {{ fill: #666; }}
  </style>
  <rect width="100%" height="100%" fill="#fff"/>
)",
               width, height, kSmallSize, kTitleSize, kNameSize) +
           body_ + "</svg>\n";
  }

  const DiagramDrawing& d_;
  std::string body_;
};

}  // namespace

std::string toSvg(const DiagramDrawing& drawing) { return SvgWriter(drawing).write(); }

}  // namespace footfall
