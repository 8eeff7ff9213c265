#include "footfall/base/internal/counter_noise.hpp"

#include <cmath>
#include <numbers>

namespace footfall {
namespace {

std::uint32_t highHalf(std::uint64_t product) { return static_cast<std::uint32_t>(product >> 32); }
std::uint32_t lowHalf(std::uint64_t product) { return static_cast<std::uint32_t>(product); }

/// Finalizer of splitmix64: every bit of the result depends on every bit of x.
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// FNV-1a: the same on every machine, which std::hash does not promise.
std::uint64_t hash(std::string_view text) {
  std::uint64_t h = 0xcbf29ce484222325u;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return h;
}

/// In (0, 1), never one of the ends: the logarithm below needs that.
double uniform(std::uint32_t high, std::uint32_t low) {
  const std::uint64_t bits = (static_cast<std::uint64_t>(high) << 32 | low) >> 12;
  return (static_cast<double>(bits) + 0.5) * 0x1p-52;
}

}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53u} * counter[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57u} * counter[2];
    counter = {highHalf(b) ^ counter[1] ^ key[0], lowHalf(b), highHalf(a) ^ counter[3] ^ key[1], lowHalf(a)};
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
  return counter;
}

std::uint64_t noiseKey(std::uint64_t run_seed, std::uint64_t sensor_seed, std::string_view sensor_name) {
  return mix(mix(mix(run_seed) ^ sensor_seed) ^ hash(sensor_name));
}

double gaussian(std::uint64_t key, std::uint32_t channel, std::uint64_t sample, NoiseUse use) {
  const auto bits = philox({lowHalf(sample), highHalf(sample), channel, static_cast<std::uint32_t>(use)},
                           {lowHalf(key), highHalf(key)});
  // Box and Muller.
  const double radius = std::sqrt(-2.0 * std::log(uniform(bits[0], bits[1])));
  return radius * std::cos(2.0 * std::numbers::pi * uniform(bits[2], bits[3]));
}

}  // namespace footfall
