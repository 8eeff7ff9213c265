#include "footfall/block/diagram_review.hpp"

#include "block/flat_diagram.hpp"

namespace footfall {
namespace {

/// Of a signal or a field of it; open where that is not known.
SignalType typeOf(const FlatDiagram& diagram, const FlatSource& source) {
  const SignalType& whole = diagram.typeOf(source.block, source.port);
  if (source.field.empty() || !whole.complete()) return source.field.empty() ? whole : SignalType::any();
  try {
    return findField(whole, source.field).type;
  } catch (const Error&) {
    return SignalType::any();  // the line says so
  }
}

DiagramReview::Node nodeOf(const FlatDiagram& diagram, const FlatBlock& block) {
  DiagramReview::Node node{block.info.path, block.info.kind, {}, {}};
  const BlockInterface& io = block.info.interface;
  for (std::size_t port = 0; port < io.inputs.size(); ++port) {
    const std::optional<FlatSource>& source = block.inputs[port].source;
    const bool open = !io.inputs[port].type.complete();
    node.inputs.push_back({io.inputs[port].name, source && open ? typeOf(diagram, *source) : io.inputs[port].type,
                           io.inputs[port].optional, source.has_value()});
  }
  for (const BlockInterface::Output& output : io.outputs) node.outputs.push_back({output.name, output.type});
  return node;
}

}  // namespace

DiagramReview reviewDiagram(const DiagramBuilder& builder) {
  DiagramReview review;
  FlatDiagram diagram = flatten(builder.parts(), review.problems);
  inferTypes(diagram, review.problems);
  for (const FlatBlock& block : diagram.blocks) review.nodes.push_back(nodeOf(diagram, block));
  const std::size_t blocks = review.nodes.size();
  for (const Diagram::SubdiagramInfo& info : diagram.subdiagrams)
    review.nodes.push_back({info.path, info.kind, {}, {}});
  for (const FlatPort& port : diagram.ports) {
    DiagramReview::Node& node = review.nodes[blocks + port.subdiagram];
    const SignalType type = port.source ? typeOf(diagram, *port.source) : port.wanted;
    // What is inside may want it or not: the review says of those inputs that they are open.
    (port.input ? node.inputs : node.outputs).push_back({port.name, type, port.input, port.input && port.source});
  }
  return review;
}

}  // namespace footfall
