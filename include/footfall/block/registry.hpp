#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "footfall/base/version.hpp"
#include "footfall/block/block.hpp"

namespace footfall {

class DiagramBuilder;

struct ParameterDescription {
  std::string name;
  std::string help;      ///< one line
  std::string fallback;  ///< what it is when it is not given, as text; empty and `required`: it must be given
  std::string unit;      ///< "-" for plain numbers, empty for what is no number
  bool required = false;
  /// What its text names outside of the diagram: "file" or "plug-in"; empty: nothing. Who does not trust where a
  /// diagram comes from leaves such parameters out.
  std::string names = {};
};

struct PortDescription {
  std::string name;
  std::string help;  ///< one line, with type and unit
};

/// What a kind of block says about itself: `footfall blocks` prints it, diagrams are checked against it.
struct BlockDescription {
  std::string name;      ///< "Gain"
  std::string category;  ///< "maths"
  std::string summary;   ///< one line
  std::vector<ParameterDescription> parameters;
  std::vector<PortDescription> inputs;
  std::vector<PortDescription> outputs;
  std::string details;  ///< more lines, with formulas; may be empty
};

/// The kinds of blocks that diagrams may use, by name: those of this library, and those of plug-ins.
class BlockRegistry {
 public:
  using Maker = std::function<std::unique_ptr<Block>(const Parameters&)>;
  /// Fills the inside of a sub-diagram: its ports and contents follow from the parameters.
  using Filler = std::function<void(const Parameters&, DiagramBuilder&)>;

  struct Kind {
    BlockDescription description;
    Maker make;                   ///< empty: it is a sub-diagram
    Filler fill;                  ///< empty: it is a block
    std::string from;             ///< file of the plug-in; empty: built in
    bool any_parameters = false;  ///< it looks at its parameters itself
  };

  /// Throws Error when the name is taken.
  void add(BlockDescription description, Maker make);
  void addSubdiagram(BlockDescription description, Filler fill);

  /// A class with `static BlockDescription description()` and a constructor from `const Parameters&`.
  template <class B>
  void add() {
    add(B::description(), [](const Parameters& parameters) { return std::make_unique<B>(parameters); });
  }

  /// Is asked about names that are not in the list, such as `python:module.Class`: gives what makes such a block, which
  /// takes any parameters, or nothing.
  using Finder = std::function<Maker(const std::string& name)>;
  void setFinder(Finder finder) { finder_ = std::move(finder); }

  const Kind* find(const std::string& name) const;
  /// Throws Error with the nearest names when there is none. `where` is the place that asks.
  const Kind& get(const std::string& name, const std::string& where = {}) const;
  std::vector<const Kind*> kinds() const;  ///< by category, then name

  /// Makes a block; refuses parameters that its description does not name.
  std::unique_ptr<Block> make(const std::string& name, const Parameters& parameters) const;
  void checkParameters(const Kind& kind, const Parameters& parameters) const;

  /// Blocks of the plug-ins on FOOTFALL_PLUGIN_PATH (libfootfall_block_<name>.so). One that cannot be loaded is
  /// reported in problems() and does not disturb the others.
  void loadPlugins();
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  std::vector<Kind> kinds_;
  Finder finder_;
  mutable std::map<std::string, Kind> found_;  ///< what the finder gave
  std::vector<std::string> problems_;
};

}  // namespace footfall

/// In one source file of a plug-in: the blocks that it brings.
///
///     #include <footfall/block.hpp>
///     FOOTFALL_BLOCKS(MyController, MyFilter)
#define FOOTFALL_BLOCKS(...)                                                                                      \
  FOOTFALL_PLUGIN_IDENTITY                                                                                        \
  template <class... B>                                                                                           \
  static void footfallAddBlocks(footfall::BlockRegistry& registry) {                                              \
    (registry.add<B>(), ...);                                                                                     \
  }                                                                                                               \
  extern "C" __attribute__((visibility("default"))) void footfall_add_blocks(footfall::BlockRegistry& registry) { \
    footfallAddBlocks<__VA_ARGS__>(registry);                                                                     \
  }
/// A plug-in with a single block.
#define FOOTFALL_BLOCK(B) FOOTFALL_BLOCKS(B)
