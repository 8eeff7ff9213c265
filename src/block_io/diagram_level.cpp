#include "block_io/diagram_level.hpp"

#include <algorithm>
#include <tuple>

#include "block_io/drawing_style.hpp"
#include "block_io/text_width.hpp"
#include "footfall/block_io/internal/signal_text.hpp"

namespace footfall {
namespace {

using namespace drawing;
using NodeKind = DiagramLevel::Node::Kind;

std::string lastName(const std::string& path) {
  const auto dot = path.rfind('.');
  return dot == std::string::npos ? path : path.substr(dot + 1);
}

std::string below(const std::string& path, const std::string& name) { return path.empty() ? name : path + "." + name; }

std::string nameOfRow(const BlockInterface& interface, const OutputRow& row) {
  const std::string& port = interface.outputs[row.port].name;
  return row.field.empty() ? port : port + "." + row.field;
}

/// Rows of the ports at one side of a block. Folded ones share a row below all that have one of their own.
class PortRows {
 public:
  explicit PortRows(bool fold_idle) : fold_idle_(fold_idle) {}

  void add(const std::string& name, bool connected) {
    const bool folded = fold_idle_ && !connected;
    rows_.push_back(folded ? kFolded : named_++);
    if (folded) ++folded_;
    width_ = std::max(width_, textWidth(folded ? kManyIdle : name, kSmallSize));
  }

  int named() const { return named_; }
  /// Rows that this side takes when the block has so many with a port of their own.
  int count(int named) const { return folded_ > 0 ? named + 1 : named_; }
  double width() const { return width_; }  ///< [px]

  /// Of each port below the upper edge [px].
  std::vector<double> places(int named) const {
    std::vector<double> places;
    for (const int row : rows_) places.push_back(kHeader + kRow * ((row == kFolded ? named : row) + 0.5));
    return places;
  }

 private:
  static constexpr int kFolded = -1;
  static constexpr const char* kManyIdle = "+ 99 idle";

  bool fold_idle_;
  std::vector<int> rows_;
  int named_ = 0, folded_ = 0;
  double width_ = 0.0;
};

/// Builds one level: who is in it, how large they are, and which nets connect them.
class LevelBuilder {
 public:
  LevelBuilder(const Diagram& diagram, const std::vector<DiagramNet>& nets, const std::string& path,
               const DrawingRoom& room)
      : diagram_(diagram), nets_(nets), room_(room), level_(std::make_unique<DiagramLevel>()) {
    level_->path = path;
  }

  std::unique_ptr<DiagramLevel> build() {
    for (int block = 0; block < static_cast<int>(diagram_.blocks().size()); ++block) addMember(block);
    for (int net = 0; net < static_cast<int>(nets_.size()); ++net) addNet(net);
    layOut(level_->graph);
    return std::move(level_);
  }

 private:
  /// The node of this level that a block is, or lies in; −1: it lies outside.
  int nodeOf(int block) const {
    if (block < 0) return -1;
    const auto found = node_of_.find(childOf(block));
    return found == node_of_.end() ? -1 : found->second;
  }

  /// Name of the block or sub-diagram of this level that a block is or lies in; empty: it lies outside.
  std::string childOf(int block) const {
    const std::string& path = diagram_.blocks()[block].path;
    const std::string prefix = level_->path.empty() ? "" : level_->path + ".";
    if (path.rfind(prefix, 0) != 0) return "";
    const auto dot = path.find('.', prefix.size());
    return path.substr(prefix.size(), dot == std::string::npos ? dot : dot - prefix.size());
  }

  void addMember(int block) {
    const std::string child = childOf(block);
    if (child.empty() || node_of_.count(child) != 0) return;
    node_of_[child] = static_cast<int>(level_->nodes.size());
    if (below(level_->path, child) == diagram_.blocks()[block].path)
      addBlock(block);
    else
      addInside(child);
  }

  void addBlock(int block) {
    const Diagram::BlockInfo& info = diagram_.blocks()[block];
    const std::vector<OutputRow> rows = outputRows(diagram_, nets_, block);
    LayoutNode node;
    PortRows left(room_.fold_idle), right(room_.fold_idle);
    for (int k = 0; k < static_cast<int>(info.interface.inputs.size()); ++k)
      left.add(info.interface.inputs[k].name, hasSource(diagram_, block, k));
    for (const OutputRow& row : rows) right.add(nameOfRow(info.interface, row), row.used);
    const int named = std::max(left.named(), right.named()), all = std::max(left.count(named), right.count(named));
    node.inputs = left.places(named);
    node.outputs = right.places(named);
    const double header =
        std::max(textWidth(lastName(info.path), kNameSize) + room_.block,
                 textWidth(kindText(info.kind, info.condition) + "  " + shortText(info.sample_time), kSmallSize) + 8.0);
    node.width = std::max({header, left.width() + right.width() + 14.0, 64.0}) + 20.0;
    node.height = kHeader + kRow * static_cast<double>(all) + 6.0;
    node.stretch = true;
    level_->graph.nodes.push_back(std::move(node));
    level_->nodes.push_back({NodeKind::block, block, lastName(info.path)});
  }

