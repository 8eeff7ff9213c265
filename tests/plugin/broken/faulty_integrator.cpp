#include <stdexcept>

#include "footfall/plugin.hpp"

class Faulty : public footfall::Integrator {
 public:
  std::string_view name() const override { return "faulty"; }
  void reserve(const footfall::Model&) override {}
  void advance(const footfall::FreeStep&, footfall::VectorXd&, footfall::VectorXd&) override {
    throw std::runtime_error("the tableau is empty");
  }
};

FOOTFALL_INTEGRATOR(Faulty)
