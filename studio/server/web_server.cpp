// The only file that includes Boost.Beast.

#include "studio/server/web_server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <csignal>
#include <deque>
#include <map>
#include <random>
#include <set>
#include <utility>

#include "footfall/base/error.hpp"

namespace footfall::studio {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = asio::ip::tcp;
using boost::system::error_code;
using Request = http::request<http::string_body>;

constexpr std::size_t kMostRequestBytes = 1024;       ///< of a body; nothing that is served has one
constexpr std::size_t kMostMessageBytes = 64 * 1024;  ///< from a client
constexpr std::size_t kMostWaitingPackets = 64;       ///< for a client that reads slowly
constexpr std::size_t kMostConnections = 128;
constexpr auto kPatience = std::chrono::seconds(20);  ///< with a client that says or takes nothing
constexpr auto kFrameTime = std::chrono::microseconds(16'667);

std::string randomToken() {
  std::random_device device;
  std::string token;
  for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", device());
  return token;
}

/// Takes as long for a wrong first letter as for a wrong last one.
bool sameSecret(beast::string_view a, const std::string& b) {
  unsigned difference = a.size() == b.size() ? 0u : 1u;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    difference |= static_cast<unsigned>(static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]));
  return difference == 0;
}

struct Target {
  std::string path, token;
};

Target splitTarget(beast::string_view target) {
  const std::size_t question = target.find('?');
  Target result{std::string(target.substr(0, question)), ""};
  if (question == beast::string_view::npos) return result;
  const std::string query(target.substr(question + 1));
  constexpr const char* kKey = "token=";
  if (const std::size_t begin = query.find(kKey); begin != std::string::npos)
    result.token = query.substr(begin + 6, query.find('&', begin) - begin - 6);
  return result;
}

/// The name without the port; "[::1]:80" is "[::1]".
std::string hostName(const std::string& host) {
  const std::size_t bracket = host.rfind(']');
  const std::size_t colon = host.find(':', bracket == std::string::npos ? 0 : bracket);
  return host.substr(0, colon);
}

/// A name that can only mean this machine: a page of somebody else whose name was bent to point here has another.
bool meansThisMachine(const std::string& host) {
  const std::string name = hostName(host);
  return name == "localhost" || name == "127.0.0.1" || name == "[::1]";
}

}  // namespace

class Client;

struct WebServer::Parts {
  Parts(const WebOptions& o, WebHandler& h) : options(o), handler(h), acceptor(io), ticker(io), signals(io) {}

  WebOptions options;
  WebHandler& handler;
  std::size_t connections = 0;  ///< before `io`, whose end is that of the connections
  asio::io_context io{1};
  tcp::acceptor acceptor;
  asio::steady_timer ticker;
  asio::signal_set signals;
  std::string token;  ///< empty: none is needed
  std::string url;
  std::map<int, std::shared_ptr<Client>> clients;
  int next_client = 0;

  void listen();
  void accept();
  void tick();
  http::status judge(const Request& request, const Target& target) const;
};

/// Counts the connections that are open.
class ConnectionCount {
 public:
  explicit ConnectionCount(WebServer::Parts& server) : server_(server) { ++server_.connections; }
  ~ConnectionCount() { --server_.connections; }
  ConnectionCount(const ConnectionCount&) = delete;
  ConnectionCount& operator=(const ConnectionCount&) = delete;

 private:
  WebServer::Parts& server_;
};

/// A page that listens.
class Client : public std::enable_shared_from_this<Client> {
 public:
  Client(WebServer::Parts& server, tcp::socket&& socket)
      : server_(server), count_(server_), socket_(std::move(socket)) {}

  void start(const Request& request) {
    websocket::stream_base::timeout patience = websocket::stream_base::timeout::suggested(beast::role_type::server);
    patience.idle_timeout = kPatience;
    patience.keep_alive_pings = true;
    socket_.set_option(patience);
    socket_.read_message_max(kMostMessageBytes);
    socket_.auto_fragment(false);
    socket_.async_accept(request, [self = shared_from_this()](error_code error) {
      if (!error) self->join();
    });
  }