  void addInside(const std::string& child) {
    auto inside = layOutLevel(diagram_, nets_, below(level_->path, child), room_);
    LayoutNode node;
    const Diagram::SubdiagramInfo& info = subdiagramAt(diagram_, inside->path);
    const double kind = textWidth(kindText(info.kind, info.condition), kSmallSize);
    node.width = std::max(inside->graph.width, textWidth(child, kNameSize) + std::max(120.0, kind + 36.0));
    node.height = inside->graph.height + kFrameHeader + 2.0 * kFramePad;
    // Pins on the right border stay there when the title is what makes the frame wide.
    const double spare = node.width - inside->graph.width;
    for (std::size_t k = 0; k < inside->nodes.size(); ++k) {
      LayoutNode& pin = inside->graph.nodes[k];
      const double y = kFrameHeader + kFramePad + pin.y + 0.5 * pin.height;
      if (inside->nodes[k].kind == NodeKind::input) node.inputs.push_back(y);
      if (inside->nodes[k].kind != NodeKind::output) continue;
      node.outputs.push_back(y);
      pin.width += spare;
    }
    level_->graph.nodes.push_back(std::move(node));
    level_->nodes.push_back({NodeKind::inside, 0, child});
    level_->insides[child] = std::move(inside);
  }

  int addPin(NodeKind kind, int net, const std::string& name) {
    LayoutNode node;
    node.width = textWidth(name, kSmallSize) + 16.0;
    node.height = kRow;
    (kind == NodeKind::input ? node.outputs : node.inputs).push_back(0.5 * kRow);
    node.place = kind == NodeKind::input ? LayoutNode::Place::first : LayoutNode::Place::last;
    level_->graph.nodes.push_back(std::move(node));
    level_->nodes.push_back({kind, net, name});
    return static_cast<int>(level_->nodes.size()) - 1;
  }

  std::string sourceName(const DiagramNet& net) const {
    if (!net.field.empty()) return lastName(net.field);
    return net.block < 0 ? diagram_.inputs()[net.port].name
                         : diagram_.blocks()[net.block].interface.outputs[net.port].name;
  }

  /// What the readers inside or outside of this level call it, when they agree on something that says more than "in".
  std::string readersName(const DiagramNet& net, bool inside) const {
    std::string name;
    for (const DiagramNet::Reader& reader : net.readers) {
      if (reader.block < 0 || (nodeOf(reader.block) >= 0) != inside) continue;
      const std::string& port = diagram_.blocks()[reader.block].interface.inputs[reader.port].name;
      if (name.empty()) name = port;
      if (name != port || name == "in") return "";
    }
    return name;
  }

  std::string inputPinName(const DiagramNet& net) const {
    const std::string name = level_->path.empty() ? "" : readersName(net, true);
    return name.empty() ? sourceName(net) : name;
  }

  std::string outputPinName(const DiagramNet& net) const {
    if (level_->path.empty())
      for (const DiagramNet::Reader& reader : net.readers)
        if (reader.block < 0) return diagram_.outputs()[reader.port].name;
    const std::string source = sourceName(net), readers = readersName(net, false);
    return source == "out" && !readers.empty() ? readers : source;
  }

  /// Number of the port of a node at which a net enters.
  int inputPort(int node, int net, const DiagramNet::Reader& reader) const {
    const DiagramLevel::Node& owner = level_->nodes[node];
    return owner.kind == NodeKind::block ? reader.port : level_->insides.at(owner.name)->pin(NodeKind::input, net);
  }

  int outputPort(int node, int number) const {
    const DiagramLevel::Node& owner = level_->nodes[node];
    if (owner.kind == NodeKind::inside) return level_->insides.at(owner.name)->pin(NodeKind::output, number);
    const std::vector<OutputRow> rows = outputRows(diagram_, nets_, owner.number);
    for (int k = 0; k < static_cast<int>(rows.size()); ++k)
      if (rows[k].port == nets_[number].port && rows[k].field == nets_[number].field) return k;
    return 0;
  }

