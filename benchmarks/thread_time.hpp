#pragma once

#include <algorithm>
#include <ctime>
#include <vector>

namespace footfall::bench {

/// Time that the processor spent on this thread: what others do on a busy machine does not count.
inline double now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

inline double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

/// Seconds that one of `calls` calls takes.
template <class Call>
double secondsPerCall(int calls, Call call) {
  const double start = now();
  for (int k = 0; k < calls; ++k) call(k);
  return (now() - start) / calls;
}

}  // namespace footfall::bench
