#pragma once

#include <string>
#include <vector>

namespace footfall {

struct BusField;

/// What travels along a line of a diagram. Every signal is a run of doubles; the type says how to read them.
/// Types of input ports may leave things open: kind `any`, a size of −1, an empty unit.
struct SignalType {
  enum class Kind {
    any,       ///< not known yet, or not important
    scalar,    ///< 1 number
    vector,    ///< rows numbers
    matrix,    ///< rows × columns numbers, column by column
    pose,      ///< position [m] and quaternion (x, y, z, w): 7 numbers
    boolean,   ///< 1 number: 0 or 1
    bus,       ///< named fields, one after the other
    function,  ///< no numbers: something that other blocks may call while they are evaluated
  };

  Kind kind = Kind::any;
  int rows = -1;     ///< −1: open
  int columns = -1;  ///< −1: open
  std::string unit;  ///< "N m"; "-" for plain numbers; empty: open. For a function: its signature
  std::vector<BusField> fields;

  static SignalType any(std::string unit = {});
  static SignalType scalar(std::string unit = {});
  static SignalType vector(int size = -1, std::string unit = {});
  static SignalType matrix(int rows = -1, int columns = -1, std::string unit = {});
  static SignalType pose();
  static SignalType boolean();
  static SignalType bus(std::vector<BusField> fields);
  static SignalType function(std::string signature);

  /// Kind and sizes are known; the unit may stay open.
  bool complete() const;
  /// Doubles that it takes; only of complete types.
  int size() const;
  /// "vector of 3 [N]", "bus {force, moment}"
  std::string describe() const;
};

struct BusField {
  std::string name;
  SignalType type;
};

/// A part of a signal: a whole one, or a field of a bus.
struct SignalPart {
  SignalType type;
  int offset = 0;  ///< of its first double in the whole
};

/// Looks a field up: "state.nu" finds the field `nu` of the field `state`; an empty path is the whole. Throws Error
/// with the nearest names.
SignalPart findField(const SignalType& type, const std::string& path);

/// Why a signal of type `given` may not go into an input of type `wanted`; empty: it may.
std::string mismatch(const SignalType& given, const SignalType& wanted);

}  // namespace footfall
