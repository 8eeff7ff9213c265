#include <stdexcept>

#include "footfall/plugin.hpp"

class Faulty : public footfall::ContactModel {
 public:
  explicit Faulty(const footfall::ContactSettings&) {}
  std::string_view name() const override { return "faulty"; }
  void reserve(int) override {}
  void solve(const footfall::ContactStepInputs&, footfall::ContactSolver&, footfall::ContactSolution&) override {
    throw std::runtime_error("no stiffness is known");
  }
};

FOOTFALL_CONTACT_MODEL(Faulty)
