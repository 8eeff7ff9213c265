#include "footfall/block/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <tuple>

#include "block/watched_block.hpp"
#include "footfall/base/error.hpp"
#include "footfall/base/plugin.hpp"
#include "footfall/base/suggest.hpp"

namespace footfall {
namespace {

/// Parameters that every block has; the diagram reads them.
bool isCommon(const std::string& name) { return name == "sample" || name == "offset"; }

}  // namespace

void BlockRegistry::add(BlockDescription description, Maker make) {
  if (find(description.name) != nullptr)
    throw Error("", fmt::format("there is a block '{}' already", description.name));
  kinds_.push_back({std::move(description), std::move(make), {}, {}, false});
}

void BlockRegistry::addSubdiagram(BlockDescription description, Filler fill) {
  if (find(description.name) != nullptr)
    throw Error("", fmt::format("there is a block '{}' already", description.name));
  kinds_.push_back({std::move(description), {}, std::move(fill), {}, false});
}

const BlockRegistry::Kind* BlockRegistry::find(const std::string& name) const {
  for (const Kind& kind : kinds_)
    if (kind.description.name == name) return &kind;
  if (const auto found = found_.find(name); found != found_.end()) return &found->second;
  Maker make = finder_ ? finder_(name) : Maker();
  if (!make) return nullptr;
  BlockDescription description;
  description.name = name;
  return &found_.emplace(name, Kind{std::move(description), std::move(make), {}, {}, true}).first->second;
}

const BlockRegistry::Kind& BlockRegistry::get(const std::string& name, const std::string& where) const {
  if (const Kind* kind = find(name)) return *kind;
  std::vector<std::string> names;
  for (const Kind& kind : kinds_) names.push_back(kind.description.name);
  std::string hint = name.starts_with("python:")
                         ? "blocks that are written in Python run in Python: footfall.Diagram.load()"
                         : suggestOrList(name, names);
  for (const std::string& problem : problems_) hint += "\n        " + problem;
  throw Error(where, fmt::format("there is no kind of block '{}'", name), hint);
}

std::vector<const BlockRegistry::Kind*> BlockRegistry::kinds() const {
  std::vector<const Kind*> sorted;
  for (const Kind& kind : kinds_) sorted.push_back(&kind);
  std::sort(sorted.begin(), sorted.end(), [](const Kind* a, const Kind* b) {
    return std::tie(a->description.category, a->description.name) <
           std::tie(b->description.category, b->description.name);
  });
  return sorted;
}

void BlockRegistry::checkParameters(const Kind& kind, const Parameters& parameters) const {
  if (kind.any_parameters) return;
  std::vector<std::string> known;
  for (const ParameterDescription& parameter : kind.description.parameters) known.push_back(parameter.name);
  for (const std::string& name : parameters.names())  // first: what is missing may be what is misspelt
    if (!isCommon(name) && std::find(known.begin(), known.end(), name) == known.end())
      throw parameters.error(name, fmt::format("is not one of '{}'", kind.description.name),
                             known.empty() ? "it has no parameters" : suggestOrList(name, known));
  for (const ParameterDescription& parameter : kind.description.parameters)
    if (parameter.required && !parameters.has(parameter.name))
      throw parameters.error(parameter.name, "is missing", parameter.help);
}

namespace {

/// What a block says about a file or about nothing in particular, with the place where the block stands.
Error atBlock(const Error& error, const Parameters& parameters) {
  // "scene.yaml:" of "scene.yaml:12"; a place without lines is meant as a whole.
  const std::size_t colon = parameters.where.rfind(':');
  const std::string file = colon == std::string::npos ? parameters.where : parameters.where.substr(0, colon + 1);
  if (file.empty() || error.where().starts_with(file)) return error;
  const std::string about = error.where().empty() ? "" : error.where() + ": ";
  return {parameters.where, fmt::format("block {}: {}{}", parameters.block, about, error.problem()), error.hint()};
}

}  // namespace

std::unique_ptr<Block> BlockRegistry::make(const std::string& name, const Parameters& parameters) const {
  Parameters named = parameters;
  if (named.block.empty()) named.block = fmt::format("({})", name);
  const Kind& kind = get(name, named.where);
  if (!kind.make)
    throw Error(named.where, fmt::format("'{}' is a sub-diagram, not a block", name),
                "DiagramBuilder::add() takes both");
  checkParameters(kind, named);
  try {
    if (kind.from.empty()) return kind.make(named);
    const auto fault = [&](const std::string& problem) { return blockFault(named, kind.from, problem); };
    return watchBlock(callPlugin([&] { return kind.make(named); }, fault), named, kind.from);
  } catch (const Error& error) {
    throw atBlock(error, named);
  }
}

void BlockRegistry::loadPlugins() {
  using AddBlocks = void (*)(BlockRegistry&);
  for (const PluginInfo& plugin : findPlugins()) {
    if (plugin.kind != "block") continue;
    if (!plugin.problem.empty()) {
      problems_.push_back(fmt::format("{}: {}", plugin.path, plugin.problem));
      continue;
    }
    // A plug-in that fails half-way leaves nothing behind.
    BlockRegistry brought;
    try {
      reinterpret_cast<AddBlocks>(pluginSymbol("block", plugin.name, "footfall_add_blocks"))(brought);
      for (const Kind& kind : brought.kinds_)
        if (find(kind.description.name) != nullptr)
          throw Error(plugin.path, fmt::format("there is a block '{}' already", kind.description.name));
    } catch (const std::exception& problem) {
      problems_.push_back(fmt::format("{}: {}", plugin.path, problem.what()));
      continue;
    } catch (...) {
      problems_.push_back(fmt::format("{}: it threw something that is no std::exception", plugin.path));
      continue;
    }
    for (Kind& kind : brought.kinds_) {
      kind.from = plugin.path;
      kinds_.push_back(std::move(kind));
    }
  }
}

}  // namespace footfall
