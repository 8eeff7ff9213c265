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
#include <list>
#include <map>
#include <utility>

#include "footfall/base/error.hpp"
#include "studio/server/access.hpp"
#include "studio/server/page_places.hpp"
#include "studio/server/reachable_name.hpp"
#include "studio/server/refused.hpp"
#include "studio/server/stranger_pages.hpp"

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
constexpr std::size_t kMostWaitingBytes = 32 << 20;   ///< for a client: with more it is not listened to
constexpr int kMessagesPerFrame = 20;                 ///< of a client that are answered, over a long time
constexpr int kMostMessagesAtOnce = 200;              ///< after a quiet while
constexpr std::size_t kMostStrangers = 64;            ///< connections that have not shown a token yet
constexpr std::size_t kMostConnections = 128;         ///< of those who have
constexpr auto kStrangerPatience = std::chrono::seconds(5);
constexpr auto kPatience = std::chrono::seconds(20);        ///< with a browser that says or takes nothing
constexpr auto kClientPatience = std::chrono::seconds(60);  ///< with a page, which may be busy drawing
constexpr auto kFrameTime = std::chrono::microseconds(16'667);

struct Target {
  std::string path, query;
};

Target splitTarget(beast::string_view target) {
  const std::size_t question = target.find('?');
  if (question == beast::string_view::npos) return {std::string(target), ""};
  return {std::string(target.substr(0, question)), std::string(target.substr(question + 1))};
}

std::string cookiesOf(const Request& request) {
  std::string cookies;
  const auto [begin, end] = request.equal_range(http::field::cookie);
  for (auto field = begin; field != end; ++field)
    cookies += (cookies.empty() ? "" : "; ") + std::string(field->value());
  return cookies;
}

Credentials credentialsOf(const Request& request, const Target& target) {
  Credentials credentials{"", {}, cookiesOf(request), target.path, target.query};
  // Who sends two of them hopes that two readers take one each: then there is none.
  if (request.count(http::field::host) == 1) credentials.host = std::string(request[http::field::host]);
  if (const std::size_t count = request.count(http::field::origin); count != 0)
    credentials.origin = count == 1 ? std::string(request[http::field::origin]) : "several";
  return credentials;
}

/// What a page may do. @param nonce that its script has; empty: no script is run
std::string policy(const std::string& nonce) {
  const std::string script = nonce.empty() ? "" : fmt::format("script-src 'nonce-{}'; ", nonce);
  return "default-src 'none'; " + script +
         "style-src 'unsafe-inline'; img-src data: blob:; font-src data:; connect-src 'self'; base-uri 'none'; "
         "form-action 'none'; frame-ancestors 'none'";
}

}  // namespace

class Client;
class Visitor;

struct WebServer::Parts {
  Parts(const WebOptions& o, WebHandler& h) : options(o), handler(h), acceptor(io), ticker(io), signals(io) {}

  WebOptions options;
  WebHandler& handler;
  std::optional<Access> access;
  // These two lie before `io`, whose end is that of the connections.
  std::size_t connections = 0;    ///< of those who have shown a token
  std::list<Visitor*> strangers;  ///< the others; who has waited longest is the first
  asio::io_context io{1};
  tcp::acceptor acceptor;
  asio::steady_timer ticker;
  asio::signal_set signals;
  std::string url, launch_url;
  std::map<int, std::shared_ptr<Client>> clients;
  int next_client = 0;

  asio::ip::address addressToBind();
  void listen();
  void accept();
  void tick();
  void makeRoomForAStranger();
};

