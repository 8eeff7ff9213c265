#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace footfall::studio {

// Who may ask the server for something. Knows no sockets: strings in, a verdict out. docs/studio.md says what is
// defended against whom.

/// 192 random bits of the operating system, as hexadecimal digits; throws Error when it has none.
std::string randomSecret();

/// Takes as long for a wrong first letter as for a wrong last one.
bool sameSecret(std::string_view a, std::string_view b);

/// The value of `name` in "a=1&name=2": of exactly this name. Nothing where it is missing, or there twice.
std::optional<std::string> queryValue(std::string_view query, std::string_view name);
/// The same in the header "a=1; name=2".
std::optional<std::string> cookieValue(std::string_view cookies, std::string_view name);

/// "name:port" of the header Host; nothing where it is malformed.
struct HostAndPort {
  std::string name;
  int port = 80;
};
std::optional<HostAndPort> splitHost(std::string_view host);

/// What a request says about who sends it.
struct Credentials {
  std::string host;                   ///< header Host
  std::optional<std::string> origin;  ///< header Origin: the page that asks
  std::string cookies;                ///< header Cookie; several are joined by "; "
  std::string path, query;            ///< what is asked for: "/scene/0", "key=…"
};

enum class Verdict {
  forbidden,   ///< from a page of somebody else, or by a name that was bent to this machine
  stranger,    ///< has no token
  used_token,  ///< has one that was good once
  known,       ///< has shown the token before
  newcomer,    ///< shows the token at "/": is to be given cookie and key
};

/// The secrets of one server.
///
/// Who knows the token may ask for everything. A browser is given it in the address of the page, once, and gets two
/// other secrets for it, so that it need not stay in the address: a cookie that no script can read and no page of
/// another site can use, and a key that the page keeps in the storage of its origin. Both are needed, because cookies
/// are sent to every port of a host: to a server of another account of this machine as well.
class Access {
 public:
  /// @param loopback only this machine reaches the server: then it must be called by a name of this machine
  explicit Access(bool loopback);

  /// The address of the page that is good for as long as the server runs. @param base "http://127.0.0.1:8642/"
  std::string lastingUrl(const std::string& base) const;
  /// The same for a browser that is started with it: good once, because other accounts see the arguments of processes.
  std::string launchUrl(const std::string& base) const;

  Verdict judge(const Credentials& credentials);

  /// The header Set-Cookie for a newcomer.
  std::string cookieHeader(const std::string& host) const;
  const std::string& key() const { return key_; }

 private:
  static std::string cookieName(const HostAndPort& host);

  bool loopback_;
  std::string token_ = randomSecret(), launch_token_ = randomSecret();
  std::string cookie_ = randomSecret(), key_ = randomSecret();
  bool launched_ = false;  ///< the launch token was used
};

}  // namespace footfall::studio
