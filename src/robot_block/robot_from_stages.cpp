#include "footfall/block/diagram.hpp"
#include "robot_block/stage_blocks.hpp"

namespace footfall {
namespace {

BlockDescription describeRobotFromStages() {
  return {"RobotFromStages",
          "robot stages",
          "the robot as a sub-diagram of its stages: look inside, and rewire it",
          {{"inputs", "which of torque, springs, wrenches and generalized_wrench are ports", "[torque]", "", false}},
          {{"<input>", "as those of Robot, where `inputs` names them"}},
          {{"q", "at the start of the step; vector of 7 + n"},
           {"nu", "at the start of the step; vector of 6 + n"},
           {"wrenches", "of the ground on each frame with contacts, in its axes"},
           {"step", "function port for sensors (footfall::RobotStep)"}},
          "Gives the same bits as Robot."};
}

void fillRobotFromStages(const BlockRegistry& registry, const Parameters& parameters, DiagramBuilder& inside) {
  Parameters same;
  same.environment = parameters.environment;
  for (const auto& [name, kind] :
       {std::pair{"state", "RobotState"}, std::pair{"dynamics", "DynamicsTerms"},
        std::pair{"contacts", "ContactDetection"}, std::pair{"impact", "Impact"}, std::pair{"free", "FreeVelocity"},
        std::pair{"solver", "ContactSolver"}, std::pair{"integrator", "StateIntegrator"}})
    inside.add(name, registry, kind, same);
  for (const char* signal : {"q", "nu", "warm_start", "time"})
    inside.connect(std::string("state.") + signal, std::string("dynamics.") + signal);
  for (const char* stage : {"contacts", "impact", "free", "solver", "integrator"})
    inside.connect("dynamics.session", std::string(stage) + ".session");
  inside.connect("contacts.contacts", "impact.contacts");
  for (const char* stage : {"free", "solver", "integrator"}) inside.connect("impact.nu", std::string(stage) + ".nu");
  inside.connect("free.nu_free", "solver.nu_free");
  inside.connect("solver.nu_free", "integrator.nu_free");
  inside.connect("solver.impulses", "integrator.impulses");
  inside.connect("solver.minimum_norm", "integrator.minimum_norm");
  for (const char* signal : {"q", "nu", "warm_start"})
    inside.connect(std::string("integrator.") + signal, std::string("state.") + signal);
  const std::vector<std::string> inputs =
      parameters.has("inputs") ? parameters.texts("inputs") : std::vector<std::string>{"torque"};
  for (const std::string& input : inputs) {
    inside.input(input, SignalType::any());
    inside.connect(input, "dynamics." + input);
  }
  inside.output("q", "state.q");
  inside.output("nu", "state.nu");
  inside.output("wrenches", "integrator.wrenches");
  inside.output("step", "integrator.step");
}

}  // namespace

void addRobotFromStages(BlockRegistry& registry) {
  registry.addSubdiagram(describeRobotFromStages(), [](const Parameters& parameters, DiagramBuilder& inside) {
    BlockRegistry stages;
    addStageBlocks(stages);
    fillRobotFromStages(stages, parameters, inside);
  });
}

}  // namespace footfall
