#include "sealed.hpp"

#include <cstdint>
#include <cstring>
#include <string_view>

#include "footfall/base/error.hpp"
#include "footfall/base/internal/crc32.hpp"

namespace footfall::python {
namespace {

constexpr std::string_view kMagic = "FFSEAL1\n";
constexpr std::size_t kHead = kMagic.size() + sizeof(std::uint32_t);

}  // namespace

std::string sealed(const std::string& bytes) {
  const std::uint32_t sum = crc32(bytes);
  std::string all(kMagic);
  all.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  return all + bytes;
}

std::string unsealed(const std::string& bytes, const std::string& where) {
  if (!bytes.starts_with(kMagic)) return bytes;
  if (bytes.size() < kHead) throw Error(where, "the snapshot ends too early", "it is cut off");
  std::uint32_t sum = 0;
  std::memcpy(&sum, bytes.data() + kMagic.size(), sizeof sum);
  std::string inside = bytes.substr(kHead);
  if (crc32(inside) != sum)
    throw Error(where, "the snapshot is damaged: its check sum is wrong", "it is cut off, or bytes of it have changed");
  return inside;
}

}  // namespace footfall::python
