#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace footfall {

// Random numbers without memory: the number is a function of what it is for. So a run that is restored, or that asks
// for its sensors in another order, sees the same noise, and one more sensor does not change the noise of the others.

/// Philox 4×32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011).
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

/// What the random numbers of one channel of a sensor are used for.
enum class NoiseUse : std::uint32_t { sample, bias_walk };

/// The key of one sensor's random numbers.
std::uint64_t noiseKey(std::uint64_t run_seed, std::uint64_t sensor_seed, std::string_view sensor_name);

/// A number of the standard normal distribution.
double gaussian(std::uint64_t key, std::uint32_t channel, std::uint64_t sample, NoiseUse use);

}  // namespace footfall
