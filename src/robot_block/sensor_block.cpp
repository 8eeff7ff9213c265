#include "robot_block/sensor_block.hpp"

#include <limits>

#include "footfall/robot_block/robot_ports.hpp"
#include "robot_block/value_memory.hpp"

namespace footfall {
namespace {

SensorSuite makeSuite(const RobotSetup& setup, const std::vector<SensorSpec>& specs) {
  return {setup.model(), specs, setup.settings().step, setup.scene().run.seed};
}

/// What comes last in "imu.acceleration" or "encoders.l_knee.position".
std::string fieldName(const SensorChannel& channel) { return channel.name.substr(channel.name.rfind('.') + 1); }

/// The channels of a sensor as fields of a bus; the same quantity of several joints is one field.
std::vector<BusField> fieldsOf(const SensorSuite& suite, int sensor) {
  std::vector<BusField> fields;
  for (const SensorChannel& channel : suite.channels()) {
    if (channel.sensor != sensor) continue;
    const std::string name = fieldName(channel);
    if (fields.empty() || fields.back().name != name) {
      fields.push_back({name, channel.components.empty() ? SignalType::scalar(channel.unit)
                                                         : SignalType::vector(channel.size(), channel.unit)});
    } else {
      SignalType& type = fields.back().type;
      type = SignalType::vector(type.size() + channel.size(), type.unit == channel.unit ? channel.unit : "");
    }
  }
  return fields;
}

/// A sensor block of one sensor, as its parameters say.
SensorSpec specOf(const Parameters& parameters, const std::string& type) {
  SensorSpec spec;
  spec.where = parameters.where;
  spec.type = type;
  spec.name = "out";
  spec.frame = parameters.text("frame", "");
  spec.joint = parameters.text("joint", "");
  if (parameters.has("joints")) spec.joints = parameters.texts("joints");
  spec.rate = parameters.number("rate", 0.0);
  spec.delay = parameters.number("delay", 0.0, Quantity::time);
  spec.threshold = parameters.number("threshold", 0.0);
  spec.seed = static_cast<std::uint64_t>(parameters.count("seed", 0));
  const auto readMap = [&](const char* name, std::map<std::string, double>& values) {
    if (!parameters.has(name)) return;
    const auto* map = std::get_if<ParameterValue::Map>(&parameters.value(name).value);
    if (map == nullptr) throw parameters.error(name, "must be a map from quantities to numbers");
    for (const auto& [quantity, value] : *map) {
      const double* number = std::get_if<double>(&value.value);
      if (number == nullptr) throw parameters.error(name, "must be a map from quantities to numbers");
      values[quantity] = *number;
    }
  };
  readMap("noise", spec.noise);
  readMap("bias_walk", spec.bias_walk);
  readMap("resolution", spec.resolution);
  std::map<std::string, double> bias;
  readMap("bias", bias);
  for (const auto& [quantity, value] : bias) spec.bias[quantity] = {value};
  return spec;
}

}  // namespace

struct SensorBlock::Memory : BlockMemory {
  Memory(std::shared_ptr<const SensorSuite> s) : state(s->makeState()), suite(std::move(s)) {}
  std::unique_ptr<BlockMemory> clone() const override { return std::make_unique<Memory>(*this); }
  void save(std::ostream& out) const override {
    std::ostringstream bytes;
    saveSensorState(state, bytes);
    writeFramed(bytes.str(), out);
  }
  void load(std::istream& in) override {
    std::istringstream bytes(readFramed(in, "state of the sensors"));
    state = loadSensorState(*suite, bytes, "state of the sensors");
  }

