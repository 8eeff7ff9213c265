#pragma once

#include <string>
#include <string_view>

#include "footfall/base/error.hpp"

namespace footfall {

/// Walks through a text word by word, and knows the line for errors. The text must outlive it.
class TextScanner {
 public:
  TextScanner(std::string_view text, std::string source, int first_line = 1);

  /// The next word; empty at the end of the text.
  std::string_view word();
  /// The next word of this line; empty at its end.
  std::string_view wordOfLine();
  void skipLine();
  bool atEnd();

  double number();  ///< throws Error unless the next word is a finite number
  int integer();    ///< throws Error unless the next word is an integer

  /// The integer that all of `text` spells; throws Error that says where the scanner is.
  int integerIn(std::string_view text) const;

  Error error(const std::string& what) const;

 private:
  void skipSpace(bool over_lines);
  std::string_view takeWord();

  std::string_view rest_;
  std::string source_;
  int line_;
};

}  // namespace footfall
