// A block in ten lines: ẋ = in − x / time_constant, out = x.
#include <footfall/block.hpp>

class LeakyIntegrator : public footfall::Block {
 public:
  explicit LeakyIntegrator(const footfall::Parameters& p) : time_constant_(p.number("time_constant", 1.0)) {}
  static footfall::BlockDescription description() {
    return {"LeakyIntegrator",
            "my blocks",
            "integrates, and forgets",
            {{"time_constant", "how long it remembers", "1", "s"}},
            {{"in", "a number"}},
            {{"out", "a number"}},
            ""};
  }
  void declare(footfall::BlockInterface& io) const override {
    io.input("in", footfall::SignalType::scalar());
    io.output("out", footfall::SignalType::scalar(), {});  // {}: depends on no input at the same instant
    io.continuous_states = 1;
    io.sample_time = footfall::SampleTime::continuous();
  }
  void outputs(footfall::Evaluation& e) const override { e.set(0, e.continuous()[0]); }
  void derivatives(footfall::Evaluation& e) const override {
    e.derivative()[0] = e.number(0) - e.continuous()[0] / time_constant_;
  }

 private:
  double time_constant_;  ///< [s]
};

FOOTFALL_BLOCK(LeakyIntegrator)
