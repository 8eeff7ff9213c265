#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "block_library/groups.hpp"
#include "footfall/base/error.hpp"

namespace footfall {
namespace {

constexpr const char* kCategory = "signals";

std::vector<std::string> fieldNames(const Parameters& p) {
  const std::vector<std::string> names = p.texts("fields");
  if (names.empty()) throw p.error("fields", "is empty, expected at least one name");
  std::set<std::string> seen;
  for (const std::string& name : names)
    if (!seen.insert(name).second) throw p.error("fields", fmt::format("has '{}' twice", name));
  return names;
}

class BusCreate : public Block {
 public:
  explicit BusCreate(const Parameters& p) : names_(fieldNames(p)) {}
  static BlockDescription description() {
    return {"BusCreate",
            kCategory,
            "makes a bus of signals",
            {{"fields", "names of its fields", "", "", true}},
            {{"one per field", "any signal"}},
            {{"out", "bus"}},
            ""};
  }
  void declare(BlockInterface& io) const override {
    for (const std::string& name : names_) io.input(name);
    io.output("out", SignalType::bus({}));
  }
  void inferTypes(TypeInference& types) const override {
    std::vector<BusField> fields;
    for (std::size_t k = 0; k < names_.size(); ++k) {
      const SignalType& type = types.input(static_cast<int>(k));
      if (!type.complete()) return;
      fields.push_back({names_[k], type});
    }
    types.setOutput(0, SignalType::bus(std::move(fields)));
  }
  void outputs(Evaluation& e) const override {
    auto out = e.out(0).begin();
    for (int k = 0; k < static_cast<int>(names_.size()); ++k) out = std::copy(e.in(k).begin(), e.in(k).end(), out);
  }

 private:
  std::vector<std::string> names_;
};

/// Where fields lie in a bus; looked up once, when the types are known.
struct FieldOffsets : BlockScratch {
  std::vector<int> offsets;

  void find(const SignalType& bus, const std::vector<std::string>& names) {
    if (!offsets.empty()) return;
    for (const std::string& name : names) offsets.push_back(findField(bus, name).offset);
  }
};

class BusSelect : public Block {
 public:
  explicit BusSelect(const Parameters& p) : names_(fieldNames(p)) {
    std::set<std::string> seen;
    for (const std::string& name : names_) {
      std::string port = name.substr(name.rfind('.') + 1);
      if (!seen.insert(port).second) {
        port = name;
        std::replace(port.begin(), port.end(), '.', '_');
      }
      ports_.push_back(port);
    }
  }
  static BlockDescription description() {
    return {"BusSelect",
            kCategory,
            "takes fields out of a bus",
            {{"fields", "names; a dot goes into a bus inside: \"state.position\"", "", "", true}},
            {{"in", "bus"}},
            {{"one per field", "called like the last part of its name"}},
            "A line may also begin at a field: \"block.port.field\"."};
  }
  void declare(BlockInterface& io) const override {
    io.input("in", SignalType::bus({}));
    for (const std::string& port : ports_) io.output(port, SignalType::any());
  }
  void inferTypes(TypeInference& types) const override {
    if (!types.input(0).complete()) return;
    for (std::size_t k = 0; k < names_.size(); ++k)
      types.setOutput(static_cast<int>(k), findField(types.input(0), names_[k]).type);
  }
  std::unique_ptr<BlockScratch> makeScratch() const override { return std::make_unique<FieldOffsets>(); }
  void outputs(Evaluation& e) const override {
    auto& scratch = e.scratch<FieldOffsets>();
    scratch.find(e.inputType(0), names_);
    for (std::size_t k = 0; k < names_.size(); ++k) {
      const auto out = e.out(static_cast<int>(k));
      std::copy_n(e.in(0).begin() + scratch.offsets[k], out.size(), out.begin());
    }
  }

 private:
  std::vector<std::string> names_, ports_;
};

class BusAssign : public Block {
 public:
  explicit BusAssign(const Parameters& p) : names_(fieldNames(p)) {}
  static BlockDescription description() {
    return {"BusAssign",
            kCategory,
            "replaces fields of a bus",
            {{"fields", "names; a dot goes into a bus inside", "", "", true}},
            {{"bus", "bus"}, {"one per field", "of the type that the field has; dots become _"}},
            {{"out", "bus of the same type"}},
            ""};
  }
  void declare(BlockInterface& io) const override {
    io.input("bus", SignalType::bus({}));
    for (std::string name : names_) {
      std::replace(name.begin(), name.end(), '.', '_');
      io.input(name);
    }
    io.outputLike("out", 0);
  }
  void inferTypes(TypeInference& types) const override {
    if (!types.input(0).complete()) return;
    for (std::size_t k = 0; k < names_.size(); ++k) {
      const SignalType& given = types.input(static_cast<int>(k) + 1);
      const SignalType wanted = findField(types.input(0), names_[k]).type;
      const std::string problem = given.complete() ? mismatch(given, wanted) : "";
      if (!problem.empty()) throw Error("", fmt::format("field '{}': {}", names_[k], problem));
    }
  }
  std::unique_ptr<BlockScratch> makeScratch() const override { return std::make_unique<FieldOffsets>(); }
  void outputs(Evaluation& e) const override {
    auto& scratch = e.scratch<FieldOffsets>();
    scratch.find(e.inputType(0), names_);
    const auto out = e.out(0);
    std::copy(e.in(0).begin(), e.in(0).end(), out.begin());
    for (std::size_t k = 0; k < names_.size(); ++k) {
      const auto value = e.in(static_cast<int>(k) + 1);
      std::copy(value.begin(), value.end(), out.begin() + scratch.offsets[k]);
    }
  }

 private:
  std::vector<std::string> names_;
};

}  // namespace

void addBuses(BlockRegistry& registry) {
  registry.add<BusCreate>();
  registry.add<BusSelect>();
  registry.add<BusAssign>();
}

}  // namespace footfall
