#pragma once

#include <cstddef>
#include <cstdint>

// What passes between a run and a controller of another process: docs/real_time.md. Packets of a Unix socket
// (SOCK_SEQPACKET) in the byte order of the machine; one packet is one message: a MessageHeader, then what its kind
// asks for. This header needs no other of Footfall.

namespace footfall::real_time {

constexpr std::uint32_t kMagic = 0x54524646;  ///< "FFRT"
constexpr std::uint16_t kVersion = 1;
constexpr std::size_t kLargestMessage = 1 << 16;  ///< [bytes]; the socket refuses longer ones

enum class MessageKind : std::uint16_t {
  hello = 1,    ///< client: nothing more; the first message
  welcome = 2,  ///< run: Welcome, then the names of the joints, each with a zero at its end
  state = 3,    ///< run: time, q, ν, wrench on each sole (6 each), as doubles
  command = 4,  ///< client: joint torques, as doubles
  targets = 5,  ///< client: joint torques, then targets of what holds the posture, as doubles
  bye = 6,      ///< both: nothing more; the last message
  refused = 7,  ///< run: why, as text; the last message
};

struct MessageHeader {
  std::uint32_t magic = kMagic;
  std::uint16_t version = kVersion;
  std::uint16_t kind = 0;
  std::uint64_t number = 0;  ///< of the state; a command has that of the state that it answers
};
static_assert(sizeof(MessageHeader) == 16);

struct Welcome {
  std::uint32_t positions = 0;   ///< nq: base position, quaternion (x, y, z, w), joints
  std::uint32_t velocities = 0;  ///< nv: base velocity in world axes, joints
  std::uint32_t joints = 0;      ///< n
  std::uint32_t soles = 0;
  std::uint32_t lock_step = 0;  ///< 1: the run waits for the answer to each state
  std::uint32_t holds = 0;      ///< 1: something holds the posture, `targets` may be sent
  double step = 0.0;            ///< of the simulation [s]
  double period = 0.0;          ///< from one state to the next [s]
};
static_assert(sizeof(Welcome) == 40);

}  // namespace footfall::real_time
