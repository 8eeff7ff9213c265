// A client that has stopped reading costs nobody anything: it is offered nothing more, and the simulation does not know
// that there is a server.

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>

#include "studio/raw_client.hpp"
#include "studio/server/live_session.hpp"
#include "studio/server/studio.hpp"
#include "tools/source_dir.hpp"

namespace footfall::studio {
namespace {

using test::RawClient;

/// A server with a thread of its own.
class RunningServer {
 public:
  explicit RunningServer(WebHandler& handler) : server_({}, handler), thread_([this] { server_.run(); }) {}
  ~RunningServer() {
    server_.stop();
    thread_.join();
  }
  RunningServer(const RunningServer&) = delete;
  RunningServer& operator=(const RunningServer&) = delete;
  const std::string& url() const { return server_.url(); }

 private:
  WebServer server_;
  std::thread thread_;
};

/// Has something large to say at all times, and counts how often each client is offered it.
class TalkativeHandler : public WebHandler {
 public:
  static constexpr std::size_t kPacket = std::size_t{2} << 20;

  std::optional<Resource> get(const std::string&) override { return {}; }
  void clientJoined(int) override { ++joined; }
  void clientLeft(int) override {}
  std::vector<Packet> answer(int, const std::string&) override { return {}; }
  void lookForNews() override {}
  std::vector<Packet> news(int client) override {
    ++offered[static_cast<std::size_t>(client)];
    return {{true, packet_}};
  }

  std::atomic<int> joined = 0;
  std::array<std::atomic<int>, 2> offered = {};

 private:
  std::shared_ptr<const std::string> packet_ = std::make_shared<const std::string>(kPacket, 'x');
};

TEST(StalledClient, IsOfferedNothingMoreWhileOthersGetEverything) {
  TalkativeHandler handler;
  const RunningServer server(handler);
  const RawClient stalled(server.url());
  while (handler.joined < 1) std::this_thread::yield();  // it is number 0
  RawClient reader(server.url());
  std::size_t received = 0;
  const auto receive = [&](std::size_t packets) {
    while (received < packets * TalkativeHandler::kPacket) received += reader.readAll();
  };
  receive(15);
  const int before = handler.offered[0];
  receive(30);
  EXPECT_EQ(handler.offered[0], before) << "what does not fit into the kernel's buffers is not made at all";
  EXPECT_LT(handler.offered[0], handler.offered[1]);
}

/// A studio that stands still in the middle of its work until the simulation has gone on.
class PatientStudio : public Studio {
 public:
  /// @param recording of the first session
  PatientStudio(const Recording& recording, std::vector<std::unique_ptr<Session>> sessions)
      : Studio(std::move(sessions)), recording_(recording) {}

  std::vector<Packet> news(int client) override {
    const std::vector<Packet> packets = Studio::news(client);
    const std::size_t end = recording_.extent().end;
    while (recording_.extent().end < end + 1000) std::this_thread::yield();
    ++served;
    return packets;
  }

  std::atomic<int> served = 0;

 private:
  const Recording& recording_;
};

TEST(StalledServer, DoesNotKeepTheSimulationFromStepping) {
  LiveOptions options;
  options.speed = 0.0;  // as fast as it goes
  options.most_bytes = std::size_t{16} << 20;
  auto session = std::make_unique<LiveSession>(sourceDir() + "/scenes/falling_box.yaml", std::move(options));
  const Recording& recording = session->recording();
  std::vector<std::unique_ptr<Session>> sessions;
  sessions.push_back(std::move(session));
  PatientStudio studio(recording, std::move(sessions));
  const RunningServer server(studio);
  const RawClient client(server.url());
  while (studio.served < 3) std::this_thread::yield();
  EXPECT_GE(recording.extent().end, 3000u) << "three times 1000 steps are made while the server does nothing";
}

}  // namespace
}  // namespace footfall::studio
