#include "archive/zip_file.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <cstdint>
#include <fstream>
#include <sstream>
#include <utility>

#include "footfall/base/error.hpp"

namespace footfall::fmu {
namespace {

// Layout by PKWARE's APPNOTE, without ZIP64: an FMU stays far below 4 GiB.
constexpr std::uint32_t kLocalHeader = 0x04034b50, kCentralHeader = 0x02014b50, kEndRecord = 0x06054b50;
constexpr std::uint16_t kVersion = 20, kUtf8Names = 1 << 11, kDeflated = 8;
constexpr std::uint16_t kNoTime = 0, kFirstDate = (1 << 5) | 1;  // 1 January 1980
constexpr std::uint32_t kPlainFile = 0100644u << 16, kExecutable = 0100755u << 16;

class Bytes {
 public:
  Bytes& u16(std::uint16_t value) { return add(value, 2); }
  Bytes& u32(std::uint32_t value) { return add(value, 4); }
  Bytes& text(const std::string& value) {
    bytes_ += value;
    return *this;
  }
  const std::string& get() const { return bytes_; }

 private:
  Bytes& add(std::uint32_t value, int size) {
    for (int i = 0; i < size; ++i) bytes_ += static_cast<char>(value >> (8 * i) & 0xffu);
    return *this;
  }
  std::string bytes_;
};

/// Without zlib's own header, as archives want it.
std::string deflateRaw(const std::string& bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY) != Z_OK)
    throw Error("", "zlib cannot compress");
  std::string packed(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

/// What the header of a file and its entry in the directory have in common.
std::string commonFields(const ZipEntry& entry, std::size_t packed) {
  const uLong crc = crc32(0, reinterpret_cast<const Bytef*>(entry.bytes.data()), static_cast<uInt>(entry.bytes.size()));
  return Bytes()
      .u16(kVersion)
      .u16(kUtf8Names)
      .u16(kDeflated)
      .u16(kNoTime)
      .u16(kFirstDate)
      .u32(static_cast<std::uint32_t>(crc))
      .u32(static_cast<std::uint32_t>(packed))
      .u32(static_cast<std::uint32_t>(entry.bytes.size()))
      .u16(static_cast<std::uint16_t>(entry.name.size()))
      .u16(0)
      .get();
}

/// Reads numbers of an archive; throws Error at its end.
class Cursor {
 public:
  Cursor(const std::string& bytes, std::size_t place, const std::string& path)
      : bytes_(bytes), place_(place), path_(path) {}
  std::uint32_t u16() { return number(2); }
  std::uint32_t u32() { return number(4); }
  void skip(std::size_t count) { take(count); }
  std::string text(std::size_t count) { return bytes_.substr(take(count), count); }

 private:
  std::uint32_t number(std::size_t size) {
    const std::size_t at = take(size);
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < size; ++i)
      value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes_[at + i])) << (8 * i);
    return value;
  }
  std::size_t take(std::size_t count) {
    if (count > bytes_.size() || place_ > bytes_.size() - count) throw Error(path_, "the archive ends too early");
    return std::exchange(place_, place_ + count);
  }
  const std::string& bytes_;
  std::size_t place_;
  const std::string& path_;
};

std::string inflateRaw(const std::string& packed, std::size_t size, const std::string& path) {
  // A description of a few bytes must not claim all the memory: deflate packs at most about 1 : 1032.
  if (size > 1100 * (packed.size() + 1)) throw Error(path, "the archive is damaged: a file in it claims too much room");
  std::string bytes(size, '\0');
  z_stream stream{};
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw Error(path, "zlib cannot unpack");
  const int status = inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  if (status != Z_STREAM_END || stream.total_out != size) throw Error(path, "the archive is damaged");
  return bytes;
}

void checkName(const std::string& name, const std::string& path) {
  const bool leads_out =
      name.starts_with('/') || name.find("..") != std::string::npos || name.find('\\') != std::string::npos;
  if (name.empty() || leads_out)
    throw Error(path, fmt::format("the archive holds the name '{}', which leads out of it", name));
}

