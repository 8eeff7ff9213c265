#include <fmt/format.h>

#include "block_library/groups.hpp"
#include "block_library/shapes.hpp"
#include "footfall/base/error.hpp"

namespace footfall {
namespace {

constexpr const char* kCategory = "maths";

Error shapesDoNotFit(const SignalType& a, const SignalType& b, const char* expected) {
  return Error("", fmt::format("its inputs are a {} and a {}, expected {}", a.describe(), b.describe(), expected));
}

class MatrixMultiply : public Block {
 public:
  explicit MatrixMultiply(const Parameters& p) : unit_(p.text("unit", "")) {}
  static BlockDescription description() {
    return {"MatrixMultiply",
            kCategory,
            "product of a matrix with a matrix or vector",
            {unitDescription()},
            {{"a", "matrix of m × n"}, {"b", "matrix of n × p, or vector of n"}},
            {{"out", "a · b: matrix of m × p, or vector of m"}},
            ""};
  }
  void declare(BlockInterface& io) const override {
    io.input("a", SignalType::matrix());
    io.input("b", SignalType::matrix());
    io.output("out", SignalType::any());
  }
  void inferTypes(TypeInference& types) const override {
    const auto a = numbersAt(types, 0), b = numbersAt(types, 1);
    if (!a || !b) return;
    if (a->columns != b->rows) throw shapesDoNotFit(*a, *b, "as many rows in b as a has columns");
    types.setOutput(0, b->columns == 1 ? numbers(a->rows, unit_) : SignalType::matrix(a->rows, b->columns, unit_));
  }
  void outputs(Evaluation& e) const override {
    const int m = e.inputType(0).rows, n = e.inputType(1).rows, p = e.inputType(1).columns;
    const Eigen::Map<const MatrixXd> a(e.in(0).data(), m, n), b(e.in(1).data(), n, p);
    Eigen::Map<MatrixXd> out(e.out(0).data(), m, p);
    // Column by column: a product of matrices would use memory of its own.
    for (Eigen::Index k = 0; k < p; ++k) out.col(k).noalias() = a * b.col(k);
  }

 private:
  std::string unit_;
};

class Transpose : public Block {
 public:
  explicit Transpose(const Parameters&) {}
  static BlockDescription description() {
    return {"Transpose",
            kCategory,
            "transpose of a matrix",
            {},
            {{"in", "matrix of m × n"}},
            {{"out", "matrix of n × m, same unit"}},
            ""};
  }
  void declare(BlockInterface& io) const override {
    io.input("in", SignalType::matrix());
    io.output("out", SignalType::matrix());
  }
  void inferTypes(TypeInference& types) const override {
    if (const auto in = numbersAt(types, 0)) types.setOutput(0, SignalType::matrix(in->columns, in->rows, in->unit));
  }
  void outputs(Evaluation& e) const override {
    const int rows = e.inputType(0).rows, columns = e.inputType(0).columns;
    Eigen::Map<MatrixXd>(e.out(0).data(), columns, rows) =
        Eigen::Map<const MatrixXd>(e.in(0).data(), rows, columns).transpose();
  }
};

class Dot : public Block {
 public:
  explicit Dot(const Parameters& p) : unit_(p.text("unit", "")) {}
  static BlockDescription description() {
    return {"Dot",
            kCategory,
            "inner product of two vectors",
            {unitDescription()},
            {{"a", "vector of n"}, {"b", "vector of n"}},
            {{"out", "a · b, scalar"}},
            ""};
  }
  void declare(BlockInterface& io) const override {
    io.input("a", SignalType::vector());
    io.input("b", SignalType::vector());
    io.output("out", SignalType::scalar(unit_));
  }
  void inferTypes(TypeInference& types) const override {
    const auto a = numbersAt(types, 0), b = numbersAt(types, 1);
    if (a && b && a->rows != b->rows) throw shapesDoNotFit(*a, *b, "vectors of one length");
  }
  void outputs(Evaluation& e) const override { e.set(0, e.vector(0).dot(e.vector(1))); }

 private:
  std::string unit_;
};

class Cross : public Block {
 public:
  explicit Cross(const Parameters& p) : unit_(p.text("unit", "")) {}
  static BlockDescription description() {
    return {"Cross",
            kCategory,
            "vector product of two vectors in space",
            {unitDescription()},
            {{"a", "vector of 3"}, {"b", "vector of 3"}},
            {{"out", "a × b, vector of 3"}},
            ""};
  }
  void declare(BlockInterface& io) const override {
    io.input("a", SignalType::vector(3));
    io.input("b", SignalType::vector(3));
    io.output("out", SignalType::vector(3, unit_));
  }
  void outputs(Evaluation& e) const override { e.outVector(0) = e.vector(0).head<3>().cross(e.vector(1).head<3>()); }

 private:
  std::string unit_;
};

class Norm : public Block {
 public:
  explicit Norm(const Parameters&) {}
  static BlockDescription description() {
    return {"Norm", kCategory, "length of a vector", {}, {{"in", "vector"}}, {{"out", "|in|, scalar, same unit"}}, ""};
  }
  void declare(BlockInterface& io) const override {
    io.input("in", SignalType::vector());
    io.output("out", SignalType::scalar());
  }
  void inferTypes(TypeInference& types) const override {
    if (const auto in = numbersAt(types, 0)) types.setOutput(0, SignalType::scalar(in->unit));
  }
  void outputs(Evaluation& e) const override { e.set(0, e.vector(0).norm()); }
};

}  // namespace

void addLinearAlgebra(BlockRegistry& registry) {
  registry.add<MatrixMultiply>();
  registry.add<Transpose>();
  registry.add<Dot>();
  registry.add<Cross>();
  registry.add<Norm>();
}

}  // namespace footfall
