#include <fmt/format.h>

#include "block_library/groups.hpp"
#include "block_library/shapes.hpp"
#include "footfall/base/error.hpp"
#include "footfall/solver/dense_qp.hpp"

namespace footfall {
namespace {

enum Input { kH, kG, kA, kLower, kUpper };
enum Output { kX, kSolved, kStatus, kMultipliers };

struct QpScratch : BlockScratch {
  DenseQp qp;
  MatrixXd no_rows;  ///< 0 × n, for a problem without constraints
  VectorXd no_bounds;
};

/// States, when it holds: the last x that was a solution.
class QuadraticProgram : public Block {
 public:
  explicit QuadraticProgram(const Parameters& p)
      : on_failure_(p.has("on_failure") ? p.choice("on_failure", {"stop", "hold", "zero"}) : "stop"),
        unit_(p.text("unit", "")) {}
  static BlockDescription description() {
    return {"QuadraticProgram",
            "control",
            "the best x within constraints: min ½ xᵀ H x + gᵀ x such that lower ≤ A x ≤ upper",
            {{"on_failure", "what happens without a solution: `stop` the run, `hold` the last x, or give `zero`",
              "stop", "", false},
             unitDescription()},
            {{"H", "matrix of n × n, positive semidefinite; its lower triangle is read"},
             {"g", "vector of n"},
             {"A", "matrix of m × n; may stay unconnected, like its bounds: no constraints"},
             {"lower", "vector of m; −infinity: no bound"},
             {"upper", "vector of m; equal to lower: an equation"}},
            {{"x", "vector of n"},
             {"solved", "boolean"},
             {"status", "0 solved, 1 infeasible, 2 unbounded, 3 iteration limit, 4 not convex, 5 not finite"},
             {"multipliers", "vector of m: > 0 at an upper bound, < 0 at a lower one"}},
            "Dense dual active-set method: exact, and without a warm start, so that it remembers nothing."};
  }
  void declare(BlockInterface& io) const override {
    io.input("H", SignalType::matrix());
    io.input("g", SignalType::vector());
    io.optionalInput("A", SignalType::matrix());
    io.optionalInput("lower", SignalType::vector());
    io.optionalInput("upper", SignalType::vector());
    io.output("x", SignalType::vector(-1, unit_));
    io.output("solved", SignalType::boolean());
    io.output("status", SignalType::scalar("-"));
    io.output("multipliers", SignalType::vector());
  }
  void inferTypes(TypeInference& types) const override {
    if (types.connected(kA) != types.connected(kLower) || types.connected(kA) != types.connected(kUpper))
      throw Error("", "only some of 'A', 'lower' and 'upper' are connected, expected all or none");
    const SignalType &H = types.input(kH), &g = types.input(kG), &A = types.input(kA);
    if (!g.complete()) return;
    const int n = g.size(), m = types.connected(kA) ? A.rows : 0;
    types.setOutput(kX, SignalType::vector(n, unit_));
    requireShape("H", H, n, n);
    if (!types.connected(kA)) {
      types.setOutput(kMultipliers, SignalType::vector(0));
    } else if (A.complete()) {
      requireShape("A", A, m, n);
      requireShape("lower", types.input(kLower), m, 1);
      requireShape("upper", types.input(kUpper), m, 1);
      types.setOutput(kMultipliers, SignalType::vector(m));
    }
    if (on_failure_ == "hold") types.setDiscreteStates(n);
  }
  std::unique_ptr<BlockScratch> makeScratch() const override { return std::make_unique<QpScratch>(); }

  void outputs(Evaluation& e) const override {
    auto& scratch = e.scratch<QpScratch>();
    const DenseQpSolution& solution = solve(e, scratch);
    const bool solved = solution.status == QpStatus::solved;
    e.set(kSolved, solved);
    e.set(kStatus, static_cast<double>(solution.status));
    e.outVector(kMultipliers) = solution.y;
    e.outVector(kX) = solution.x;
    if (!solved && on_failure_ == "hold") e.outVector(kX) = e.discrete();
    if (!solved && on_failure_ == "stop")
      e.stop(fmt::format("a quadratic program of {} variables and {} constraints is {}", solution.x.size(),
                         solution.y.size(), name(solution.status)));
  }
  void update(Evaluation& e) const override {
    if (on_failure_ == "hold") e.discrete() = e.outVector(kX);
  }

 private:
  static void requireShape(const char* what, const SignalType& type, int rows, int columns) {
    if (!type.complete() || (type.rows == rows && type.columns == columns)) return;
    throw Error("", fmt::format("'{}' is a {}, expected {} × {}", what, type.describe(), rows, columns));
  }
  static const DenseQpSolution& solve(Evaluation& e, QpScratch& scratch) {
    const auto g = e.vector(kG);
    const Eigen::Map<const MatrixXd> H(e.in(kH).data(), g.size(), g.size());
    if (!e.connected(kA)) {
      scratch.no_rows.resize(0, g.size());
      return scratch.qp.solve(H, g, scratch.no_rows, scratch.no_bounds, scratch.no_bounds);
    }
    const Eigen::Map<const MatrixXd> A(e.in(kA).data(), e.inputType(kA).rows, g.size());
    return scratch.qp.solve(H, g, A, e.vector(kLower), e.vector(kUpper));
  }
  std::string on_failure_, unit_;
};

}  // namespace

void addQuadraticProgram(BlockRegistry& registry) { registry.add<QuadraticProgram>(); }

}  // namespace footfall
