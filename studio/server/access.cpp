#include "studio/server/access.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "footfall/base/error.hpp"

namespace footfall::studio {
namespace {

constexpr std::size_t kSecretBytes = 24;
constexpr const char* kToken = "token";
constexpr const char* kKey = "key";

/// Calls `use(name, value)` for each "name=value"; spaces in front of a name do not belong to it.
template <class Use>
void forEachPair(std::string_view text, char separator, Use use) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    std::string_view pair = text.substr(0, end);
    pair.remove_prefix(std::min(pair.find_first_not_of(' '), pair.size()));
    const std::size_t equals = pair.find('=');
    if (equals != std::string_view::npos) use(pair.substr(0, equals), pair.substr(equals + 1));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// Two values of one name have been put there by two people: neither counts.
std::optional<std::string> onlyValue(std::string_view text, char separator, std::string_view wanted) {
  std::optional<std::string> found;
  int count = 0;
  forEachPair(text, separator, [&](std::string_view name, std::string_view value) {
    if (name != wanted) return;
    found = std::string(value);
    ++count;
  });
  return count == 1 ? found : std::nullopt;
}

/// A name that can only mean this machine: a page of somebody else whose name was bent to point here has another.
bool meansThisMachine(const std::string& name) {
  const bool number = name.rfind("127.", 0) == 0 && name.find_first_not_of("0123456789.") == std::string::npos;
  return number || name == "localhost" || name == "[::1]";
}

}  // namespace

std::string randomSecret() {
  std::array<unsigned char, kSecretBytes> bytes{};
  // Up to 256 bytes come all at once, or not at all.
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw Error("getrandom", "the system gives no random numbers, without which the page cannot be protected");
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

bool sameSecret(std::string_view a, std::string_view b) {
  unsigned difference = a.size() == b.size() ? 0u : 1u;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    difference |= static_cast<unsigned>(static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]));
  return difference == 0;
}

std::optional<std::string> queryValue(std::string_view query, std::string_view name) {
  return onlyValue(query, '&', name);
}

std::optional<std::string> cookieValue(std::string_view cookies, std::string_view name) {
  return onlyValue(cookies, ';', name);
}

std::optional<HostAndPort> splitHost(std::string_view host) {
  const std::size_t bracket = host.rfind(']');
  const std::size_t colon = host.find(':', bracket == std::string_view::npos ? 0 : bracket);
  HostAndPort result{std::string(host.substr(0, colon))};
  if (result.name.empty()) return {};
  if (colon == std::string_view::npos) return result;
  const std::string_view digits = host.substr(colon + 1);
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), result.port);
  const bool whole = error == std::errc() && stop == digits.data() + digits.size();
  if (!whole || result.port < 1 || result.port > 65535) return {};
  return result;
}

Access::Access(bool loopback) : loopback_(loopback) {}

std::string Access::lastingUrl(const std::string& base) const { return fmt::format("{}?{}={}", base, kToken, token_); }
std::string Access::launchUrl(const std::string& base) const {
  return fmt::format("{}?{}={}", base, kToken, launch_token_);
}

/// Browsers send cookies of a host to all of its ports: two servers would overwrite each other's. The port is the one
/// that the browser sees, which is another than ours behind a tunnel.
std::string Access::cookieName(const HostAndPort& host) { return fmt::format("footfall_{}", host.port); }

std::string Access::cookieHeader(const std::string& host) const {
  return fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict", cookieName(splitHost(host).value_or(HostAndPort{})),
                     cookie_);
}

Verdict Access::judge(const Credentials& credentials) {
  const std::optional<HostAndPort> host = splitHost(credentials.host);
  if (!host || (loopback_ && !meansThisMachine(host->name))) return Verdict::forbidden;
  if (credentials.origin && *credentials.origin != "http://" + credentials.host) return Verdict::forbidden;

  const bool page = credentials.path == "/";
  const std::string token = queryValue(credentials.query, kToken).value_or("");
  if (sameSecret(token, token_)) return page ? Verdict::newcomer : Verdict::known;
  if (page && sameSecret(token, launch_token_)) {
    if (launched_) return Verdict::used_token;
    launched_ = true;
    return Verdict::newcomer;
  }
  const bool has_cookie = sameSecret(cookieValue(credentials.cookies, cookieName(*host)).value_or(""), cookie_);
  const bool has_key = sameSecret(queryValue(credentials.query, kKey).value_or(""), key_);
  // A browser that opens the page cannot send a key: it lies where only the page can read it.
  return has_cookie && (has_key || page) ? Verdict::known : Verdict::stranger;
}

}  // namespace footfall::studio