  /// Sends what is new, unless the client is still busy with what it was sent before.
  void offerNews() {
    if (waiting_.empty()) send(server_.handler.news(number_));
  }

 private:
  void join() {
    number_ = server_.next_client++;
    server_.clients[number_] = shared_from_this();
    server_.handler.clientJoined(number_);
    read();
  }

  void leave() {
    if (server_.clients.erase(number_) == 0) return;
    server_.handler.clientLeft(number_);
    beast::get_lowest_layer(socket_).close();
  }

  void read() {
    socket_.async_read(incoming_, [self = shared_from_this()](error_code error, std::size_t) { self->onRead(error); });
  }

  void onRead(error_code error) {
    if (error || !socket_.got_text()) return leave();
    const std::string text = beast::buffers_to_string(incoming_.data());
    incoming_.consume(incoming_.size());
    send(server_.handler.answer(number_, text));
    if (server_.clients.count(number_) != 0) read();
  }

  void send(std::vector<Packet> packets) {
    if (waiting_.size() + packets.size() > kMostWaitingPackets) return leave();
    const bool idle = waiting_.empty();
    for (Packet& packet : packets) waiting_.push_back(std::move(packet));
    if (idle && !waiting_.empty()) write();
  }

  void write() {
    socket_.binary(waiting_.front().binary);
    socket_.async_write(asio::buffer(*waiting_.front().bytes),
                        [self = shared_from_this()](error_code error, std::size_t) { self->onWritten(error); });
  }

  void onWritten(error_code error) {
    if (error) return leave();
    waiting_.pop_front();
    if (!waiting_.empty()) write();
  }

  WebServer::Parts& server_;
  ConnectionCount count_;
  websocket::stream<beast::tcp_stream> socket_;
  beast::flat_buffer incoming_;
  std::deque<Packet> waiting_;  ///< the first one is on its way
  int number_ = -1;
};

/// A browser that asks for files, or wants to become a Client.
class Visitor : public std::enable_shared_from_this<Visitor> {
 public:
  Visitor(WebServer::Parts& server, tcp::socket&& socket)
      : server_(server), count_(server_), stream_(std::move(socket)) {}

  void read() {
    parser_.emplace();
    parser_->body_limit(kMostRequestBytes);
    stream_.expires_after(kPatience);
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](error_code error, std::size_t) { self->onRead(error); });
  }

 private:
  void onRead(error_code error) {
    if (error == http::error::end_of_stream) return close();
    if (error) return;  // nonsense, too large, or too slow: the connection goes down with this object
    const Request request = parser_->release();
    const Target target = splitTarget(request.target());
    const http::status verdict = server_.judge(request, target);
    if (verdict != http::status::ok) return refuse(request, verdict);
    if (websocket::is_upgrade(request)) {
      if (target.path != "/ws") return refuse(request, http::status::not_found);
      stream_.expires_never();
      std::make_shared<Client>(server_, stream_.release_socket())->start(request);
      return;
    }
    const std::optional<Resource> resource = server_.handler.get(target.path);
    if (!resource) return refuse(request, http::status::not_found);
    respond(request, http::status::ok, *resource);
  }

  void refuse(const Request& request, http::status status) {
    const auto text = std::make_shared<const std::string>(std::string(http::obsolete_reason(status)) + "\n");
    respond(request, status, {"text/plain", text});
  }

  void respond(const Request& request, http::status status, const Resource& resource) {
    auto response = std::make_shared<http::response<http::string_body>>(status, request.version());
    response->set(http::field::content_type, resource.type);
    response->set(http::field::cache_control, "no-store");
    response->set(http::field::x_frame_options, "DENY");
    response->set("X-Content-Type-Options", "nosniff");
    response->set("Referrer-Policy", "no-referrer");
    response->set(
        "Content-Security-Policy",
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
        "img-src data: blob:; font-src data:; connect-src 'self' ws: wss:; base-uri 'none'; form-action 'none'");
    response->keep_alive(request.keep_alive() && status == http::status::ok);
    response->body() = *resource.body;
    response->prepare_payload();
    if (request.method() == http::verb::head) response->body().clear();
    stream_.expires_after(kPatience);
    http::async_write(stream_, *response, [self = shared_from_this(), response](error_code error, std::size_t) {
      if (error || !response->keep_alive()) return self->close();
      self->read();
    });
  }

  void close() {
    error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
  }

  WebServer::Parts& server_;
  ConnectionCount count_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
};

