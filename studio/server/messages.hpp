#pragma once

#include <vector>

#include "studio/server/session.hpp"

namespace footfall::studio {

// What the server sends apart from JSON: lists of doubles, which the page reads as they are. The first number says what
// kind of message it is. page/src/messages.ts is the other side.

enum class MessageKind { frame = 1, rows = 2, columns = 3 };

using Message = std::vector<double>;

/// A count or an index, as a message holds it.
inline double number(std::size_t value) { return static_cast<double>(value); }

/// What one client wants with every frame, and how far it has got.
struct Subscription {
  std::vector<int> columns;  ///< whose values of every new row are sent
  std::uint64_t epoch = 0;
  std::size_t next = 0;  ///< first row that was not sent yet
  Pace pace;             ///< that was sent last

  bool operator==(const Subscription&) const = default;
};

/// What a session looks like now: frames of one moment are the same for all clients that have got equally far.
struct Moment {
  Extent extent;
  Pace pace;
  Row newest;  ///< row; there is none where the extent is empty
};
Moment momentOf(const Session& session);

/// The newest row, and all rows since the last frame of the subscribed columns. Empty when nothing is new.
Message frameMessage(const Session& session, const Moment& moment, Subscription& subscription);

/// Evenly spaced rows between two times, at most `most`, with all their columns and contacts.
struct RowsQuestion {
  double id = 0.0;
  double from = 0.0, to = 0.0;  ///< [s]
  int most = 1;
};
Message rowsMessage(const Session& session, const RowsQuestion& question);
/// The same with one row by its number, or none.
Message rowMessage(const Session& session, double id, double index);

/// Some columns between two times: as they are when they are few, else lowest and highest value of each bucket. With
/// the lowest, highest, mean and root mean square value of each column.
struct ColumnsQuestion {
  double id = 0.0;
  std::vector<int> columns;
  double from = 0.0, to = 0.0;  ///< [s]
  int buckets = 1000;
};
Message columnsMessage(const Session& session, const ColumnsQuestion& question);

}  // namespace footfall::studio
