#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace footfall::studio::test {

/// A client that has shaken hands and looks at nothing that it is sent; reads only when it is told to.
class RawClient {
 public:
  /// @param url of a WebServer, with its token
  explicit RawClient(const std::string& url) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    const int small = 4096;  // so that it is soon behind when it does not read
    setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1))));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
      throw std::runtime_error("cannot connect");
    const std::string hello = "GET /ws" + url.substr(url.find('?')) +
                              " HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                              "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";
    if (write(socket_, hello.data(), hello.size()) < 0) throw std::runtime_error("cannot say hello");
    fcntl(socket_, F_SETFL, O_NONBLOCK);
  }
  ~RawClient() {
    if (socket_ >= 0) close(socket_);
  }
  RawClient(RawClient&& other) noexcept : socket_(std::exchange(other.socket_, -1)) {}
  RawClient& operator=(RawClient&&) = delete;

  int socket() const { return socket_; }

  /// Takes what has arrived, and returns how much that was [bytes]; throws when the server has hung up.
  std::size_t readAll() {
    static thread_local std::vector<char> buffer(1 << 16);
    std::size_t total = 0;
    while (true) {
      const ssize_t count = ::read(socket_, buffer.data(), buffer.size());
      if (count == 0) throw std::runtime_error("the server has hung up");
      if (count < 0) return total;
      total += static_cast<std::size_t>(count);
    }
  }

 private:
  int socket_;
};

}  // namespace footfall::studio::test