http::status WebServer::Parts::judge(const Request& request, const Target& target) const {
  if (request.method() != http::verb::get && request.method() != http::verb::head)
    return http::status::method_not_allowed;
  const std::string host(request[http::field::host]);
  if (host.empty() || (token.empty() && !meansThisMachine(host))) return http::status::forbidden;
  const auto origin = request.find(http::field::origin);
  if (origin != request.end() && origin->value() != "http://" + host) return http::status::forbidden;
  if (!token.empty() && !sameSecret(target.token, token)) return http::status::unauthorized;
  return http::status::ok;
}

void WebServer::Parts::listen() {
  error_code error;
  const asio::ip::address address =
      asio::ip::make_address(options.bind == "localhost" ? "127.0.0.1" : options.bind, error);
  if (error)
    throw Error("--bind " + options.bind, "this is not an address", "for example 127.0.0.1, or 0.0.0.0 for all");
  if (!address.is_loopback()) token = randomToken();
  const tcp::endpoint wanted(address, options.port);
  acceptor.open(wanted.protocol());
  acceptor.set_option(asio::socket_base::reuse_address(true));
  acceptor.bind(wanted, error);
  if (error && options.other_port) acceptor.bind({address, 0}, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error)
    throw Error(fmt::format("--port {}", options.port),
                fmt::format("cannot listen on {}: {}", options.bind, error.message()),
                "another program may use it; --port 0 takes any free one");
  const tcp::endpoint local = acceptor.local_endpoint();
  const std::string name = address.is_v6() ? fmt::format("[{}]", options.bind) : options.bind;
  url = fmt::format("http://{}:{}/{}", name, local.port(), token.empty() ? "" : "?token=" + token);
}

void WebServer::Parts::accept() {
  acceptor.async_accept([this](error_code error, tcp::socket socket) {
    if (!acceptor.is_open()) return;
    if (!error && connections < kMostConnections) {
      error_code ignored;
      socket.set_option(tcp::no_delay(true), ignored);
      std::make_shared<Visitor>(*this, std::move(socket))->read();
    }
    accept();
  });
}

void WebServer::Parts::tick() {
  ticker.expires_after(kFrameTime);
  ticker.async_wait([this](error_code error) {
    if (error) return;
    if (!clients.empty()) handler.lookForNews();
    const auto present = clients;  // some may leave while they are being served
    for (const auto& [number, client] : present) client->offerNews();
    tick();
  });
}

WebServer::WebServer(const WebOptions& options, WebHandler& handler)
    : parts_(std::make_unique<Parts>(options, handler)) {
  parts_->listen();
}

WebServer::~WebServer() {
  stop();
  parts_->clients.clear();
}

const std::string& WebServer::url() const { return parts_->url; }

void WebServer::run() {
  parts_->accept();
  parts_->tick();
  parts_->io.run();
}

void WebServer::stop() { parts_->io.stop(); }

void WebServer::stopOnInterrupt() {
  parts_->signals.add(SIGINT);
  parts_->signals.add(SIGTERM);
  parts_->signals.async_wait([this](error_code error, int) {
    if (!error) stop();
  });
}

}  // namespace footfall::studio