/// Counts the connections that are open to those who have shown a token.
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
    patience.idle_timeout = kClientPatience;
    patience.keep_alive_pings = true;
    socket_.set_option(patience);
    socket_.read_message_max(kMostMessageBytes);
    socket_.auto_fragment(false);
    socket_.async_accept(request, [self = shared_from_this()](error_code error) {
      if (!error) self->join();
    });
  }

  /// For each frame: sends what is new, unless the client is still busy with what it was sent before.
  void offerNews() {
    if (waiting_.empty()) send(server_.handler.news(number_));
    allowance_ = std::min(allowance_ + kMessagesPerFrame, kMostMessagesAtOnce);
    if (held_back_) listen();
  }

 private:
  void join() {
    number_ = server_.next_client++;
    server_.clients[number_] = shared_from_this();
    server_.handler.clientJoined(number_);
    listen();
  }

  void leave() {
    if (server_.clients.erase(number_) == 0) return;
    server_.handler.clientLeft(number_);
    beast::get_lowest_layer(socket_).close();
  }

  /// Takes the next message, but not faster than is fair to the others, nor while answers pile up.
  void listen() {
    held_back_ = allowance_ <= 0 || waiting_bytes_ > kMostWaitingBytes;
    if (held_back_ || server_.clients.count(number_) == 0) return;
    --allowance_;
    socket_.async_read(incoming_, [self = shared_from_this()](error_code error, std::size_t) { self->onRead(error); });
  }

  void onRead(error_code error) {
    if (error || !socket_.got_text()) return leave();
    const std::string text = beast::buffers_to_string(incoming_.data());
    incoming_.consume(incoming_.size());
    send(server_.handler.answer(number_, text));
    listen();
  }

  void send(std::vector<Packet> packets) {
    if (waiting_.size() + packets.size() > kMostWaitingPackets) return leave();
    const bool idle = waiting_.empty();
    for (Packet& packet : packets) {
      waiting_bytes_ += packet.bytes->size();
      waiting_.push_back(std::move(packet));
    }
    if (idle && !waiting_.empty()) write();
  }

  void write() {
    socket_.binary(waiting_.front().binary);
    socket_.async_write(asio::buffer(*waiting_.front().bytes),
                        [self = shared_from_this()](error_code error, std::size_t) { self->onWritten(error); });
  }

  void onWritten(error_code error) {
    if (error) return leave();
    waiting_bytes_ -= waiting_.front().bytes->size();
    waiting_.pop_front();
    if (!waiting_.empty()) write();
  }

  WebServer::Parts& server_;
  ConnectionCount count_;
  websocket::stream<beast::tcp_stream> socket_;
  beast::flat_buffer incoming_;
  std::deque<Packet> waiting_;  ///< the first one is on its way
  std::size_t waiting_bytes_ = 0;
  int allowance_ = kMostMessagesAtOnce;  ///< messages that may be read before the next frame
  bool held_back_ = false;               ///< nothing is read until the next frame
  int number_ = -1;
};

/// A browser that asks for files, or wants to become a Client; a stranger until it has shown a token.
class Visitor : public std::enable_shared_from_this<Visitor> {
 public:
  Visitor(WebServer::Parts& server, tcp::socket&& socket)
      : server_(server), place_(server.strangers.insert(server.strangers.end(), this)), stream_(std::move(socket)) {}
  ~Visitor() { leaveStrangers(); }
  Visitor(const Visitor&) = delete;
  Visitor& operator=(const Visitor&) = delete;

  void read() {
    parser_.emplace();
    parser_->body_limit(kMostRequestBytes);
    stream_.expires_after(count_ ? kPatience : kStrangerPatience);
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](error_code error, std::size_t) { self->onRead(error); });
  }

  /// Somebody else needs the place.
  void drop() {
    leaveStrangers();
    stream_.close();
  }

 private:
  void leaveStrangers() {
    if (place_) server_.strangers.erase(*place_);
    place_.reset();
  }

  void onRead(error_code error) {
    if (error == http::error::end_of_stream) return close();
    if (error) return;  // nonsense, too large, or too slow: the connection goes down with this object
    const Request request = parser_->release();
    if (request.method() != http::verb::get && request.method() != http::verb::head)
      return refuse(request, http::status::method_not_allowed);
    const Target target = splitTarget(request.target());
    switch (server_.access->judge(credentialsOf(request, target))) {
      case Verdict::forbidden:
        return refuse(request, http::status::forbidden);
      case Verdict::stranger:
        if (target.path != "/") return refuse(request, http::status::unauthorized);
        return respond(request, http::status::unauthorized, htmlOf(kStrangerPage));
      case Verdict::used_token:
        return respond(request, http::status::unauthorized, htmlOf(kUsedTokenPage));
      case Verdict::known:
        return welcome(request, target, false);
      case Verdict::newcomer:
        return welcome(request, target, true);
    }
  }

  void welcome(const Request& request, const Target& target, bool newcomer) {
    if (!count_) {
      if (server_.connections >= kMostConnections) return refuse(request, http::status::service_unavailable);
      leaveStrangers();
      count_.emplace(server_);
    }
    if (websocket::is_upgrade(request)) {
      if (target.path != "/ws") return refuse(request, http::status::not_found);
      stream_.expires_never();
      std::make_shared<Client>(server_, stream_.release_socket())->start(request);
      return;
    }
    try {
      const std::optional<Resource> resource = server_.handler.get(target.path);
      if (!resource) return refuse(request, http::status::not_found);
      respond(request, http::status::ok, *resource, newcomer);
    } catch (const std::exception& problem) {
      respond(request, http::status::internal_server_error, textOf(toldToPage(problem) + "\n"));
    }
  }

  static Resource textOf(std::string text) {
    return {"text/plain; charset=utf-8", std::make_shared<const std::string>(std::move(text))};
  }
  static Resource htmlOf(const char* html) {
    return {"text/html; charset=utf-8", std::make_shared<const std::string>(html)};
  }

  void refuse(const Request& request, http::status status) {
    respond(request, status, textOf(std::string(http::obsolete_reason(status)) + "\n"));
  }

  void respond(const Request& request, http::status status, const Resource& resource, bool newcomer = false) {
    auto response = std::make_shared<http::response<http::string_body>>(status, request.version());
    response->body() = *resource.body;
    std::string nonce;
    if (resource.page) {
      nonce = randomSecret();
      fillIn(response->body(), kHeadPlace,
             newcomer ? fmt::format(R"(<meta name="footfall-key" content="{}">)", server_.access->key()) : "");
      fillIn(response->body(), kNoncePlace, nonce);
    }
    if (newcomer)
      response->set(http::field::set_cookie, server_.access->cookieHeader(std::string(request[http::field::host])));
    response->set(http::field::content_type, resource.type);
    response->set(http::field::cache_control, "no-store");
    response->set(http::field::x_frame_options, "DENY");
    response->set("X-Content-Type-Options", "nosniff");
    response->set("Referrer-Policy", "no-referrer");
    response->set("Cross-Origin-Opener-Policy", "same-origin");
    response->set("Cross-Origin-Resource-Policy", "same-origin");
    response->set("Content-Security-Policy", policy(nonce));
    response->keep_alive(request.keep_alive() && status == http::status::ok);
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
  std::optional<std::list<Visitor*>::iterator> place_;  ///< among the strangers
  std::optional<ConnectionCount> count_;                ///< once it is none any more
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
};

