// What do twenty watching clients, one of which has stopped reading, cost a simulation that runs as fast as it can?
// Windows without and with clients take turns, so that whatever else the machine does falls on both.

#include <arpa/inet.h>
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "studio/server/live_session.hpp"
#include "studio/server/studio.hpp"

namespace footfall {
namespace {

using namespace std::chrono_literals;

constexpr int kClients = 20;
constexpr auto kWindow = 250ms;

int portOf(const std::string& url) { return std::stoi(url.substr(url.rfind(':') + 1)); }

/// A client that has shaken hands; reads nothing by itself.
int connectClient(int port) {
  const int client = socket(AF_INET, SOCK_STREAM, 0);
  const int small = 4096;
  setsockopt(client, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(client, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    throw std::runtime_error("cannot connect");
  const std::string hello =
      "GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";
  if (write(client, hello.data(), hello.size()) < 0) throw std::runtime_error("cannot say hello");
  fcntl(client, F_SETFL, O_NONBLOCK);
  return client;
}

/// Nineteen clients that read all they get, and one that does not.
class Audience {
 public:
  explicit Audience(int port) {
    for (int k = 0; k < kClients; ++k) clients_.push_back(connectClient(port));
    reader_ = std::thread([this] { read(); });
  }
  ~Audience() {
    leaving_ = true;
    reader_.join();
    for (const int client : clients_) close(client);
  }
  Audience(const Audience&) = delete;
  Audience& operator=(const Audience&) = delete;

 private:
  void read() {
    std::vector<pollfd> waiting;
    for (std::size_t k = 1; k < clients_.size(); ++k) waiting.push_back({clients_[k], POLLIN, 0});
    std::vector<char> buffer(1 << 16);
    while (!leaving_) {
      poll(waiting.data(), waiting.size(), 20);
      for (const pollfd& each : waiting)
        while (::read(each.fd, buffer.data(), buffer.size()) > 0) continue;
    }
  }

  std::vector<int> clients_;
  std::atomic<bool> leaving_ = false;
  std::thread reader_;
};

/// Steps in a second, over a window.
double speed(const studio::Recording& recording) {
  const auto begin = std::chrono::steady_clock::now();
  const std::size_t first = recording.extent().end;
  std::this_thread::sleep_for(kWindow);
  const std::size_t steps = recording.extent().end - first;
  return static_cast<double>(steps) / std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

void watchedByTwenty(benchmark::State& state) {
  studio::LiveOptions options;
  options.speed = 0.0;
  options.most_bytes = std::size_t{64} << 20;
  auto session =
      std::make_unique<studio::LiveSession>(std::string(FOOTFALL_SOURCE_DIR) + "/scenes/icub.yaml", std::move(options));
  const studio::Recording& recording = session->recording();
  std::vector<std::unique_ptr<studio::Session>> sessions;
  sessions.push_back(std::move(session));
  studio::Studio studio(std::move(sessions));
  studio::WebServer server({}, studio);
  std::thread serving([&] { server.run(); });
  std::vector<double> alone, watched, ratios;
  for (auto _ : state) {
    alone.push_back(speed(recording));
    const Audience audience(portOf(server.url()));
    std::this_thread::sleep_for(100ms);
    watched.push_back(speed(recording));
    ratios.push_back(watched.back() / alone.back());
  }
  server.stop();
  serving.join();
  state.counters["steps/s alone"] = median(alone);
  state.counters["steps/s watched"] = median(watched);
  state.counters["watched/alone"] = median(ratios);
}
BENCHMARK(watchedByTwenty)->Iterations(25)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace footfall
