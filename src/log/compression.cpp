#include "log/compression.hpp"

#include <fmt/format.h>

#include <stdexcept>

#ifdef FOOTFALL_HAS_ZSTD
#include <zstd.h>
#endif

namespace footfall {

#ifdef FOOTFALL_HAS_ZSTD

namespace {

/// Quick: numbers of a simulation are noise in their last digits, and higher levels find little more. Level 1 takes a
/// fifth longer for a hundredth less.
constexpr int kLevel = -1;

void check(std::size_t result) {
  if (ZSTD_isError(result)) throw std::runtime_error(ZSTD_getErrorName(result));
}

}  // namespace

struct Compressor::Context {
  ZSTD_CCtx* zstd = ZSTD_createCCtx();
  ~Context() { ZSTD_freeCCtx(zstd); }
};

Compressor::Compressor() : context_(std::make_unique<Context>()) {}
Compressor::~Compressor() = default;

std::string_view Compressor::name() { return "zstd"; }

void Compressor::compress(std::string_view bytes, std::string& out) {
  out.resize(ZSTD_compressBound(bytes.size()));
  const std::size_t size =
      ZSTD_compressCCtx(context_->zstd, out.data(), out.size(), bytes.data(), bytes.size(), kLevel);
  check(size);
  out.resize(size);
}

namespace {

void decompressZstd(std::string_view bytes, std::string& out) {
  const std::size_t size = ZSTD_decompress(out.data(), out.size(), bytes.data(), bytes.size());
  check(size);
  if (size != out.size()) throw std::runtime_error(fmt::format("{} bytes came out, expected {}", size, out.size()));
}

}  // namespace

#else

struct Compressor::Context {};
Compressor::Compressor() = default;
Compressor::~Compressor() = default;
std::string_view Compressor::name() { return ""; }
void Compressor::compress(std::string_view bytes, std::string& out) { out = bytes; }

namespace {
void decompressZstd(std::string_view, std::string&) { throw std::runtime_error("this build of footfall has no zstd"); }
}  // namespace

#endif

void decompress(std::string_view method, std::string_view bytes, std::size_t size, std::string& out) {
  // A few bytes must not claim all the memory: a block of zstd has at least 4 bytes, and becomes 128 KiB at most.
  constexpr std::size_t kLargestRatio = (128 << 10) / 4;
  if (size / kLargestRatio > bytes.size())
    throw std::runtime_error(fmt::format("{} bytes claim to hold {}", bytes.size(), size));
  if (method.empty()) {
    if (bytes.size() != size) throw std::runtime_error(fmt::format("it has {} bytes, expected {}", bytes.size(), size));
    out = bytes;
  } else if (method == "zstd") {
    out.resize(size);
    decompressZstd(bytes, out);
  } else {
    throw std::runtime_error(fmt::format("it is compressed by '{}', expected zstd", method));
  }
}

}  // namespace footfall
