#include <fmt/format.h>

#include "footfall/base/internal/json_text.hpp"
#include "footfall/block_io/diagram_drawing.hpp"

namespace footfall {
namespace {

using Point = DiagramDrawing::Point;

std::string json(const std::string& text) { return quoteJson(text); }
std::string json(const Point& point) { return fmt::format("[{:.1f}, {:.1f}]", point.x, point.y); }
std::string json(const DiagramDrawing::Port& port) {
  return fmt::format(R"({{"name": {}, "at": {}, "connected": {}}})", json(port.name), json(port.at), port.connected);
}

std::string json(const DiagramDrawing::Block& block);
std::string json(const DiagramDrawing::Frame& frame);
std::string json(const DiagramDrawing::Pin& pin);
std::string json(const DiagramDrawing::Line& line);

template <class T>
std::string json(const std::vector<T>& list) {
  std::string text;
  for (const T& item : list) text += (text.empty() ? "" : ", ") + json(item);
  return "[" + text + "]";
}

template <class Shape>
std::string box(const Shape& shape) {
  return fmt::format("[{:.1f}, {:.1f}, {:.1f}, {:.1f}]", shape.x, shape.y, shape.width, shape.height);
}

std::string json(const DiagramDrawing::Block& block) {
  return fmt::format(
      R"({{"path": {}, "name": {}, "kind": {}, "category": {}, "sample": {}, "rate": {}, "box": {}, "inputs": {}, "outputs": {}}})",
      json(block.path), json(block.name), json(block.kind), json(block.category), json(block.sample), block.rate,
      box(block), json(block.inputs), json(block.outputs));
}

std::string json(const DiagramDrawing::Frame& frame) {
  return fmt::format(R"({{"path": {}, "name": {}, "kind": {}, "depth": {}, "box": {}}})", json(frame.path),
                     json(frame.name), json(frame.kind), frame.depth, box(frame));
}

std::string json(const DiagramDrawing::Pin& pin) {
  return fmt::format(R"({{"name": {}, "at": {}, "width": {:.1f}, "input": {}}})", json(pin.name), json(pin.at),
                     pin.width, pin.input);
}

std::string json(const DiagramDrawing::Line& line) {
  return fmt::format(
      R"({{"source": {}, "target": {}, "label": {}, "rate": {}, "feedback": {}, "arrives": {}, "room": {:.1f}, "points": {}, "junctions": {}}})",
      json(line.source), json(line.target), json(line.label), line.rate, line.feedback, line.arrives, line.room,
      json(line.points), json(line.junctions));
}

}  // namespace

std::string toJson(const DiagramDrawing& drawing) {
  return indentJson(fmt::format(
             R"({{"title": {}, "subtitle": {}, "width": {:.1f}, "height": {:.1f}, "rates": {}, "categories": {}, "blocks": {}, "frames": {}, "pins": {}, "lines": {}}})",
             json(drawing.title), json(drawing.subtitle), drawing.width, drawing.height, json(drawing.rates),
             json(drawing.categories), json(drawing.blocks), json(drawing.frames), json(drawing.pins),
             json(drawing.lines))) +
         "\n";
}

}  // namespace footfall
