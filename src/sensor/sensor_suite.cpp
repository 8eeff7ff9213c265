#include "footfall/sensor/sensor_suite.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "footfall/base/error.hpp"
#include "footfall/base/internal/counter_noise.hpp"
#include "footfall/base/suggest.hpp"
#include "sensor/error_model.hpp"

namespace footfall {
namespace {

/// When a sensor looks, and how long it takes until others know. Counted in steps, so that no clock is rounded.
struct Timing {
  std::int64_t period = 1;  ///< steps from sample to sample
  std::int64_t delay = 0;   ///< steps from a sample to its arrival

  bool due(std::int64_t step) const { return step % period == 0; }
  std::int64_t samples() const {
    return (delay + period - 1) / period + 1;
  }  ///< to be remembered: on their way, or held
};

/// The whole number that x is, but for rounding of decimal numbers in files; -1: it is none.
std::int64_t wholeNumber(double x) {
  const double nearest = std::round(x);
  return std::abs(x - nearest) <= 1e-4 && nearest >= 0.0 && nearest < 1e9 ? static_cast<std::int64_t>(nearest) : -1;
}

std::int64_t periodOf(const SensorSpec& spec, double step) {
  if (spec.rate == 0.0) return 1;
  const double period = 1.0 / (spec.rate * step);
  const std::int64_t steps = spec.rate > 0.0 ? wholeNumber(period) : -1;
  if (steps >= 1) return steps;
  const double fits = 1.0 / (step * std::max(1.0, std::round(period)));
  throw Error(placeOf(spec),
              fmt::format("sensor '{}': rate {} Hz, expected a sample every one, two, three … steps of {} s", spec.name,
                          spec.rate, step),
              spec.rate > 0.0 ? fmt::format("the nearest rate that fits is {:.6g} Hz", fits) : "");
}

std::int64_t delayOf(const SensorSpec& spec, double step) {
  const std::int64_t steps = std::isfinite(spec.delay) ? wholeNumber(spec.delay / step) : -1;
  constexpr std::int64_t kMost = 1'000'000;  // samples on their way are kept
  if (steps > kMost)
    throw Error(placeOf(spec), fmt::format("sensor '{}': delay {} s is more than {} steps of {} s", spec.name,
                                           spec.delay, kMost, step));
  if (steps >= 0) return steps;
  throw Error(placeOf(spec), fmt::format("sensor '{}': delay {} s, expected a whole number of steps of {} s", spec.name,
                                         spec.delay, step));
}

/// A sensor with its flaws, and its place in SensorState::memory: biases that wander, then a ring of samples. A sample
/// is its time and its values.
struct Instrument {
  std::unique_ptr<Sensor> sensor;
  Timing timing;
  std::uint64_t key = 0;
  std::vector<ErrorModel> errors;  ///< of each quantity
  std::vector<int> sizes;          ///< of each quantity
  int begin = 0;                   ///< in the memory
  int walks = 0;                   ///< biases that wander
  int sample_size = 1;

  int memory() const { return walks + static_cast<int>(timing.samples()) * sample_size; }
  int placeOfSample(std::int64_t sample) const {
    return begin + walks + static_cast<int>(sample % timing.samples()) * sample_size;
  }
  void takeSample(const Instant& instant, std::int64_t step, VectorXd& memory);
};

void Instrument::takeSample(const Instant& instant, std::int64_t step, VectorXd& memory) {
  const std::int64_t number = step / timing.period;
  auto sample = memory.segment(placeOfSample(number), sample_size);
  sample[0] = instant.record.start.time;
  sensor->measure(instant, sample.tail(sample_size - 1));
  int value = 1, walk = begin;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    errors[i].apply(key, static_cast<std::uint64_t>(number), memory.segment(walk, errors[i].memory()),
                    sample.segment(value, sizes[i]));
    value += sizes[i];
    walk += errors[i].memory();
  }
}

void checkNames(const std::vector<SensorSpec>& specs) {
  std::set<std::string> names;
  for (const SensorSpec& spec : specs) {
    if (spec.name.empty()) throw Error(placeOf(spec), "a sensor has no name");
    if (!names.insert(spec.name).second)
      throw Error(placeOf(spec), fmt::format("there are two sensors '{}'", spec.name),
                  "their channels need other names");
  }
}

}  // namespace

struct SensorSuite::Parts {
  Parts(const Model& m, double dt) : model(m), step(dt), links(m), forced_links(m), nu(VectorXd::Zero(m.nv())) {}

  const Model& model;
  double step;  ///< [s]
  std::vector<Instrument> instruments;
  std::vector<SensorChannel> channels;
  int memory = 0;                  ///< of all
  TreeMotion links, forced_links;  ///< as Instant wants them
  VectorXd nu;

