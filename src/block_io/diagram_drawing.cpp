#include "footfall/block_io/diagram_drawing.hpp"

#include <algorithm>
#include <set>

#include "block_io/diagram_level.hpp"
#include "block_io/drawing_style.hpp"
#include "footfall/block_io/internal/signal_text.hpp"

namespace footfall {
namespace {

using namespace drawing;
using NodeKind = DiagramLevel::Node::Kind;

/// Sample times that occur: continuous first, then from fast to slow, constants last.
std::vector<std::string> ratesOf(const Diagram& diagram) {
  const auto rank = [](const SampleTime& t) {
    const int kind = t.kind == SampleTime::Kind::continuous ? 0 : t.kind == SampleTime::Kind::discrete ? 1 : 2;
    return std::tuple(kind, t.period, t.offset);
  };
  std::vector<SampleTime> times;
  for (const Diagram::BlockInfo& block : diagram.blocks()) times.push_back(block.sample_time);
  std::sort(times.begin(), times.end(), [&](const SampleTime& a, const SampleTime& b) { return rank(a) < rank(b); });
  std::vector<std::string> rates;
  for (const SampleTime& time : times)
    if (rates.empty() || rates.back() != shortText(time)) rates.push_back(shortText(time));
  return rates;
}

/// Puts levels that are laid out into one picture.
class Collector {
 public:
  Collector(const Diagram& diagram, const BlockRegistry& registry, const DrawingRoom& room, DiagramDrawing& drawing)
      : diagram_(diagram), registry_(registry), room_(room), nets_(netsOf(diagram)), drawing_(drawing) {
    drawing_.rates = ratesOf(diagram);
  }

  void collect(double x, double y) {
    const auto whole = layOutLevel(diagram_, nets_, "", room_);
    drawing_.width = x + whole->graph.width;
    drawing_.height = y + whole->graph.height;
    addLevel(*whole, x, y, 0);
    drawing_.categories.assign(categories_.begin(), categories_.end());
  }

 private:
  void addLevel(const DiagramLevel& level, double x, double y, int depth) {
    for (std::size_t k = 0; k < level.nodes.size(); ++k) {
      const LayoutNode& place = level.graph.nodes[k];
      switch (level.nodes[k].kind) {
        case NodeKind::block:
          addBlock(level.nodes[k], place, x, y);
          break;
        case NodeKind::inside:
          addFrame(level, level.nodes[k].name, place, x, y, depth + 1);
          break;
        case NodeKind::input:
          drawing_.pins.push_back({level.nodes[k].name, {x + place.x, y + place.y + 0.5 * kRow}, place.width, true});
          break;
        case NodeKind::output:
          drawing_.pins.push_back(
              {level.nodes[k].name, {x + place.x + place.width, y + place.y + 0.5 * kRow}, place.width, false});
          break;
      }
    }
    for (std::size_t k = 0; k < level.nets.size(); ++k) addLines(level, k, x, y);
  }

  void addFrame(const DiagramLevel& level, const std::string& name, const LayoutNode& place, double x, double y,
                int depth) {
    const DiagramLevel& inside = *level.insides.at(name);
    const Diagram::SubdiagramInfo& info = subdiagramAt(diagram_, inside.path);
    const std::string kind = kindText(info.kind, info.condition);
    drawing_.frames.push_back({inside.path, name, kind, x + place.x, y + place.y, place.width, place.height, depth});
    addLevel(inside, x + place.x, y + place.y + kFrameHeader + kFramePad, depth);
  }

  int rateOf(int block) const {
    if (block < 0) return 0;
    const auto found =
        std::find(drawing_.rates.begin(), drawing_.rates.end(), shortText(diagram_.blocks()[block].sample_time));
    return static_cast<int>(found - drawing_.rates.begin());
  }

  void addBlock(const DiagramLevel::Node& node, const LayoutNode& place, double x, double y) {
    const Diagram::BlockInfo& info = diagram_.blocks()[node.number];
    DiagramDrawing::Block block;
    block.path = info.path;
    block.name = node.name;
    block.kind = kindText(info.kind, info.condition);
    if (const BlockRegistry::Kind* kind = registry_.find(info.kind)) block.category = kind->description.category;
    if (!block.category.empty()) categories_.insert(block.category);
    block.sample = shortText(info.sample_time);
    block.rate = rateOf(node.number);
    block.x = x + place.x;
    block.y = y + place.y;
    block.width = place.width;
    block.height = place.height;
    for (std::size_t k = 0; k < place.inputs.size(); ++k)
      block.inputs.push_back({info.interface.inputs[k].name,
                              {block.x, block.y + place.inputs[k]},
                              hasSource(diagram_, node.number, static_cast<int>(k))});
    const std::vector<OutputRow> rows = outputRows(diagram_, nets_, node.number);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const std::string& port = info.interface.outputs[rows[k].port].name;
      block.outputs.push_back({rows[k].field.empty() ? port : port + "." + rows[k].field,
                               {block.x + block.width, block.y + place.outputs[k]},
                               rows[k].used});
    }
    drawing_.blocks.push_back(std::move(block));
  }

  /// What a line of a level ends at: "controller.state", or the pin of a frame.
  std::string targetName(const DiagramLevel& level, const LayoutNet::Target& target) const {
    const DiagramLevel::Node& node = level.nodes[target.node];
    const std::string path = level.path.empty() ? node.name : level.path + "." + node.name;
    if (node.kind != NodeKind::block) return path;
    return path + "." + diagram_.blocks()[node.number].interface.inputs[target.port].name;
  }

  void addLines(const DiagramLevel& level, std::size_t number, double x, double y) {
    const LayoutNet& net = level.graph.nets[number];
    const DiagramNet& signal = nets_[level.nets[number]];
    const auto moved = [&](const std::vector<LayoutPoint>& points) {
      std::vector<DiagramDrawing::Point> result;
      for (const LayoutPoint& point : points) result.push_back({x + point.x, y + point.y});
      return result;
    };
    for (std::size_t k = 0; k < net.targets.size(); ++k) {
      DiagramDrawing::Line line;
      line.source = diagram_.signalOf({signal.block, signal.port, signal.field, -1, -1});
      line.target = targetName(level, net.targets[k]);
      line.rate = rateOf(signal.block);
      line.feedback = net.targets[k].feedback;
      line.points = moved(net.targets[k].points);
      line.arrives = level.nodes[net.targets[k].node].kind == NodeKind::block;
      if (k == 0) {
        if (net.label_width > 0.0) line.label = labelOf(diagram_, signal);
        line.room = net.label_width;
        line.junctions = moved(net.junctions);
      }
      drawing_.lines.push_back(std::move(line));
    }
  }

  const Diagram& diagram_;
  const BlockRegistry& registry_;
  const DrawingRoom& room_;
  const std::vector<DiagramNet> nets_;
  DiagramDrawing& drawing_;
  std::set<std::string> categories_;
};

}  // namespace

DiagramDrawing drawDiagram(const Diagram& diagram, const BlockRegistry& registry, const std::string& title,
                           const std::string& subtitle, const DrawingRoom& room) {
  DiagramDrawing drawing;
  drawing.title = title;
  drawing.subtitle = subtitle;
  const double above = title.empty() ? 0.0 : kTitleSize + (subtitle.empty() ? 14.0 : 32.0);
  Collector(diagram, registry, room, drawing).collect(kMargin, kMargin + above);
  return drawing;
}

}  // namespace footfall
