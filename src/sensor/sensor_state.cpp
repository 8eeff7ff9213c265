#include "footfall/sensor/sensor_state.hpp"

#include <fmt/format.h>

#include <array>
#include <istream>
#include <ostream>

#include "footfall/base/error.hpp"
#include "footfall/sensor/sensor_suite.hpp"

namespace footfall {
namespace {

/// What the file begins with; the memory follows.
struct Header {
  std::array<char, 8> magic = {'F', 'O', 'O', 'T', 'S', 'E', 'N', 'S'};
  std::int64_t version = 1;
  std::int64_t steps = 0;
  std::int64_t size = 0;  ///< of the memory
};

std::streamsize bytesOf(const VectorXd& v) { return static_cast<std::streamsize>(sizeof(double) * v.size()); }

}  // namespace

void saveSensorState(const SensorState& state, std::ostream& out) {
  Header header;
  header.steps = state.steps;
  header.size = state.memory.size();
  out.write(reinterpret_cast<const char*>(&header), sizeof header);
  out.write(reinterpret_cast<const char*>(state.memory.data()), bytesOf(state.memory));
}

SensorState loadSensorState(const SensorSuite& suite, std::istream& in, const std::string& source_name) {
  const Header expected;
  Header header;
  const bool complete = static_cast<bool>(in.read(reinterpret_cast<char*>(&header), sizeof header));
  if (!complete || header.magic != expected.magic || header.steps < 0)
    throw Error(source_name, "this is not a saved state of sensors",
                "`footfall run --save-state` writes them beside the state of the robot");
  if (header.version != expected.version)
    throw Error(source_name, fmt::format("version {} of the format, this program reads version {}", header.version,
                                         expected.version));
  SensorState state = suite.makeState();
  if (header.size != state.memory.size())
    throw Error(source_name, fmt::format("it holds {} numbers, the sensors need {}", header.size, state.memory.size()),
                "was it saved with other sensors, other rates or other delays?");
  state.steps = header.steps;
  if (!in.read(reinterpret_cast<char*>(state.memory.data()), bytesOf(state.memory)))
    throw Error(source_name, "the file ends too early", "the file is truncated: save it again");
  if (in.peek() != std::istream::traits_type::eof())
    throw Error(source_name, "there are more bytes after the state of the sensors");
  return state;
}

}  // namespace footfall