/// Where the directory begins, and how many files there are.
std::pair<std::size_t, std::uint32_t> findDirectory(const std::string& bytes, const std::string& path) {
  const std::string signature = Bytes().u32(kEndRecord).get();
  const std::size_t end = bytes.rfind(signature);
  if (end == std::string::npos) throw Error(path, "this is no ZIP archive, and so no FMU");
  Cursor cursor(bytes, end, path);
  cursor.skip(10);
  const std::uint32_t count = cursor.u16();
  cursor.skip(4);
  return {cursor.u32(), count};
}

std::string readContent(const std::string& bytes, std::size_t offset, std::uint32_t method, std::size_t packed_size,
                        std::size_t size, const std::string& path) {
  Cursor local(bytes, offset, path);
  local.skip(26);
  const std::uint32_t name_size = local.u16(), extra_size = local.u16();
  local.skip(name_size + extra_size);
  const std::string packed = local.text(packed_size);
  if (method == 0) return packed;
  if (method == kDeflated) return inflateRaw(packed, size, path);
  throw Error(path, fmt::format("the archive is packed by method {}, expected 0 or 8", method));
}

}  // namespace

void writeZip(const std::string& path, const std::vector<ZipEntry>& entries) {
  std::string archive, directory;
  for (const ZipEntry& entry : entries) {
    const auto offset = static_cast<std::uint32_t>(archive.size());
    const std::string packed = deflateRaw(entry.bytes);
    const std::string fields = commonFields(entry, packed.size());
    archive += Bytes().u32(kLocalHeader).text(fields).text(entry.name).text(packed).get();
    constexpr std::uint16_t kMadeOnUnix = 3 << 8 | kVersion;
    const bool is_library = entry.name.ends_with(".so");
    directory += Bytes()
                     .u32(kCentralHeader)
                     .u16(kMadeOnUnix)
                     .text(fields)
                     .u16(0)
                     .u16(0)
                     .u16(0)
                     .u32(is_library ? kExecutable : kPlainFile)
                     .u32(offset)
                     .text(entry.name)
                     .get();
  }
  const auto count = static_cast<std::uint16_t>(entries.size());
  const std::string end = Bytes()
                              .u32(kEndRecord)
                              .u16(0)
                              .u16(0)
                              .u16(count)
                              .u16(count)
                              .u32(static_cast<std::uint32_t>(directory.size()))
                              .u32(static_cast<std::uint32_t>(archive.size()))
                              .u16(0)
                              .get();
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << archive << directory << end;
  file.close();
  if (!file)
    throw CannotWrite(path, "the file cannot be written", "is the folder there, and is there room on the disk?");
}

std::vector<ZipEntry> readZip(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  if (!file) throw Error(path, "the file cannot be read");
  const std::string bytes = content.str();
  const auto [directory, count] = findDirectory(bytes, path);
  Cursor cursor(bytes, directory, path);
  std::vector<ZipEntry> entries;
  std::size_t packed_together = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (cursor.u32() != kCentralHeader) throw Error(path, "the directory of the archive is damaged");
    cursor.skip(6);
    const std::uint32_t method = cursor.u16();
    cursor.skip(8);
    const std::uint32_t packed_size = cursor.u32(), size = cursor.u32();
    const std::uint32_t name_size = cursor.u16(), extra_size = cursor.u16(), comment_size = cursor.u16();
    cursor.skip(8);
    const std::uint32_t offset = cursor.u32();
    const std::string name = cursor.text(name_size);
    cursor.skip(extra_size + comment_size);
    checkName(name, path);
    // Files of an archive do not share their bytes: else a small one could hold the same large file a thousand times.
    packed_together += packed_size;
    if (packed_together > bytes.size()) throw Error(path, "the archive is damaged: files in it overlap");
    if (!name.ends_with('/')) entries.push_back({name, readContent(bytes, offset, method, packed_size, size, path)});
  }
  return entries;
}

}  // namespace footfall::fmu
