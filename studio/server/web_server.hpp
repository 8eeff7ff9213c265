#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace footfall::studio {

/// Something that is served under a path.
struct Resource {
  std::string type;  ///< "text/html"
  std::shared_ptr<const std::string> body;
  bool page = false;  ///< html with the places of page_places.hpp, which are filled in for who asks
};

/// A message to a client; several may be sent the same bytes.
struct Packet {
  bool binary = false;
  std::shared_ptr<const std::string> bytes;
};

/// What a web server serves. All calls come from its one thread.
class WebHandler {
 public:
  virtual ~WebHandler() = default;
  /// What lies under a path, which starts with `/` and has no query; nothing: it does not exist.
  virtual std::optional<Resource> get(const std::string& path) = 0;
  virtual void clientJoined(int client) = 0;
  virtual void clientLeft(int client) = 0;
  /// Answers to a text message.
  virtual std::vector<Packet> answer(int client, const std::string& text) = 0;
  /// 60 times a second, before the clients of that moment are offered what is new.
  virtual void lookForNews() = 0;
  /// What is new for a client that has taken everything it was sent.
  virtual std::vector<Packet> news(int client) = 0;
};

struct WebOptions {
  std::string bind = "127.0.0.1";
  unsigned short port = 0;  ///< 0: any that is free
  bool other_port = false;  ///< take any free port when that one is taken
};

/// HTTP and WebSocket (at /ws) for a handful of people. It touches no file: what the handler does not know does not
/// exist. Only GET; small requests; nothing without a token (see Access), and nothing for pages of other origins. Who
/// has not shown a token is given little time and room; who has is read no faster than it is answered. A client that
/// does not read is sent nothing more, and is dropped after a while: nobody waits for it.
class WebServer {
 public:
  /// Starts to listen; throws Error when it cannot. The handler must outlive the server.
  WebServer(const WebOptions& options, WebHandler& handler);
  ~WebServer();

  /// Where the page is, with the token that is good for as long as the server runs.
  const std::string& url() const;
  /// The same with a token that is good once: for the arguments of a browser, which everybody on the machine can see.
  const std::string& launchUrl() const;
  /// Serves until stop().
  void run();
  /// From any thread.
  void stop();
  /// Ctrl-C, SIGTERM and a terminal that is closed (SIGHUP) stop it.
  void stopOnInterrupt();

  struct Parts;

 private:
  std::unique_ptr<Parts> parts_;
};

}  // namespace footfall::studio
