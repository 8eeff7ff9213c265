#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "batch/quantities.hpp"

namespace footfall {

/// All that worlds remember, as it stands in a file.
struct WorldsImage {
  int copies = 0;
  int longest_delay = 0;
  std::vector<char> robot;                      ///< names of the model, its joints and bodies, one in a line
  std::vector<std::vector<double>> quantities;  ///< in the order of quantitiesOf(); empty: nobody has asked for it
  std::vector<double> motors, commands;
  // warm starts, one world after the other
  std::vector<std::int64_t> warm_slots;  ///< of each world
  std::vector<int> warm_candidate;
  std::vector<double> warm_impulse;
  std::vector<std::uint8_t> minimum_norm;
  std::vector<StepCount> count;
  std::vector<SolveStatus> status;
  std::vector<std::int64_t> auto_resets, commanded;
};

WorldsImage imageOf(const Model& model, const Worlds& worlds, const std::vector<StoredQuantity>& stored,
                    int longest_delay);

void write(const WorldsImage& image, std::ostream& out);
/// Throws Error when this is no image, or a part of one.
WorldsImage readImage(std::istream& in);

/// Throws Error unless the image is one of such worlds. Returns their warm starts.
std::vector<WarmStart> requireFit(const WorldsImage& image, const Model& model, const Worlds& worlds,
                                  const std::vector<StoredQuantity>& stored, int longest_delay);
/// Puts the numbers where the worlds have theirs. All quantities of the image have their memory.
void restore(const WorldsImage& image, std::vector<WarmStart> warm, const std::vector<StoredQuantity>& stored,
             Worlds& worlds);

}  // namespace footfall
