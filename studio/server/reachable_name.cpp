#include "studio/server/reachable_name.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <algorithm>

namespace footfall::studio {
namespace {

bool linkLocal(const in_addr& address) { return (ntohl(address.s_addr) >> 16) == 0xa9fe; }  // 169.254.0.0/16

OwnAddress describe(const ifaddrs& entry) {
  char text[INET6_ADDRSTRLEN] = "";
  OwnAddress own;
  own.loopback = (entry.ifa_flags & IFF_LOOPBACK) != 0;
  if (entry.ifa_addr->sa_family == AF_INET) {
    const in_addr& address = reinterpret_cast<const sockaddr_in*>(entry.ifa_addr)->sin_addr;
    inet_ntop(AF_INET, &address, text, sizeof text);
    own.link_local = linkLocal(address);
  } else {
    const in6_addr& address = reinterpret_cast<const sockaddr_in6*>(entry.ifa_addr)->sin6_addr;
    inet_ntop(AF_INET6, &address, text, sizeof text);
    own.v6 = true;
    own.link_local = IN6_IS_ADDR_LINKLOCAL(&address) != 0;
  }
  own.text = text;
  return own;
}

}  // namespace

std::vector<OwnAddress> ownAddresses() {
  std::vector<OwnAddress> addresses;
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return addresses;
  for (const ifaddrs* entry = list; entry != nullptr; entry = entry->ifa_next) {
    if (entry->ifa_addr == nullptr || (entry->ifa_flags & IFF_UP) == 0) continue;
    const int family = entry->ifa_addr->sa_family;
    if (family == AF_INET || family == AF_INET6) addresses.push_back(describe(*entry));
  }
  freeifaddrs(list);
  return addresses;
}

std::string nameForOthers(const std::vector<OwnAddress>& addresses, bool v6) {
  for (const bool wanted_v6 : {false, true}) {
    if (wanted_v6 && !v6) break;
    const auto found = std::find_if(addresses.begin(), addresses.end(), [&](const OwnAddress& own) {
      return own.v6 == wanted_v6 && !own.loopback && !own.link_local;
    });
    if (found != addresses.end()) return found->text;
  }
  return "127.0.0.1";
}

}  // namespace footfall::studio