  void addNet(int number) {
    const DiagramNet& net = nets_[number];
    const int source = nodeOf(net.block);
    LayoutNet drawn;
    bool leaves = false;
    for (const DiagramNet::Reader& reader : net.readers) {
      const int node = nodeOf(reader.block);
      if (node < 0) {
        leaves = true;
        continue;
      }
      if (node == source && level_->nodes[node].kind == NodeKind::inside) continue;  // stays in there
      const int port = inputPort(node, number, reader);
      const bool known = std::any_of(drawn.targets.begin(), drawn.targets.end(),
                                     [&](const auto& t) { return t.node == node && t.port == port; });
      if (!known) drawn.targets.push_back({node, port, false, {}});
    }
    if (source < 0 && drawn.targets.empty()) return;  // passes by outside
    if (source >= 0 && leaves)
      drawn.targets.push_back({addPin(NodeKind::output, number, outputPinName(net)), 0, false, {}});
    if (drawn.targets.empty()) return;
    drawn.node = source >= 0 ? source : addPin(NodeKind::input, number, inputPinName(net));
    drawn.port = source >= 0 ? outputPort(source, number) : 0;
    const bool labelled = source >= 0 ? level_->nodes[source].kind == NodeKind::block : level_->path.empty();
    const std::string label = labelled ? labelOf(diagram_, net) : "";
    drawn.label_width =
        std::max(label.empty() ? 0.0 : textWidth(label, kSmallSize) + 10.0, labelled ? room_.line : 0.0);
    level_->graph.nets.push_back(std::move(drawn));
    level_->nets.push_back(number);
  }

  const Diagram& diagram_;
  const std::vector<DiagramNet>& nets_;
  const DrawingRoom& room_;
  std::unique_ptr<DiagramLevel> level_;
  std::map<std::string, int> node_of_;  ///< by the name in this level
};

}  // namespace

std::vector<DiagramNet> netsOf(const Diagram& diagram) {
  std::vector<DiagramNet> nets;
  std::map<std::tuple<int, int, std::string>, std::size_t> known;
  for (const Diagram::Line& line : diagram.lines()) {
    const auto [place, is_new] =
        known.emplace(std::tuple(line.source_block, line.source_port, line.field), nets.size());
    if (is_new) nets.push_back({line.source_block, line.source_port, line.field, {}});
    nets[place->second].readers.push_back({line.block, line.port});
  }
  return nets;
}

std::vector<OutputRow> outputRows(const Diagram& diagram, const std::vector<DiagramNet>& nets, int block) {
  std::vector<OutputRow> rows;
  const auto& outputs = diagram.blocks()[block].interface.outputs;
  for (int port = 0; port < static_cast<int>(outputs.size()); ++port) {
    bool whole = false;
    std::vector<std::string> fields;
    for (const DiagramNet& net : nets) {
      if (net.block != block || net.port != port) continue;
      if (net.field.empty())
        whole = true;
      else
        fields.push_back(net.field);
    }
    if (whole || fields.empty()) rows.push_back({port, "", whole});
    for (const std::string& field : fields) rows.push_back({port, field, true});
  }
  return rows;
}

int DiagramLevel::pin(Node::Kind kind, int net) const {
  int number = 0;
  for (const Node& node : nodes) {
    if (node.kind != kind) continue;
    if (node.number == net) return number;
    ++number;
  }
  return -1;
}

std::unique_ptr<DiagramLevel> layOutLevel(const Diagram& diagram, const std::vector<DiagramNet>& nets,
                                          const std::string& path, const DrawingRoom& room) {
  return LevelBuilder(diagram, nets, path, room).build();
}

bool hasSource(const Diagram& diagram, int block, int port) {
  return std::any_of(diagram.lines().begin(), diagram.lines().end(),
                     [=](const Diagram::Line& line) { return line.block == block && line.port == port; });
}

std::string kindText(const std::string& kind, const std::string& condition) {
  return condition.empty() ? kind : kind + ", " + condition;
}

const Diagram::SubdiagramInfo& subdiagramAt(const Diagram& diagram, const std::string& path) {
  return *std::find_if(diagram.subdiagrams().begin(), diagram.subdiagrams().end(),
                       [&](const Diagram::SubdiagramInfo& info) { return info.path == path; });
}

std::string labelOf(const Diagram& diagram, const DiagramNet& net) {
  const SignalType& whole =
      net.block < 0 ? diagram.inputs()[net.port].type : diagram.blocks()[net.block].interface.outputs[net.port].type;
  return shortText(findField(whole, net.field).type);
}

}  // namespace footfall