  SensorState state;
  std::shared_ptr<const SensorSuite> suite;
};

struct SensorBlock::Scratch : BlockScratch {
  explicit Scratch(SensorSuite s) : suite(std::move(s)) {}
  SensorSuite suite;
};

SensorBlock::SensorBlock(std::shared_ptr<const RobotSetup> setup, std::vector<SensorSpec> specs)
    : setup_(std::move(setup)),
      specs_(std::move(specs)),
      suite_(std::make_shared<SensorSuite>(makeSuite(*setup_, specs_))) {}

SensorState& SensorBlock::stateOf(BlockMemory& memory) { return static_cast<Memory&>(memory).state; }

void SensorBlock::declare(BlockInterface& io) const {
  io.sample_time = SampleTime::discrete(setup_->settings().step);
  io.input("step", SignalType::function("footfall::RobotStep"));
  for (std::size_t k = 0; k < specs_.size(); ++k)
    io.output(specs_[k].name, SignalType::bus(fieldsOf(*suite_, static_cast<int>(k))), {});
}

std::unique_ptr<BlockMemory> SensorBlock::makeMemory() const { return std::make_unique<Memory>(suite_); }
std::unique_ptr<BlockScratch> SensorBlock::makeScratch() const {
  return std::make_unique<Scratch>(makeSuite(*setup_, specs_));
}

void SensorBlock::outputs(Evaluation& e) const {
  const SensorState& state = e.memory<Memory>().state;
  int sensor = -1;
  Eigen::Index at = 0;
  for (const SensorChannel& channel : suite_->channels()) {
    if (channel.sensor != sensor) at = 0;
    sensor = channel.sensor;
    const SensorReading reading = suite_->read(channel, state);
    auto values = e.outVector(sensor).segment(at, channel.size());
    if (reading.available()) {
      values = reading.values;
    } else {
      values.setConstant(fieldName(channel) == "time" ? std::numeric_limits<double>::quiet_NaN() : 0.0);
    }
    at += channel.size();
  }
}

void SensorBlock::update(Evaluation& e) const {
  const RobotStep& step = e.function<RobotStep>(0);
  e.scratch<Scratch>().suite.sample({step.start, step.input.wrenches, *step.result}, e.memory<Memory>().state);
}

namespace {

BlockDescription describe(const std::string& name, const std::string& summary, const std::string& fields,
                          std::vector<ParameterDescription> place) {
  for (const ParameterDescription& common : std::vector<ParameterDescription>{
           {"rate", "samples per second; 0: every step", "0", "Hz"},
           {"delay", "from the instant that is measured until it can be read", "0", "s"},
           {"noise", "standard deviation of each sample, by quantity: {acceleration: 0.01}", "none", ""},
           {"bias", "constant error, by quantity", "none", ""},
           {"bias_walk", "random walk of the error, by quantity [unit/√s]", "none", ""},
           {"resolution", "readings are multiples of it, by quantity", "none", ""},
           {"seed", "of its random numbers", "0", "-"}})
    place.push_back(common);
  return {
      name,
      "sensors",
      summary,
      std::move(place),
      {{"step", "function port of the robot (footfall::RobotStep)"}},
      {{"out", "bus {time, " + fields + "}; time is not a number until the first sample has arrived"}},
      "What has arrived until now: the newest sample measured the start of the last step or an earlier one, as rate "
      "and delay say. See docs/sensors.md."};
}

void addSensor(BlockRegistry& registry, BlockDescription description, const std::string& type) {
  registry.add(std::move(description), [type](const Parameters& parameters) {
    return std::make_unique<SensorBlock>(findRobotSetup(parameters), std::vector{specOf(parameters, type)});
  });
}

}  // namespace

void addSensorBlocks(BlockRegistry& registry) {
  const ParameterDescription frame{"frame", "where it sits", "", "", true};
  addSensor(registry,
            describe("IMU", "inertial measurement unit: orientation, proper acceleration, angular velocity",
                     "orientation, rpy, acceleration, angular_velocity", {frame}),
            "imu");
  addSensor(registry,
            describe("ForceTorque", "force and moment that pass through a joint", "force, moment",
                     {{"joint", "in which it sits, may be a fixed one", "", "", true},
                      {"frame", "its axes", "the joint's child", ""}}),
            "force_torque");
  addSensor(registry,
            describe("Encoders", "positions and velocities of joints", "position, velocity",
                     {{"joints", "which", "all", ""}}),
            "encoder");
  addSensor(registry,
            describe("SoleSensor", "wrench of the ground on a frame with contacts", "force, moment, contact",
                     {frame, {"threshold", "there is contact when the force is larger", "0", "N"}}),
            "contact");
  addSensor(registry, describe("JointTorques", "torques of joints", "torque", {{"joints", "which", "all", ""}}),
            "joint_torque");
  registry.add({"Sensors",
                "sensors",
                "all the sensors of the scene, an output for each",
                {},
                {{"step", "function port of the robot (footfall::RobotStep)"}},
                {{"<sensor>", "bus of the channels of the sensor with this name"}},
                "As the sensors of the scene, see docs/sensors.md."},
               [](const Parameters& parameters) {
                 const auto setup = findRobotSetup(parameters);
                 return std::make_unique<SensorBlock>(setup, setup->scene().sensors);
               });
}

}  // namespace footfall
