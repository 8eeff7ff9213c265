#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "block_library/groups.hpp"
#include "block_library/shapes.hpp"
#include "footfall/base/error.hpp"

namespace footfall {
namespace {

constexpr const char* kCategory = "signals";

class Mux : public Block {
 public:
  explicit Mux(const Parameters& p) : count_(sizeParameter(p, "inputs", 2)) {}
  static BlockDescription description() {
    return {"Mux",
            kCategory,
            "puts numbers behind each other into one vector",
            {{"inputs", "how many", "2", "-", false}},
            {{"in1, in2 …", "scalars or vectors"}},
            {{"out", "vector; with their unit when all have the same one"}},
            ""};
  }
  void declare(BlockInterface& io) const override {
    for (int k = 0; k < count_; ++k) io.input(fmt::format("in{}", k + 1));
    io.output("out", SignalType::vector());
  }
  void inferTypes(TypeInference& types) const override {
    int size = 0;
    std::string unit;
    for (int k = 0; k < count_; ++k) {
      const auto type = numbersAt(types, k);
      if (!type) return;
      size += type->size();
      unit = k == 0 || type->unit == unit ? type->unit : "";
    }
    types.setOutput(0, SignalType::vector(size, unit));
  }
  void outputs(Evaluation& e) const override {
    auto out = e.out(0).begin();
    for (int k = 0; k < count_; ++k) out = std::copy(e.in(k).begin(), e.in(k).end(), out);
  }

 private:
  int count_;
};

class Demux : public Block {
 public:
  explicit Demux(const Parameters& p) : sizes_(p.vector("sizes")) {
    for (const double size : sizes_)
      if (!(size >= 1.0 && size <= 1e6) || size != std::floor(size))
        throw p.error("sizes", fmt::format("has {}, expected whole numbers above zero", size));
  }
  static BlockDescription description() {
    return {"Demux",
            kCategory,
            "cuts a vector into parts",
            {{"sizes", "of the parts: [3, 1, 2]", "", "-", true}},
            {{"in", "vector as long as the parts together"}},
            {{"out1, out2 …", "scalars or vectors"}},
            ""};
  }
  void declare(BlockInterface& io) const override {
    io.input("in", SignalType::vector(static_cast<int>(sizes_.sum())));
    for (Eigen::Index k = 0; k < sizes_.size(); ++k)
      io.output(fmt::format("out{}", k + 1), numbers(static_cast<Eigen::Index>(sizes_[k])));
  }
  void inferTypes(TypeInference& types) const override {
    const SignalType& in = types.input(0);
    for (Eigen::Index k = 0; in.complete() && k < sizes_.size(); ++k)
      types.setOutput(static_cast<int>(k), numbers(static_cast<Eigen::Index>(sizes_[k]), in.unit));
  }
  void outputs(Evaluation& e) const override {
    auto from = e.in(0).begin();
    for (int k = 0; k < static_cast<int>(sizes_.size()); ++k) {
      const auto size = static_cast<std::ptrdiff_t>(e.out(k).size());
      std::copy(from, from + size, e.out(k).begin());
      from += size;
    }
  }

 private:
  VectorXd sizes_;
};

class Select : public Block {
 public:
  explicit Select(const Parameters& p) {
    for (const double index : p.vector("indices")) {
      if (index < 0.0 || index != std::floor(index))
        throw p.error("indices", fmt::format("has {}, expected whole numbers, 0 or more", index));
      indices_.push_back(static_cast<int>(index));
    }
  }
  static BlockDescription description() {
    return {"Select",
            kCategory,
            "some elements of a vector, in any order",
            {{"indices", "of the elements, from 0; they may repeat", "", "-", true}},
            {{"in", "vector or matrix (column by column)"}},
            {{"out", "scalar, or vector as long as the list"}},
            ""};
  }
  void declare(BlockInterface& io) const override {
    io.input("in");
    io.output("out", numbers(static_cast<Eigen::Index>(indices_.size())));
  }
  void inferTypes(TypeInference& types) const override {
    const auto in = numbersAt(types, 0);
    if (!in) return;
    for (const int index : indices_)
      if (index >= in->size())
        throw Error("", fmt::format("parameter 'indices' has {}, but the input is a {}", index, in->describe()),
                    "indices count from 0");
    types.setOutput(0, numbers(static_cast<Eigen::Index>(indices_.size()), in->unit));
  }
  void outputs(Evaluation& e) const override {
    const auto in = e.in(0);
    const auto out = e.out(0);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = in[static_cast<std::size_t>(indices_[i])];
  }

 private:
  std::vector<int> indices_;
};

class Reshape : public Block {
 public:
  explicit Reshape(const Parameters& p) : rows_(p.count("rows")), columns_(sizeParameter(p, "columns", 1)) {
    sizeParameter(p, "rows", 1);
  }
  static BlockDescription description() {
    return {"Reshape",
            kCategory,
            "the same numbers as a matrix or vector of another shape",
            {{"rows", "of the output", "", "-", true}, {"columns", "of the output; 1: a vector", "1", "-", false}},
            {{"in", "as many numbers"}},
            {{"out", "vector, or matrix, filled column by column"}},
            ""};
  }
  void declare(BlockInterface& io) const override {
    io.input("in");
    io.output("out", shape(""));
  }
  void inferTypes(TypeInference& types) const override {
    const auto in = numbersAt(types, 0);
    if (!in) return;
    if (in->size() != static_cast<std::int64_t>(rows_) * columns_)
      throw Error("", fmt::format("the input is a {}, which cannot become {} × {}", in->describe(), rows_, columns_));
    types.setOutput(0, shape(in->unit));
  }
  void outputs(Evaluation& e) const override { e.outVector(0) = e.vector(0); }

 private:
  SignalType shape(const std::string& unit) const {
    return columns_ == 1 ? SignalType::vector(rows_, unit) : SignalType::matrix(rows_, columns_, unit);
  }
  int rows_, columns_;
};

class Terminator : public Block {
 public:
  explicit Terminator(const Parameters&) {}
  static BlockDescription description() {
    return {"Terminator", kCategory, "takes a signal that nobody needs", {}, {{"in", "any signal"}}, {}, ""};
  }
  void declare(BlockInterface& io) const override { io.input("in"); }
  void outputs(Evaluation&) const override {}
};

}  // namespace

void addRouting(BlockRegistry& registry) {
  registry.add<Mux>();
  registry.add<Demux>();
  registry.add<Select>();
  registry.add<Reshape>();
  registry.add<Terminator>();
}

}  // namespace footfall
