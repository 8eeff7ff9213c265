#include "batch/worlds_image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <istream>
#include <ostream>
#include <utility>

#include "footfall/base/error.hpp"

namespace footfall {
namespace {

constexpr std::array<char, 8> kMagic{'F', 'F', 'B', 'A', 'T', 'C', 'H', '3'};
constexpr std::uint64_t kMostNumbers = std::uint64_t{1} << 36;

/// Calls visit(part) for each part of an image that is no list of lists, in the order of the file.
template <class Image, class Visit>
void forEachPart(Image& image, Visit&& visit) {
  visit(image.robot);
  visit(image.motors);
  visit(image.commands);
  visit(image.warm_slots);
  visit(image.warm_candidate);
  visit(image.warm_impulse);
  visit(image.minimum_norm);
  visit(image.count);
  visit(image.status);
  visit(image.auto_resets);
  visit(image.commanded);
}

template <class T>
void writeNumber(std::ostream& out, const T& number) {
  out.write(reinterpret_cast<const char*>(&number), sizeof number);
}

template <class T>
void writeList(std::ostream& out, const std::vector<T>& list) {
  writeNumber(out, std::uint64_t{list.size()});
  out.write(reinterpret_cast<const char*>(list.data()), static_cast<std::streamsize>(list.size() * sizeof(T)));
}

template <class T>
T readNumber(std::istream& in) {
  T number{};
  if (!in.read(reinterpret_cast<char*>(&number), sizeof number))
    throw Error("batch", "the saved worlds end too early", "the file or pickle is cut off");
  return number;
}

/// In portions: a damaged size takes no more memory than there are bytes.
template <class T>
void readList(std::istream& in, std::vector<T>& list) {
  constexpr std::uint64_t kPortion = 1 << 16;
  const auto size = readNumber<std::uint64_t>(in);
  if (size > kMostNumbers) throw Error("batch", "the saved worlds are damaged: a list has no size");
  while (list.size() < size) {
    const std::size_t have = list.size(), more = std::min(size - have, kPortion);
    list.resize(have + more);
    if (!in.read(reinterpret_cast<char*>(list.data() + have), static_cast<std::streamsize>(more * sizeof(T))))
      throw Error("batch", "the saved worlds end too early", "the file or pickle is cut off");
  }
}

std::vector<double> numbersOf(const BatchArray& array) {
  const std::size_t count = array.bytes() / sizeof(double);
  return {array.data(), array.data() + count};
}

void requireSame(const char* what, std::size_t given, std::size_t expected) {
  if (given != expected)
    throw Error("batch", fmt::format("the saved worlds have {} {}, these have {}", given, what, expected),
                "they belong to a batch of the same scene, with as many copies and the same longest delay");
}

/// Numbers of the rings of commands, where there are any.
std::size_t commandNumbers(std::size_t copies, const std::vector<StoredQuantity>& stored, int longest_delay) {
  int width = 0;
  for (const StoredQuantity& quantity : stored)
    if (quantity.about.name == "tau" || quantity.about.name == "target") width += quantity.about.width;
  return copies * static_cast<std::size_t>(longest_delay + 1) * static_cast<std::size_t>(width);
}

void addWarmStart(const WarmStart& warm, WorldsImage& image) {
  image.warm_slots.push_back(warm.candidate.size());
  image.warm_candidate.insert(image.warm_candidate.end(), warm.candidate.begin(), warm.candidate.end());
  image.warm_impulse.insert(image.warm_impulse.end(), warm.impulse.begin(), warm.impulse.end());
  image.minimum_norm.push_back(warm.minimum_norm);
}

/// Those of all worlds, in their order. Throws Error where the lists are too short for them, or too long.
std::vector<WarmStart> warmStartsOf(const WorldsImage& image, const Model& model) {
  constexpr const char* kDamaged = "the saved worlds are damaged: their warm starts do not fit the robot";
  std::vector<WarmStart> all;
  const int* candidate = image.warm_candidate.data();
  const double* impulse = image.warm_impulse.data();
  auto candidates_left = static_cast<std::int64_t>(image.warm_candidate.size());
  auto impulses_left = static_cast<std::int64_t>(image.warm_impulse.size());
  for (std::size_t world = 0; world < image.warm_slots.size(); ++world) {
    const std::int64_t slots = image.warm_slots[world];
    if (slots < 0 || slots > candidates_left) throw Error("batch", kDamaged);
    const std::int64_t impulses = 3 * slots + 2 * model.jointDofs();
    if (impulses > impulses_left) throw Error("batch", kDamaged);
    WarmStart& warm = all.emplace_back();
    warm.candidate = Eigen::Map<const Eigen::VectorXi>(candidate, slots);
    warm.impulse = Eigen::Map<const VectorXd>(impulse, impulses);
    warm.minimum_norm = image.minimum_norm[world] != 0;
    if (!warmStartFits(model, warm)) throw Error("batch", kDamaged);
    candidate += slots, candidates_left -= slots;
    impulse += impulses, impulses_left -= impulses;
  }
  if (candidates_left != 0 || impulses_left != 0) throw Error("batch", kDamaged);
  return all;
}

void copyInto(const std::vector<double>& numbers, BatchArray& array) {
  std::copy(numbers.begin(), numbers.end(), array.data());
}

}  // namespace

WorldsImage imageOf(const Model& model, const Worlds& worlds, const std::vector<StoredQuantity>& stored,
                    int longest_delay) {
  WorldsImage image;
  const std::string identity = robotIdentity(model);
  image.robot.assign(identity.begin(), identity.end());
  image.copies = worlds.copies();
  image.longest_delay = longest_delay;
  for (const StoredQuantity& quantity : stored) image.quantities.push_back(numbersOf(worlds.*quantity.array));
  image.motors = numbersOf(worlds.motors);
  image.commands = numbersOf(worlds.commands);
  for (const WarmStart& warm : worlds.warm) addWarmStart(warm, image);
  image.count = worlds.count;
  image.status = worlds.status;
  image.auto_resets = worlds.auto_resets;
  image.commanded = worlds.commanded;
  return image;
}

void write(const WorldsImage& image, std::ostream& out) {
  writeNumber(out, kMagic);
  writeNumber(out, image.copies);
  writeNumber(out, image.longest_delay);
  writeNumber(out, std::uint64_t{image.quantities.size()});
  for (const std::vector<double>& quantity : image.quantities) writeList(out, quantity);
  forEachPart(image, [&](const auto& part) { writeList(out, part); });
}

WorldsImage readImage(std::istream& in) {
  if (readNumber<std::array<char, 8>>(in) != kMagic)
    throw Error("batch", "these are no saved worlds of this version", "BatchSimulation::save() writes them");
  WorldsImage image;
  image.copies = readNumber<int>(in);
  image.longest_delay = readNumber<int>(in);
  const auto quantities = readNumber<std::uint64_t>(in);
  for (std::uint64_t k = 0; k < quantities; ++k) readList(in, image.quantities.emplace_back());
  forEachPart(image, [&](auto& part) { readList(in, part); });
  return image;
}

std::vector<WarmStart> requireFit(const WorldsImage& image, const Model& model, const Worlds& worlds,
                                  const std::vector<StoredQuantity>& stored, int longest_delay) {
  const auto copies = static_cast<std::size_t>(worlds.copies());
  requireSame("copies", static_cast<std::size_t>(image.copies), copies);
  requireSame("steps of longest delay", static_cast<std::size_t>(image.longest_delay),
              static_cast<std::size_t>(longest_delay));
  requireSame("quantities", image.quantities.size(), stored.size());
  for (std::size_t k = 0; k < stored.size(); ++k)
    if (!image.quantities[k].empty())
      requireSame(fmt::format("numbers of '{}'", stored[k].about.name).c_str(), image.quantities[k].size(),
                  copies * static_cast<std::size_t>(stored[k].about.width));
  requireSame("numbers of motors", image.motors.size(), worlds.motors.bytes() / sizeof(double));
  if (!image.commands.empty())
    requireSame("commands", image.commands.size(), commandNumbers(copies, stored, longest_delay));
  for (const std::size_t each : {image.warm_slots.size(), image.minimum_norm.size(), image.count.size(),
                                 image.status.size(), image.auto_resets.size(), image.commanded.size()})
    requireSame("worlds", each, copies);
  requireSameRobot({image.robot.begin(), image.robot.end()}, model, "batch", "the saved worlds are");
  return warmStartsOf(image, model);
}

void restore(const WorldsImage& image, std::vector<WarmStart> warm, const std::vector<StoredQuantity>& stored,
             Worlds& worlds) {
  for (std::size_t k = 0; k < stored.size(); ++k) {
    BatchArray& array = worlds.*stored[k].array;
    if (!image.quantities[k].empty()) {
      copyInto(image.quantities[k], array);
    } else if (!array.empty()) {  // asked for here only: as if nobody had set it
      for (int world = 0; world < worlds.copies(); ++world) setAtFirst(stored[k], world, image.count[world], worlds);
    }
  }
  copyInto(image.motors, worlds.motors);
  worlds.warm = std::move(warm);
  worlds.count = image.count;
  worlds.commanded = image.commanded;
  if (image.commands.empty()) {
    std::fill(worlds.commanded.begin(), worlds.commanded.end(), 0);
  } else {
    copyInto(image.commands, worlds.commands);
  }
  // Somebody may look at these in place.
  std::copy(image.status.begin(), image.status.end(), worlds.status.begin());
  std::copy(image.auto_resets.begin(), image.auto_resets.end(), worlds.auto_resets.begin());
}

}  // namespace footfall
