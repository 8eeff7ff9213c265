#include "block/watched_block.hpp"

#include <fmt/format.h>

#include <utility>

#include "footfall/base/plugin.hpp"

namespace footfall {
namespace {

class WatchedBlock : public Block {
  std::string thrown(const std::string& problem) const { return fmt::format("{} threw: {}", from_, problem); }

  /// The run adds block, place and time where it has them.
  template <class Call>
  auto watched(Call call) const {
    return callPlugin(call, [&](const std::string& problem) { return Error("", thrown(problem), kHintOfPlugin); });
  }

  /// Where nobody adds the block to what is thrown.
  template <class Call>
  auto named(Call call) const {
    return callPlugin(call, [&](const std::string& problem) {
      return Error(where_, fmt::format("block {}: {}", name_, thrown(problem)), kHintOfPlugin);
    });
  }

 public:
  WatchedBlock(std::unique_ptr<Block> inner, const Parameters& parameters, const std::string& from)
      : inner_(std::move(inner)), where_(parameters.where), name_(parameters.block), from_(from) {}

  void declare(BlockInterface& interface) const override {
    named([&] { inner_->declare(interface); });
  }

  void inferTypes(TypeInference& types) const override {
    watched([&] { inner_->inferTypes(types); });
  }
  std::unique_ptr<BlockMemory> makeMemory() const override {
    return named([&] { return inner_->makeMemory(); });
  }
  std::unique_ptr<BlockScratch> makeScratch() const override {
    return named([&] { return inner_->makeScratch(); });
  }
  void provideFunctions(Evaluation& e) const override {
    named([&] { inner_->provideFunctions(e); });
  }
  void initialize(Evaluation& e) const override {
    named([&] { inner_->initialize(e); });
  }
  void outputs(Evaluation& e) const override {
    watched([&] { inner_->outputs(e); });
  }
  void update(Evaluation& e) const override {
    watched([&] { inner_->update(e); });
  }
  void derivatives(Evaluation& e) const override {
    watched([&] { inner_->derivatives(e); });
  }
  void crossings(Evaluation& e, std::span<double> values) const override {
    named([&] { inner_->crossings(e, values); });
  }
  bool jump(Evaluation& e) const override {
    return named([&] { return inner_->jump(e); });
  }

 private:
  std::unique_ptr<Block> inner_;
  std::string where_, name_, from_;
};

}  // namespace

std::unique_ptr<Block> watchBlock(std::unique_ptr<Block> made, const Parameters& parameters, const std::string& from) {
  return std::make_unique<WatchedBlock>(std::move(made), parameters, from);
}

Error blockFault(const Parameters& parameters, const std::string& from, const std::string& problem) {
  return Error(parameters.where,
               fmt::format("block {}: {} threw while it was made: {}", parameters.block, from, problem), kHintOfPlugin);
}

}  // namespace footfall
