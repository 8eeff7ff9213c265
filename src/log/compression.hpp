#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace footfall {

/// Makes chunks smaller. A build without the zstd library writes them as they are, which every reader accepts.
class Compressor {
 public:
  Compressor();
  ~Compressor();
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;

  /// What MCAP calls it: "zstd", or empty when nothing is compressed.
  static std::string_view name();
  /// Replaces `out`; its memory is kept for the next call.
  void compress(std::string_view bytes, std::string& out);

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

/// The bytes that were compressed by `method`; throws std::runtime_error that says why that cannot be done.
void decompress(std::string_view method, std::string_view bytes, std::size_t size, std::string& out);

}  // namespace footfall
