#pragma once

#include <new>
#include <string>

#include "views.hpp"

namespace footfall::python {

/// Plain values copy and pickle as the tuple that `pack` makes and `unpack` reads.
template <class T, class Pack, class Unpack>
void bindPickle(nb::class_<T>& type, Pack pack, Unpack unpack) {
  type.def(
          "__getstate__", [pack](const T& value) { return nb::cast(pack(value)); },
          nb::sig("def __getstate__(self) -> tuple[object, ...]"))
      .def(
          "__setstate__",
          [unpack](T& self, const nb::tuple& packed) {
            new (&self) T(unpack(nb::cast<decltype(Pack{}(self))>(packed)));
          },
          nb::sig("def __setstate__(self, packed: tuple[object, ...], /) -> None"));
}

/// Parts of something else do not copy, and say what does.
template <class T>
void refuseCopies(nb::class_<T>& type, const std::string& reason) {
  type.def(
      "__reduce__", [reason](const T&) -> nb::tuple { throw nb::type_error(reason.c_str()); },
      nb::sig("def __reduce__(self) -> tuple[object, ...]"));
}

}  // namespace footfall::python
