#include "footfall/real_time/controller_link.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "footfall/base/error.hpp"

namespace footfall::real_time {
namespace {

using Clock = std::chrono::steady_clock;

/// A descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this == &other) return *this;
    close();
    std::swap(number_, other.number_);
    return *this;
  }
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return number_; }
  bool open() const { return number_ >= 0; }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

sockaddr_un addressOf(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path)
    throw Error(path, fmt::format("the address of the socket has {} letters, expected fewer than {}", path.size(),
                                  sizeof address.sun_path));
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

/// A socket that a run has left behind is nobody's; anything else stays.
void removeLeftover(const std::string& path, const sockaddr_un& address) {
  struct stat found {};
  if (::lstat(path.c_str(), &found) != 0) return;
  if (!S_ISSOCK(found.st_mode)) throw Error(path, "there is a file already, and it is no socket");
  const Descriptor probe(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (probe.get() < 0) throw Error(path, fmt::format("no socket can be made: {}", std::strerror(errno)));
  if (::connect(probe.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 || errno != ECONNREFUSED)
    throw Error(path, "another run listens there", "give each run a socket of its own");
  ::unlink(path.c_str());
}

/// The file gets its name when somebody listens already: who sees it can connect.
int listenAt(const std::string& path) {
  removeLeftover(path, addressOf(path));
  const std::string unfinished = fmt::format("{}.{}", path, ::getpid());
  const sockaddr_un address = addressOf(unfinished);
  const int listener = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener < 0) throw Error(path, fmt::format("no socket can be made: {}", std::strerror(errno)));
  // Nobody else may connect, not even in the moment between making the file and changing its mode.
  const mode_t before = ::umask(0177);
  const bool bound = ::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  const int problem = errno;
  ::umask(before);
  if (!bound || ::listen(listener, 1) != 0 || ::rename(unfinished.c_str(), path.c_str()) != 0) {
    const int reason = bound ? errno : problem;
    if (bound) ::unlink(unfinished.c_str());
    ::close(listener);
    throw Error(path, fmt::format("the socket cannot be made: {}", std::strerror(reason)));
  }
  return listener;
}

}  // namespace

struct ControllerLink::Parts {
  explicit Parts(LinkSettings given) : settings(std::move(given)), listener(listenAt(settings.path)) {}

  bool lockStep() const { return settings.about.lock_step != 0; }
  void accept();
  bool isMute() const;
  void refuseOthers();
  bool hasLeft() const;
  bool send(int descriptor, MessageKind kind, std::uint64_t message_number, std::span<const char> body);
  bool send(MessageKind kind, std::uint64_t number, std::span<const char> body);
  void refuse(const std::string& why);
  bool wait(int descriptor, double seconds) const;
  bool receive(std::size_t& size);
  bool welcome(std::size_t size);
  Outcome take(std::size_t size, LinkCommand& command);
  Outcome takeAll(LinkCommand& command);
  Outcome answer(LinkCommand& command, const std::function<bool()>& stop);

  LinkSettings settings;
  Descriptor listener, client;
  bool greeted = false;        ///< the client has said hello
  Clock::time_point accepted;  ///< when the client came
  std::uint64_t number = 0;
  std::int64_t sent = 0, received = 0, refused = 0, controllers = 0;
  std::string refusal;
  std::vector<char> buffer = std::vector<char>(kLargestMessage + 1);
  std::vector<char> packet;
};

