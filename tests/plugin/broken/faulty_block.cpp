// Throws where its parameter says.
#include <stdexcept>

#include "footfall/block.hpp"

class FaultyBlock : public footfall::Block {
 public:
  explicit FaultyBlock(const footfall::Parameters& p) : where_(p.text("where")) {
    if (where_ == "constructor") throw std::runtime_error("no such device");
  }
  static footfall::BlockDescription description() {
    return {"FaultyBlock",         "tests", "throws", {{"where", "constructor …", "", "", true}}, {},
            {{"out", "a number"}}, ""};
  }
  void declare(footfall::BlockInterface& io) const override {
    if (where_ == "declare") throw std::runtime_error("no such port");
    io.output("out", footfall::SignalType::scalar());
  }
  void initialize(footfall::Evaluation&) const override {
    if (where_ == "initialize") throw 42;
  }
  void outputs(footfall::Evaluation& e) const override {
    if (where_ == "outputs") throw std::runtime_error("the line is dead");
    if (where_ == "number") throw 42;
    e.set(0, 1.0);
  }

 private:
  std::string where_;
};

FOOTFALL_BLOCK(FaultyBlock)
