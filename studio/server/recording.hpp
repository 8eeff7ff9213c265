#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "footfall/log/log.hpp"

namespace footfall::studio {

class ColumnBlocks;

/// What the page draws of one contact. Only doubles, so that it travels as it is; the page reads it in this order.
struct ContactSample {
  double candidate = -1.0;         ///< number in the model; −1: two bodies touch
  double frame = -1.0;             ///< what touches: number in the model
  double other = -1.0;             ///< what it touches: number in the model; −1: the ground
  double mode = 0.0;               ///< 0: open, 1: sticking, 2: sliding
  double gap = 0.0;                ///< [m]
  double friction = 0.0;           ///< coefficient of the surface [-]
  double p_WC[3] = {};             ///< [m]
  double normal_W[3] = {};         ///< of the ground, outward [-]
  double force_W[3] = {};          ///< mean of the step that starts here [N]
  double impulse_W[3] = {};        ///< of the impact at the start of that step [N s]
  double slip_velocity_C[3] = {};  ///< relative to the ground at the end of that step, contact axes [m/s]
};
inline constexpr std::size_t kContactNumbers = sizeof(ContactSample) / sizeof(double);

/// Something that pushes at the robot from outside in the step that starts here; doubles only, as above.
struct PushSample {
  double mouse = 0.0;       ///< 1: somebody pulls at it with the mouse; 0: a push of the scene or of its diagram
  double link = 0.0;        ///< number in the model
  double p_LP[3] = {};      ///< where it acts, in the link frame [m]
  double force_W[3] = {};   ///< [N]
  double moment_W[3] = {};  ///< [N m]
};
inline constexpr std::size_t kPushNumbers = sizeof(PushSample) / sizeof(double);

/// A joint that is made and released while it runs, and holds in the step that starts here; doubles only, as above.
struct TieSample {
  double name = -1.0;       ///< number among the ties of the scene; −1: made by code
  double kind = 0.0;        ///< a LoopKind
  double link_a = -1.0;     ///< number in the model; −1: the world
  double link_b = -1.0;     ///< number in the model; −1: the world
  double p_AF[3] = {};      ///< where it sits, in the frame of link a [m]
  double p_BF[3] = {};      ///< where it sits, in the frame of link b [m]
  double force_F[3] = {};   ///< on link b, in the axes of the tie; not-a-number: no step followed [N]
  double moment_F[3] = {};  ///< [N m]
};
inline constexpr std::size_t kTieNumbers = sizeof(TieSample) / sizeof(double);

/// One instant.
struct Row {
  std::size_t index = 0;
  std::vector<double> values;  ///< of all columns; the first one is the time [s]
  std::vector<ContactSample> contacts;
  std::vector<PushSample> pushes;
  std::vector<TieSample> ties;
};

/// Which rows there are now. Rows keep their numbers; a new epoch says that rows were taken back or replaced.
struct Extent {
  std::uint64_t epoch = 0;
  std::size_t first = 0;                    ///< oldest row that is still there
  std::size_t end = 0;                      ///< behind the newest
  double start_time = 0.0, end_time = 0.0;  ///< of these two rows [s]

  bool empty() const { return first == end; }
};

/// What happened in a run, by rows and by columns: of a simulation that is going on, or of a log.
class Recording {
 public:
  virtual ~Recording() = default;

  /// Of a live simulation only for the thread that writes: another diagram has other columns.
  virtual const std::vector<Column>& columns() const = 0;
  virtual std::size_t width() const { return columns().size(); }  ///< how many there are now
  virtual Extent extent() const = 0;
  /// The last row at or before a time; the first one if there is none. There must be rows.
  virtual std::size_t rowAt(double time) const = 0;
  /// False when that row is gone.
  virtual bool read(std::size_t index, Row& row) const = 0;
  /// Values of one column in rows [first, end), into `out` (end − first); rows and columns that are gone give
  /// not-a-number.
  virtual void readColumn(int column, std::size_t first, std::size_t end, double* out) const = 0;
  /// Of several columns: the whole of the first one, then of the second …
  virtual void readColumns(std::span<const int> columns, std::size_t first, std::size_t end, double* out) const {
    for (std::size_t c = 0; c < columns.size(); ++c) readColumn(columns[c], first, end, out + c * (end - first));
  }
  /// Where there are too many rows to look at each of them; nullptr: there are not.
  virtual const ColumnBlocks* blocks() const { return nullptr; }
  /// The first row after `index` with an impact, or `npos`.
  virtual std::size_t nextImpact(std::size_t index) const = 0;
  /// The last row before `index` with an impact, or `npos`.
  virtual std::size_t previousImpact(std::size_t index) const = 0;

  static constexpr std::size_t npos = static_cast<std::size_t>(-1);
};

}  // namespace footfall::studio