  void add(const SensorSpec& spec, std::uint64_t run_seed);
  void addChannels(const std::string& sensor_name, const std::vector<SensedQuantity>& quantities);
  bool motionIsNeeded(std::int64_t at_step) const;
};

void SensorSuite::Parts::add(const SensorSpec& spec, std::uint64_t run_seed) {
  Instrument instrument;
  instrument.sensor = makeSensor(spec, model);
  instrument.timing = {periodOf(spec, step), delayOf(spec, step)};
  instrument.key = noiseKey(run_seed, spec.seed, spec.name);
  instrument.begin = memory;
  const std::vector<SensedQuantity> quantities = instrument.sensor->quantities();
  checkQuantityNames(spec, quantities);
  const double period = static_cast<double>(instrument.timing.period) * step;
  for (const SensedQuantity& quantity : quantities) {
    instrument.errors.emplace_back(spec, quantity, static_cast<std::uint32_t>(instrument.walks), period);
    instrument.sizes.push_back(quantity.size());
    instrument.walks += quantity.errorDimension();
    instrument.sample_size += quantity.size();
  }
  memory += instrument.memory();
  addChannels(spec.name, quantities);
  instruments.push_back(std::move(instrument));
}

void SensorSuite::Parts::addChannels(const std::string& sensor_name, const std::vector<SensedQuantity>& quantities) {
  const int sensor = static_cast<int>(instruments.size());
  int first = 0;
  channels.push_back({sensor_name + ".time", "s", "", {}, sensor, first++});
  for (const SensedQuantity& quantity : quantities) {
    for (SensorChannel channel : quantity.channels) {
      channel.name = sensor_name + "." + channel.name;
      channel.sensor = sensor;
      channel.first = first;
      first += channel.size();
      channels.push_back(std::move(channel));
    }
  }
}

bool SensorSuite::Parts::motionIsNeeded(std::int64_t at_step) const {
  for (const Instrument& instrument : instruments)
    if (instrument.timing.due(at_step) && instrument.sensor->needsMotion()) return true;
  return false;
}

SensorSuite::SensorSuite(const Model& model, const std::vector<SensorSpec>& specs, double step, std::uint64_t run_seed)
    : parts_(std::make_unique<Parts>(model, step)) {
  checkNames(specs);
  for (const SensorSpec& spec : specs) parts_->add(spec, run_seed);
}
SensorSuite::~SensorSuite() = default;
SensorSuite::SensorSuite(SensorSuite&&) noexcept = default;
SensorSuite& SensorSuite::operator=(SensorSuite&&) noexcept = default;

SensorState SensorSuite::makeState() const { return {0, VectorXd::Zero(parts_->memory)}; }

void SensorSuite::sample(const StepRecord& record, SensorState& state) {
  Parts& p = *parts_;
  const StepResult& result = record.result;
  p.nu = record.start.nu;
  if (result.impact) p.nu = result.next.nu - p.step * result.nu_dot;  // after the jump
  if (p.motionIsNeeded(state.steps)) {
    p.links.update(record.start.q, p.nu, result.nu_dot);
    p.forced_links.update(result.q_forces, result.nu_forces, result.nu_dot);
  }
  const Instant instant{p.model, record, p.nu, p.links, p.forced_links};
  for (Instrument& instrument : p.instruments)
    if (instrument.timing.due(state.steps)) instrument.takeSample(instant, state.steps, state.memory);
  ++state.steps;
}

const std::vector<SensorChannel>& SensorSuite::channels() const { return parts_->channels; }

const SensorChannel& SensorSuite::channel(std::string_view name) const {
  std::vector<std::string> names;
  for (const SensorChannel& channel : parts_->channels) {
    if (channel.name == name) return channel;
    names.push_back(channel.name);
  }
  throw Error("sensors", fmt::format("there is no channel '{}'", name), suggestOrList(name, names));
}

SensorReading SensorSuite::read(const SensorChannel& channel, const SensorState& state) const {
  const Instrument& instrument = parts_->instruments[channel.sensor];
  const std::int64_t arrived = state.steps - 1 - instrument.timing.delay;  // the last step whose sample could be here
  if (arrived < 0) return {};
  const double* sample = state.memory.data() + instrument.placeOfSample(arrived / instrument.timing.period);
  return {sample[0], Eigen::Map<const VectorXd>(sample + channel.first, channel.size())};
}

SensorReading SensorSuite::read(std::string_view channel_name, const SensorState& state) const {
  return read(channel(channel_name), state);
}

}  // namespace footfall