/// Takes a client where one waits and there is none.
void ControllerLink::Parts::accept() {
  if (client.open() && greeted) return refuseOthers();
  if (client.open() && isMute())
    refuse(fmt::format("no hello came within {:g} s, and others may wait", settings.hello_patience));
  if (client.open()) return;
  client = Descriptor(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  greeted = false;
  accepted = Clock::now();
}

/// Who connects and says nothing would keep the only place for ever. What it has said is read first.
bool ControllerLink::Parts::isMute() const {
  return std::chrono::duration<double>(Clock::now() - accepted).count() > settings.hello_patience &&
         !wait(client.get(), 0.0);
}

/// Whose last messages have perhaps not been read yet.
bool ControllerLink::Parts::hasLeft() const {
  pollfd one{client.get(), 0, 0};
  return ::poll(&one, 1, 0) > 0 && (one.revents & (POLLHUP | POLLERR)) != 0;
}

/// A second controller would wait for a welcome until the first one leaves, and not know why.
void ControllerLink::Parts::refuseOthers() {
  const std::string why = "another controller speaks to this run, which has one at a time";
  while (!hasLeft()) {
    const Descriptor other(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!other.open()) return;
    ++refused;
    refusal = why;
    send(other.get(), MessageKind::refused, 0, {why.data(), why.size()});
    // What nobody has read resets the connection when it is closed, and the reason would be lost.
    while (::recv(other.get(), buffer.data(), buffer.size(), 0) > 0) {
    }
  }
}

bool ControllerLink::Parts::send(MessageKind kind, std::uint64_t message_number, std::span<const char> body) {
  return send(client.get(), kind, message_number, body);
}

bool ControllerLink::Parts::send(int descriptor, MessageKind kind, std::uint64_t message_number,
                                 std::span<const char> body) {
  MessageHeader header;
  header.kind = static_cast<std::uint16_t>(kind);
  header.number = message_number;
  packet.resize(sizeof header + body.size());
  std::memcpy(packet.data(), &header, sizeof header);
  std::copy(body.begin(), body.end(), packet.begin() + sizeof header);
  const ssize_t made = ::send(descriptor, packet.data(), packet.size(), MSG_NOSIGNAL);
  // A controller that does not read its states misses some of them; who has left is noticed.
  return made == static_cast<ssize_t>(packet.size()) || errno == EAGAIN || errno == EWOULDBLOCK;
}

void ControllerLink::Parts::refuse(const std::string& why) {
  ++refused;
  refusal = why;
  send(MessageKind::refused, 0, {why.data(), why.size()});
  client.close();
}

bool ControllerLink::Parts::wait(int descriptor, double seconds) const {
  pollfd one{descriptor, POLLIN, 0};
  return ::poll(&one, 1, static_cast<int>(std::ceil(1e3 * seconds))) > 0;
}

/// False: nothing is there, or the client has left.
bool ControllerLink::Parts::receive(std::size_t& size) {
  const ssize_t got = ::recv(client.get(), buffer.data(), buffer.size(), 0);
  if (got > 0) {
    size = static_cast<std::size_t>(got);
    return true;
  }
  if (got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) client.close();
  return false;
}

/// Reads a hello and answers it.
bool ControllerLink::Parts::welcome(std::size_t size) {
  MessageHeader header;
  if (size < sizeof header) return refuse("a message has fewer bytes than its header"), false;
  std::memcpy(&header, buffer.data(), sizeof header);
  if (header.magic != kMagic) return refuse("this is no message of Footfall"), false;
  if (header.version != kVersion)
    return refuse(fmt::format("the controller speaks version {}, expected {}", header.version, kVersion)), false;
  if (header.kind != static_cast<std::uint16_t>(MessageKind::hello) || size != sizeof header)
    return refuse("the first message is no hello"), false;
  std::vector<char> body(sizeof(Welcome));
  std::memcpy(body.data(), &settings.about, sizeof(Welcome));
  for (const std::string& joint : settings.joints)
    body.insert(body.end(), joint.c_str(), joint.c_str() + joint.size() + 1);
  greeted = send(MessageKind::welcome, 0, body);
  if (!greeted) client.close();
  controllers += greeted;
  return greeted;
}

/// Reads a message of a client that has said hello.
ControllerLink::Outcome ControllerLink::Parts::take(std::size_t size, LinkCommand& command) {
  MessageHeader header;
  if (size < sizeof header) return refuse("a message has fewer bytes than its header"), Outcome::gone;
  std::memcpy(&header, buffer.data(), sizeof header);
  if (header.magic != kMagic || header.version != kVersion)
    return refuse("this is no message of Footfall, or one of another version"), Outcome::gone;
  const auto kind = static_cast<MessageKind>(header.kind);
  if (kind == MessageKind::bye) return client.close(), Outcome::gone;
  const bool targets = kind == MessageKind::targets;
  if (kind != MessageKind::command && !targets)
    return refuse(fmt::format("a controller does not send messages of kind {}", header.kind)), Outcome::gone;
  if (targets && settings.about.holds == 0)
    return refuse("targets were sent, and nothing holds the posture of this scene"), Outcome::gone;
  const std::size_t joints = settings.about.joints, numbers = targets ? 2 * joints : joints;
  if (size != sizeof header + sizeof(double) * numbers)
    return refuse(fmt::format("a command has {} bytes, expected {} for {} joints", size,
                              sizeof header + sizeof(double) * numbers, joints)),
           Outcome::gone;
  if (lockStep() && header.number != number)
    return refuse(fmt::format("a command answers state {}, expected {}", header.number, number)), Outcome::gone;
  std::vector<double> values(numbers);
  std::memcpy(values.data(), buffer.data() + sizeof header, sizeof(double) * numbers);
  if (!std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); }))
    return refuse("a command holds a number that is not finite"), Outcome::gone;
  command.torque.assign(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(joints));
  command.targets.assign(values.begin() + static_cast<std::ptrdiff_t>(joints), values.end());
  ++received;
  return Outcome::command;
}

