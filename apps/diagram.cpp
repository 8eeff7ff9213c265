#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "footfall/base/error.hpp"
#include "footfall/block_io/diagram_drawing.hpp"
#include "footfall/diagram/all_blocks.hpp"
#include "footfall/diagram/diagram_source.hpp"
#include "footfall/log/log.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace footfall::command {
namespace {

void writeText(const std::string& path, const std::string& text) {
  errno = 0;
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) throw LogError(path, fmt::format("the drawing cannot be written: {}", std::strerror(errno)));
}

std::string subtitleOf(const Diagram& diagram, const std::string& about) {
  const std::string size = fmt::format("{} blocks, {} lines, step {:.6g} ms", diagram.blocks().size(),
                                       diagram.lines().size(), 1e3 * diagram.settings().step);
  return about.empty() ? size : about + "  ·  " + size;
}

/// A drawing is one of these two, whatever a file is called.
void checkEnding(const DiagramOptions& options) {
  const char* const expected = options.json ? ".json" : ".svg";
  const std::string ending = std::filesystem::path(options.output).extension().string();
  if (!options.output.empty() && ending != expected)
    throw Error(options.output, fmt::format("drawings cannot end in '{}'", ending),
                fmt::format("choose {}", options.json ? ".json" : ".svg, or .json with --json"));
}

}  // namespace

int diagram(const DiagramOptions& options) {
  checkEnding(options);
  const BlockRegistry registry = allBlocks();
  const DiagramSource source = loadDiagramSource(options.file, options.overrides, registry);
  const DiagramDrawing drawing =
      drawDiagram(source.diagram, registry, std::filesystem::path(options.file).stem().string(),
                  subtitleOf(source.diagram, source.text.about));
  const std::string text = options.json ? toJson(drawing) : toSvg(drawing);
  if (options.output.empty()) {
    fmt::print("{}", text);
    return kSuccess;
  }
  writeText(options.output, text);
  fmt::print("Wrote {}: {} blocks, {} lines\n", options.output, source.diagram.blocks().size(),
             source.diagram.lines().size());
  return kSuccess;
}

}  // namespace footfall::command
