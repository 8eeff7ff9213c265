#pragma once

#include <string>
#include <vector>

namespace footfall::studio {

/// An address of this machine.
struct OwnAddress {
  std::string text;  ///< "192.168.1.7"
  bool v6 = false;
  bool loopback = false;
  bool link_local = false;  ///< good on one cable only
};

/// Those of all interfaces that are up.
std::vector<OwnAddress> ownAddresses();

/// What another machine can call a server that listens on all addresses ("0.0.0.0", "::"): the first of them that goes
/// beyond this machine; without one, the loopback address. @param v6 it listens on both kinds
std::string nameForOthers(const std::vector<OwnAddress>& addresses, bool v6);

}  // namespace footfall::studio
