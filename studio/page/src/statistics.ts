// Extremes and means of the values that are shown.

import type { Statistics } from './messages';

const NONE: Statistics = { low: NaN, high: NaN, mean: NaN, rms: NaN };

/** Of values [first, end); those that are not a number do not count. */
export function statisticsOf(values: ArrayLike<number>, first = 0, end = values.length): Statistics {
  let low = Infinity, high = -Infinity, sum = 0, squares = 0, count = 0;
  for (let i = first; i < end; ++i) {
    const value = values[i];
    if (Number.isNaN(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
    sum += value;
    squares += value * value;
    ++count;
  }
  return count === 0 ? NONE : { low, high, mean: sum / count, rms: Math.sqrt(squares / count) };
}

/** First place whose time is at least this one; times rise. */
export function placeOf(times: ArrayLike<number>, time: number): number {
  let low = 0, high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Of the values between two times; of the last one before them where there is none. */
export function statisticsBetween(times: ArrayLike<number>, values: ArrayLike<number>, from: number, to: number): Statistics {
  const end = placeOf(times, to + 1e-12), first = placeOf(times, from - 1e-12);
  return statisticsOf(values, Math.min(first, Math.max(0, end - 1)), end);
}