/// All that has come: the last command counts.
ControllerLink::Outcome ControllerLink::Parts::takeAll(LinkCommand& command) {
  Outcome outcome = Outcome::none;
  constexpr int kMost = 1000;  // who sends faster than that must not stop the run
  std::size_t size = 0;
  for (int k = 0; k < kMost && client.open() && receive(size); ++k) {
    if (!greeted) {
      welcome(size);
    } else {
      outcome = take(size, command);
      if (outcome == Outcome::gone) return outcome;
    }
  }
  return client.open() ? outcome : Outcome::gone;
}

/// Lock-step: the answer to the state that was just sent.
ControllerLink::Outcome ControllerLink::Parts::answer(LinkCommand& command, const std::function<bool()>& stop) {
  constexpr double kLook = 0.1;  // [s]
  const Clock::time_point start = Clock::now();
  while (std::chrono::duration<double>(Clock::now() - start).count() < settings.patience) {
    if (stop()) return Outcome::interrupted;
    if (!wait(client.get(), kLook)) {
      refuseOthers();
      continue;
    }
    std::size_t size = 0;
    if (receive(size)) return take(size, command);
    if (!client.open()) return Outcome::gone;
  }
  return Outcome::silent;
}

ControllerLink::ControllerLink(LinkSettings settings) : parts_(std::make_unique<Parts>(std::move(settings))) {
  const Welcome& about = parts_->settings.about;
  const std::size_t largest = sizeof(MessageHeader) + sizeof(Welcome) +
                              sizeof(double) * (1 + std::size_t{about.positions} + about.velocities +
                                                6 * std::size_t{about.soles} + 2 * std::size_t{about.joints});
  std::size_t names = 0;
  for (const std::string& joint : parts_->settings.joints) names += joint.size() + 1;
  if (largest + names > kLargestMessage)
    throw Error(parts_->settings.path, "the robot has too many joints for messages of 64 kB");
}

ControllerLink::~ControllerLink() {
  if (parts_ && parts_->listener.open()) ::unlink(parts_->settings.path.c_str());
}

bool ControllerLink::connected() const { return parts_->client.open() && parts_->greeted; }

bool ControllerLink::waitForController(const std::function<bool()>& stop) {
  constexpr double kLook = 0.1;  // [s]
  LinkCommand nothing;
  while (!connected()) {
    if (stop()) return false;
    parts_->accept();
    const int descriptor = parts_->client.open() ? parts_->client.get() : parts_->listener.get();
    if (!parts_->wait(descriptor, kLook) || !parts_->client.open()) continue;
    std::size_t size = 0;
    if (parts_->receive(size)) parts_->welcome(size);
  }
  return true;
}

ControllerLink::Outcome ControllerLink::exchange(std::span<const double> state, LinkCommand& command,
                                                 const std::function<bool()>& stop) {
  Parts& p = *parts_;
  p.accept();
  if (!p.client.open()) return Outcome::none;
  if (!p.greeted) {
    std::size_t size = 0;
    if (p.receive(size)) p.welcome(size);
    if (!connected()) return Outcome::none;
  }
  ++p.number;
  const char* bytes = reinterpret_cast<const char*>(state.data());
  if (!p.send(MessageKind::state, p.number, {bytes, state.size_bytes()})) return p.client.close(), Outcome::gone;
  ++p.sent;
  return p.lockStep() ? p.answer(command, stop) : p.takeAll(command);
}

void ControllerLink::finish() {
  if (connected()) parts_->send(MessageKind::bye, 0, {});
  parts_->client.close();
}

std::int64_t ControllerLink::sent() const { return parts_->sent; }
std::int64_t ControllerLink::received() const { return parts_->received; }
std::int64_t ControllerLink::refused() const { return parts_->refused; }
const std::string& ControllerLink::refusal() const { return parts_->refusal; }

std::string ControllerLink::summary() const {
  const Parts& p = *parts_;
  return fmt::format(
      "{} states sent, {} commands received{}{}", p.sent, p.received,
      p.controllers > 1 ? fmt::format(", from {} controllers", p.controllers) : "",
      p.refused > 0 ? fmt::format("; {} messages refused, the last because {}", p.refused, p.refusal) : "");
}

}  // namespace footfall::real_time
