#include "footfall/real_time/controller_link.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <future>
#include <random>

#include "footfall/base/error.hpp"
#include "footfall/real_time/client.hpp"
#include "model/error_of.hpp"
#include "tools/random_seed.hpp"

namespace footfall::real_time {
namespace {

namespace fs = std::filesystem;
using Outcome = ControllerLink::Outcome;

bool never() { return false; }

/// A robot of two joints and one sole.
LinkSettings settingsAt(const std::string& path, bool lock_step) {
  LinkSettings settings;
  settings.path = path;
  settings.about = {.positions = 9,
                    .velocities = 8,
                    .joints = 2,
                    .soles = 1,
                    .lock_step = lock_step,
                    .holds = 1,
                    .step = 1e-3,
                    .period = 1e-3};
  settings.joints = {"hip", "knee"};
  return settings;
}

const std::vector<double> kState(1 + 9 + 8 + 6, 0.25);

class Link : public ::testing::Test {
 protected:
  std::string path_ = (fs::temp_directory_path() / ("footfall_link_" + std::to_string(::getpid()) + ".sock")).string();
  void TearDown() override { fs::remove(path_); }

  /// A client that says whatever it likes.
  int connect() const {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path_.c_str(), path_.size() + 1);
    const int raw = ::socket(AF_UNIX, SOCK_SEQPACKET, 0);
    EXPECT_EQ(::connect(raw, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    return raw;
  }

  static std::string message(MessageKind kind, const std::vector<double>& numbers, std::uint64_t number = 0,
                             std::uint16_t version = kVersion) {
    MessageHeader header;
    header.kind = static_cast<std::uint16_t>(kind);
    header.number = number;
    header.version = version;
    std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
    return bytes.append(reinterpret_cast<const char*>(numbers.data()), sizeof(double) * numbers.size());
  }
  static void say(int raw, const std::string& bytes) { ::send(raw, bytes.data(), bytes.size(), MSG_NOSIGNAL); }
  static std::string hear(int raw) {
    std::string bytes(kLargestMessage, '\0');
    const ssize_t got = ::recv(raw, bytes.data(), bytes.size(), 0);
    bytes.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
    return bytes;
  }
};

TEST_F(Link, IsAFileForItsOwnerAlone) {
  {
    const ControllerLink link(settingsAt(path_, false));
    struct stat found {};
    ASSERT_EQ(::lstat(path_.c_str(), &found), 0);
    EXPECT_TRUE(S_ISSOCK(found.st_mode));
    EXPECT_EQ(found.st_mode & 0777, 0600u);
    EXPECT_NE(errorOf([&] { ControllerLink second(settingsAt(path_, false)); }).problem().find("another run"),
              std::string::npos);
  }
  EXPECT_FALSE(fs::exists(path_)) << "it is removed at the end";
}

TEST_F(Link, ReplacesASocketThatNobodyListensToAndNothingElse) {
  std::ofstream(path_) << "mine";
  EXPECT_NE(errorOf([&] { ControllerLink link(settingsAt(path_, false)); }).problem().find("no socket"),
            std::string::npos);
  EXPECT_EQ(fs::file_size(path_), 4u);
  fs::remove(path_);
  const int left_behind = ::socket(AF_UNIX, SOCK_SEQPACKET, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path_.c_str(), path_.size() + 1);
  ASSERT_EQ(::bind(left_behind, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ::close(left_behind);
  EXPECT_NO_THROW(ControllerLink link(settingsAt(path_, false)));
  EXPECT_NE(
      errorOf([] { ControllerLink link(settingsAt(std::string(200, 'x'), false)); }).problem().find("200 letters"),
      std::string::npos);
}

TEST_F(Link, LockStepWaitsForTheAnswerToEachState) {
  ControllerLink link(settingsAt(path_, true));
  auto controller = std::async(std::launch::async, [&] {
    Client client(path_);
    EXPECT_EQ(client.joints(), (std::vector<std::string>{"hip", "knee"}));
    EXPECT_EQ(client.about().step, 1e-3);
    int seen = 0;
    while (const RobotSample* sample = client.wait()) {
      EXPECT_EQ(sample->q.size(), 9u);
      EXPECT_EQ(sample->sole_wrench.size(), 6u);
      client.command({sample->time, 2.0 * sample->time}, {1.0, -1.0});
      ++seen;
    }
    return seen;
  });
  ASSERT_TRUE(link.waitForController(never));
  LinkCommand command;
  for (int k = 0; k < 100; ++k) {
    std::vector<double> state = kState;
    state[0] = k;
    ASSERT_EQ(link.exchange(state, command, never), Outcome::command);
    EXPECT_EQ(command.torque, (std::vector<double>{1.0 * k, 2.0 * k})) << "the answer to this very state";
    EXPECT_EQ(command.targets, (std::vector<double>{1.0, -1.0}));
  }
  link.finish();
  EXPECT_EQ(controller.get(), 100);
}

TEST_F(Link, FreeRunningTakesTheLastOfWhatHasCome) {
  ControllerLink link(settingsAt(path_, false));
  LinkCommand command;
  EXPECT_EQ(link.exchange(kState, command, never), Outcome::none) << "nobody is there";
  const int raw = connect();
  say(raw, message(MessageKind::hello, {}));
  EXPECT_EQ(link.exchange(kState, command, never), Outcome::none) << "it has commanded nothing";
  EXPECT_EQ(hear(raw).size(), sizeof(MessageHeader) + sizeof(Welcome) + 9) << "the welcome, with hip and knee";
  EXPECT_EQ(hear(raw).size(), sizeof(MessageHeader) + sizeof(double) * kState.size());
  say(raw, message(MessageKind::command, {1, 2}));
  say(raw, message(MessageKind::command, {3, 4}));
  EXPECT_EQ(link.exchange(kState, command, never), Outcome::command);
  EXPECT_EQ(command.torque, (std::vector<double>{3, 4}));
  EXPECT_EQ(link.exchange(kState, command, never), Outcome::none);
  say(raw, message(MessageKind::bye, {}));
  EXPECT_EQ(link.exchange(kState, command, never), Outcome::gone);
  EXPECT_FALSE(link.connected());
  ::close(raw);
}

TEST_F(Link, AControllerThatDiesIsNoticedAndAnotherMayCome) {
  ControllerLink link(settingsAt(path_, true));
  LinkCommand command;
  for (int round = 0; round < 2; ++round) {
    const int raw = connect();
    say(raw, message(MessageKind::hello, {}));
    ASSERT_TRUE(link.waitForController(never));
    ::close(raw);
    EXPECT_EQ(link.exchange(kState, command, never), Outcome::gone);
  }
  EXPECT_FALSE(link.waitForController([] { return true; }));
}

/// It would wait for a welcome for as long as the first one stays, which is not disturbed.
TEST_F(Link, ASecondControllerIsToldThatThereIsOne) {
  for (const bool lock_step : {false, true}) {
    ControllerLink link(settingsAt(path_, lock_step));
    LinkCommand command;
    const int first = connect();
    say(first, message(MessageKind::hello, {}));
    ASSERT_TRUE(link.waitForController(never));
    const int second = connect();
    say(second, message(MessageKind::hello, {}));
    say(first, message(MessageKind::command, {1.0, 2.0}, 1));
    EXPECT_EQ(link.exchange(kState, command, never), Outcome::command);
    EXPECT_NE(hear(second).find("another controller speaks to this run"), std::string::npos);
    EXPECT_TRUE(link.connected());
    EXPECT_NE(link.summary().find("another controller"), std::string::npos);
    ::close(first);
    ::close(second);
  }
}

/// A run has one place. The next one waits until the mute one is sent away, and is not told that somebody speaks.
TEST_F(Link, WhoConnectsAndSaysNothingDoesNotKeepThePlace) {
  for (const bool lock_step : {false, true}) {
    LinkSettings settings = settingsAt(path_, lock_step);
    settings.hello_patience = 0.05;
    ControllerLink link(settings);
    LinkCommand command;
    const int mute = connect();
    EXPECT_EQ(link.exchange(kState, command, never), Outcome::none);
    const int second = connect();
    say(second, message(MessageKind::hello, {}));
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    ASSERT_TRUE(link.waitForController([&] { return std::chrono::steady_clock::now() > deadline; }));
    EXPECT_NE(hear(mute).find("no hello came within 0.05 s"), std::string::npos);
    EXPECT_EQ(hear(second).size(), sizeof(MessageHeader) + sizeof(Welcome) + 9) << "the welcome, with hip and knee";
    ::close(mute);
    ::close(second);
  }
}

TEST_F(Link, ASilentControllerIsGivenUp) {
  LinkSettings settings = settingsAt(path_, true);
  settings.patience = 0.05;
  ControllerLink link(settings);
  const int raw = connect();
  say(raw, message(MessageKind::hello, {}));
  ASSERT_TRUE(link.waitForController(never));
  LinkCommand command;
  EXPECT_EQ(link.exchange(kState, command, never), Outcome::silent);
  EXPECT_EQ(link.exchange(kState, command, [] { return true; }), Outcome::interrupted);
  ::close(raw);
}

TEST_F(Link, WhatMakesNoSenseIsRefusedWithAReason) {
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"x", "fewer bytes"},
      {std::string(16, 'x'), "no message of Footfall"},
      {message(MessageKind::command, {1, 2}, 1, 2), "another version"},
      {message(MessageKind::command, {1}, 1), "a command has 24 bytes, expected 32"},
      {message(MessageKind::command, {1, 2, 3}, 1), "a command has 40 bytes"},
      {message(MessageKind::targets, {1, 2}, 1), "expected 48"},
      {message(MessageKind::command, {1, NAN}, 1), "not finite"},
      {message(MessageKind::command, {1, INFINITY}, 1), "not finite"},
      {message(MessageKind::command, {1, 2}, 7), "answers state 7, expected 1"},
      {message(MessageKind::state, kState, 1), "messages of kind 3"},
      {message(static_cast<MessageKind>(999), {}, 1), "messages of kind 999"},
      {std::string(60000, '\7'), "no message of Footfall"},
  };
  for (const auto& [bytes, reason] : bad) {
    ControllerLink link(settingsAt(path_, true));
    const int raw = connect();
    say(raw, message(MessageKind::hello, {}));
    ASSERT_TRUE(link.waitForController(never));
    say(raw, bytes);
    LinkCommand command{{5, 6}, {}};
    EXPECT_EQ(link.exchange(kState, command, never), Outcome::gone);
    EXPECT_EQ(link.refused(), 1);
    EXPECT_NE(link.refusal().find(reason), std::string::npos) << link.refusal();
    EXPECT_EQ(command.torque, (std::vector<double>{5, 6})) << "nothing of it counts";
    hear(raw), hear(raw);  // welcome, state
    EXPECT_NE(hear(raw).find(reason), std::string::npos) << "the controller is told";
    ::close(raw);
  }
}

TEST_F(Link, TargetsNeedSomethingThatHolds) {
  LinkSettings settings = settingsAt(path_, true);
  settings.about.holds = 0;
  ControllerLink link(settings);
  const int raw = connect();
  say(raw, message(MessageKind::hello, {}));
  ASSERT_TRUE(link.waitForController(never));
  say(raw, message(MessageKind::targets, {1, 2, 3, 4}, 1));
  LinkCommand command;
  EXPECT_EQ(link.exchange(kState, command, never), Outcome::gone);
  EXPECT_NE(link.refusal().find("nothing holds"), std::string::npos);
  ::close(raw);
}

TEST_F(Link, WhoDoesNotSayHelloIsSentAway) {
  ControllerLink link(settingsAt(path_, false));
  LinkCommand command;
  for (const std::string& first : {message(MessageKind::command, {1, 2}), message(MessageKind::hello, {}, 0, 9),
                                   message(MessageKind::hello, {1}), std::string("GET / HTTP/1.1\r\n")}) {
    const int raw = connect();
    say(raw, first);
    EXPECT_EQ(link.exchange(kState, command, never), Outcome::none);
    EXPECT_FALSE(link.connected()) << first;
    ::close(raw);
  }
  EXPECT_EQ(link.refused(), 4);
  EXPECT_TRUE(command.torque.empty());
}

/// Bytes at random, with and without a good header: a run may refuse them, and nothing else.
TEST_F(Link, GarbageHarmsNobody) {
  std::mt19937 random(randomSeed(5));
  ControllerLink link(settingsAt(path_, false));
  LinkCommand command;
  int raw = -1;
  for (int k = 0; k < 2000; ++k) {
    if (!link.connected()) {
      if (raw >= 0) ::close(raw);
      raw = connect();
      say(raw, message(MessageKind::hello, {}));
      link.exchange(kState, command, never);
    }
    std::string bytes = message(static_cast<MessageKind>(random() % 9), std::vector<double>(random() % 6, 1.0));
    for (unsigned n = random() % 4; n > 0; --n) bytes[random() % bytes.size()] = static_cast<char>(random());
    bytes.resize(random() % (bytes.size() + 1));
    if (!bytes.empty()) say(raw, bytes);
    link.exchange(kState, command, never);
    for (const double value : command.torque) ASSERT_TRUE(std::isfinite(value));
  }
  EXPECT_GT(link.refused(), 100);
  ::close(raw);
}

}  // namespace
}  // namespace footfall::real_time