/// An address, or the name of one.
asio::ip::address WebServer::Parts::addressToBind() {
  if (options.bind == "localhost") return asio::ip::make_address("127.0.0.1");
  error_code error;
  const asio::ip::address address = asio::ip::make_address(options.bind, error);
  if (!error) return address;
  const auto found = tcp::resolver(io).resolve(options.bind, "", error);
  if (error || found.empty())
    throw Error("--bind " + options.bind, "this is neither an address nor a name of this machine",
                "for example 127.0.0.1, or 0.0.0.0 for all");
  return found.begin()->endpoint().address();
}

void WebServer::Parts::listen() {
  error_code error;
  const asio::ip::address address = addressToBind();
  access.emplace(address.is_loopback());
  const tcp::endpoint wanted(address, options.port);
  acceptor.open(wanted.protocol(), error);
  if (!error) acceptor.set_option(asio::socket_base::reuse_address(true));
  if (!error) acceptor.bind(wanted, error);
  const auto isOfPort = [&] { return error == asio::error::address_in_use || error == asio::error::access_denied; };
  if (isOfPort() && options.other_port) acceptor.bind({address, 0}, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (isOfPort())
    throw Error(
        fmt::format("--port {}", options.port), fmt::format("cannot listen on {}: {}", options.bind, error.message()),
        error == asio::error::access_denied ? "ports below 1024 may be kept for the system; --port 0 takes any free one"
                                            : "another program may use it; --port 0 takes any free one");
  if (error)
    throw Error("--bind " + options.bind, fmt::format("cannot listen there: {}", error.message()),
                "an address of this machine, for example 127.0.0.1, or 0.0.0.0 for all");
  const tcp::endpoint local = acceptor.local_endpoint();
  const std::string name = address.is_unspecified() ? nameForOthers(ownAddresses(), address.is_v6()) : options.bind;
  const bool brackets = name.find(':') != std::string::npos;
  const std::string base = fmt::format("http://{}:{}/", brackets ? "[" + name + "]" : name, local.port());
  url = access->lastingUrl(base);
  launch_url = access->launchUrl(base);
}

void WebServer::Parts::accept() {
  acceptor.async_accept([this](error_code error, tcp::socket socket) {
    if (!acceptor.is_open()) return;
    if (!error) {
      error_code ignored;
      makeRoomForAStranger();
      socket.set_option(tcp::no_delay(true), ignored);
      std::make_shared<Visitor>(*this, std::move(socket))->read();
    }
    accept();
  });
}

/// Who has no token must not keep out those who have one: the one that has waited longest goes.
void WebServer::Parts::makeRoomForAStranger() {
  while (strangers.size() >= kMostStrangers) strangers.front()->drop();
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
const std::string& WebServer::launchUrl() const { return parts_->launch_url; }

void WebServer::run() {
  parts_->accept();
  parts_->tick();
  parts_->io.run();
}

void WebServer::stop() { parts_->io.stop(); }

void WebServer::stopOnInterrupt() {
  parts_->signals.add(SIGINT);
  parts_->signals.add(SIGTERM);
  // A terminal that is closed, unless `nohup` has said that it does not matter.
  struct sigaction before {};
  if (sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) parts_->signals.add(SIGHUP);
  parts_->signals.async_wait([this](error_code error, int) {
    if (!error) stop();
  });
}

}  // namespace footfall::studio
