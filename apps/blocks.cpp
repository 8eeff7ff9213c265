#include <fmt/format.h>

#include <algorithm>

#include "footfall/diagram/all_blocks.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace footfall::command {
namespace {

using Kind = BlockRegistry::Kind;

/// How far apart the columns of a list begin.
template <class List>
std::size_t widest(const List& list) {
  std::size_t width = 0;
  for (const auto& item : list) width = std::max(width, item.name.size());
  return width;
}

void listBlocks(const BlockRegistry& registry) {
  std::size_t width = 0;
  for (const Kind* kind : registry.kinds()) width = std::max(width, kind->description.name.size());
  std::string category;
  for (const Kind* kind : registry.kinds()) {
    if (kind->description.category != category) {
      fmt::print("{}{}\n", category.empty() ? "" : "\n", kind->description.category);
      category = kind->description.category;
    }
    fmt::print("  {:<{}}  {}{}\n", kind->description.name, width, kind->description.summary,
               kind->from.empty() ? "" : "  (" + kind->from + ")");
  }
  fmt::print("\n{} kinds of blocks; `footfall blocks NAME` documents one, docs/diagrams.md shows how to use them\n",
             registry.kinds().size());
}

std::string defaultText(const ParameterDescription& parameter) {
  if (parameter.required) return "must be given";
  return parameter.fallback.empty() ? "may be left out" : "default: " + parameter.fallback;
}

std::string withUnit(const ParameterDescription& parameter) {
  return parameter.unit.empty() ? parameter.help : parameter.help + " [" + parameter.unit + "]";
}

void printPorts(const char* title, const std::vector<PortDescription>& ports) {
  if (ports.empty()) return;
  fmt::print("\n{}\n", title);
  for (const PortDescription& port : ports) fmt::print("  {:<{}}  {}\n", port.name, widest(ports), port.help);
}

/// Lines of a text, each with the same indent.
std::string indented(const std::string& text, const std::string& indent) {
  std::string result = indent;
  for (const char c : text) result += c == '\n' ? "\n" + indent : std::string(1, c);
  return result;
}

void documentBlock(const Kind& kind) {
  const BlockDescription& d = kind.description;
  fmt::print("{} ({}{})\n  {}\n", d.name, d.category, kind.fill ? ", a sub-diagram" : "", d.summary);
  if (!kind.from.empty()) fmt::print("  from {}\n", kind.from);
  if (!d.details.empty()) fmt::print("\n{}\n", indented(d.details, "  "));
  if (!d.parameters.empty()) {
    fmt::print("\nParameters\n");
    std::size_t help_width = 0;
    for (const ParameterDescription& p : d.parameters) help_width = std::max(help_width, withUnit(p).size());
    for (const ParameterDescription& p : d.parameters)
      fmt::print("  {:<{}}  {:<{}}  {}\n", p.name, widest(d.parameters), withUnit(p),
                 std::min<std::size_t>(help_width, 70), defaultText(p));
  }
  printPorts("Inputs", d.inputs);
  printPorts("Outputs", d.outputs);
  std::string needed;
  for (const ParameterDescription& p : d.parameters)
    if (p.required) needed += ", " + p.name + ": …";
  std::string name = d.name;
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  fmt::print("\nIn a diagram\n  {}: {{block: {}{}}}\n", name, d.name, needed);
}

std::string escapedForTable(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '|' ? "\\|" : std::string(1, c);
  return result;
}

void printMarkdownTable(const char* title, const std::vector<PortDescription>& ports) {
  if (ports.empty()) return;
  fmt::print("\n| {} | |\n|---|---|\n", title);
  for (const PortDescription& port : ports) fmt::print("| `{}` | {} |\n", port.name, escapedForTable(port.help));
}

void printMarkdown(const BlockRegistry& registry) {
  fmt::print("# Blocks\n\nWritten by `footfall blocks --markdown`: each block describes itself.\n");
  std::string category;
  for (const Kind* kind : registry.kinds()) {
    const BlockDescription& d = kind->description;
    if (d.category != category) fmt::print("\n## {}\n", category = d.category);
    fmt::print("\n### {}\n\n{}\n", d.name, d.summary);
    if (!d.details.empty()) fmt::print("\n{}\n", indented(d.details, "    "));
    if (!d.parameters.empty()) {
      fmt::print("\n| parameter | | |\n|---|---|---|\n");
      for (const ParameterDescription& p : d.parameters)
        fmt::print("| `{}` | {} | {} |\n", p.name, escapedForTable(withUnit(p)), escapedForTable(defaultText(p)));
    }
    printMarkdownTable("input", d.inputs);
    printMarkdownTable("output", d.outputs);
  }
}

}  // namespace

int blocks(const std::string& name, bool markdown) {
  if (markdown) {
    printMarkdown(builtInBlocks());
    return kSuccess;
  }
  const BlockRegistry registry = allBlocks();
  if (name.empty())
    listBlocks(registry);
  else
    documentBlock(registry.get(name));
  for (const std::string& problem : registry.problems()) printWarning("a plug-in does not work: " + problem);
  return kSuccess;
}

}  // namespace footfall::command
