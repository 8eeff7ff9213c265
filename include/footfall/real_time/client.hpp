#pragma once

// A controller of another process, in one header that needs nothing else of Footfall:
//
//     footfall::real_time::Client robot("/tmp/robot.sock");
//     std::vector<double> torque(robot.about().joints);
//     while (const footfall::real_time::RobotSample* sample = robot.wait()) {
//       for (std::size_t j = 0; j < torque.size(); ++j) torque[j] = 20.0 * (wanted[j] - sample->q[7 + j]) -
//       sample->nu[6 + j]; robot.command(torque);
//     }

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "footfall/real_time/protocol.hpp"

namespace footfall::real_time {

/// Where the robot is.
struct RobotSample {
  std::uint64_t number = 0;
  double time = 0.0;                ///< [s]
  std::vector<double> q, nu;        ///< (nq), (nv)
  std::vector<double> sole_wrench;  ///< of the ground on each sole, in its axes, mean of the last step (6 × soles)
};

class Client {
 public:
  /// Throws std::runtime_error when there is no run at this address, or it is of another version.
  explicit Client(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) throw std::runtime_error(path + ": the address is too long");
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    socket_ = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (socket_ < 0 || ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
      fail(path + ": " + std::strerror(errno));
    send(MessageKind::hello, 0, {});
    if (receive() != MessageKind::welcome) fail(path + ": " + text());
    readWelcome();
  }
  ~Client() {
    if (socket_ >= 0) ::close(socket_);
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  const Welcome& about() const { return about_; }
  const std::vector<std::string>& joints() const { return joints_; }

  /// The next state; null when the run is over. Throws std::runtime_error when the run refuses what it was sent.
  const RobotSample* wait() {
    const MessageKind kind = receive();
    if (kind == MessageKind::refused) fail(text());
    if (kind != MessageKind::state) return nullptr;
    const std::size_t expected = 1 + sample_.q.size() + sample_.nu.size() + sample_.sole_wrench.size();
    if (size_ != sizeof(MessageHeader) + sizeof(double) * expected) fail("a state has a wrong size");
    const char* from = buffer_ + sizeof(MessageHeader);
    const auto take = [&](double* to, std::size_t count) {
      std::memcpy(to, from, sizeof(double) * count);
      from += sizeof(double) * count;
    };
    take(&sample_.time, 1);
    take(sample_.q.data(), sample_.q.size());
    take(sample_.nu.data(), sample_.nu.size());
    take(sample_.sole_wrench.data(), sample_.sole_wrench.size());
    sample_.number = header_.number;
    return &sample_;
  }

  /// Joint torques, added to those of the scene [N m or N], from now on.
  void command(const std::vector<double>& torque) { send(MessageKind::command, header_.number, torque); }
  /// The same, and where what holds the posture wants the joints [rad or m].
  void command(std::vector<double> torque, const std::vector<double>& targets) {
    torque.insert(torque.end(), targets.begin(), targets.end());
    send(MessageKind::targets, header_.number, torque);
  }
  void bye() { send(MessageKind::bye, 0, {}); }

 private:
  [[noreturn]] void fail(const std::string& why) {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
    throw std::runtime_error(why);
  }

  void send(MessageKind kind, std::uint64_t number, const std::vector<double>& values) {
    MessageHeader header;
    header.kind = static_cast<std::uint16_t>(kind);
    header.number = number;
    std::vector<char> bytes(sizeof header + sizeof(double) * values.size());
    std::memcpy(bytes.data(), &header, sizeof header);
    if (!values.empty()) std::memcpy(bytes.data() + sizeof header, values.data(), sizeof(double) * values.size());
    // Who is gone is noticed by wait().
    if (::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) < 0 && errno != EPIPE && errno != ECONNRESET)
      fail(std::string("cannot send: ") + std::strerror(errno));
  }

  MessageKind receive() {
    ssize_t got = -1;
    do {
      got = ::recv(socket_, buffer_, sizeof buffer_, 0);
    } while (got < 0 && errno == EINTR);
    if (got <= 0) return MessageKind::bye;
    size_ = static_cast<std::size_t>(got);
    if (size_ < sizeof header_) fail("a message is too short");
    std::memcpy(&header_, buffer_, sizeof header_);
    if (header_.magic != kMagic || header_.version != kVersion) fail("the run speaks another version");
    return static_cast<MessageKind>(header_.kind);
  }

  void readWelcome() {
    if (size_ < sizeof header_ + sizeof about_) fail("the welcome is too short");
    std::memcpy(&about_, buffer_ + sizeof header_, sizeof about_);
    const char* names = buffer_ + sizeof header_ + sizeof about_;
    for (const char* end = buffer_ + size_; names < end; names += joints_.back().size() + 1)
      joints_.emplace_back(names, ::strnlen(names, static_cast<std::size_t>(end - names)));
    if (joints_.size() != about_.joints) fail("the welcome names not all joints");
    sample_.q.resize(about_.positions);
    sample_.nu.resize(about_.velocities);
    sample_.sole_wrench.resize(std::size_t{6} * about_.soles);
  }

  std::string text() const {
    return size_ > sizeof header_ ? std::string(buffer_ + sizeof header_, size_ - sizeof header_) : "the run is over";
  }

  int socket_ = -1;
  char buffer_[kLargestMessage];
  std::size_t size_ = 0;
  MessageHeader header_;
  Welcome about_;
  std::vector<std::string> joints_;
  RobotSample sample_;
};

}  // namespace footfall::real_time
