// Signals that are sampled evenly: derivative, low-pass, spectrum. Values that are not a number stay so.

/** Central differences; at the ends one-sided ones. */
export function derivative(times: ArrayLike<number>, values: ArrayLike<number>): Float64Array {
  const last = values.length - 1;
  return Float64Array.from(values, (_, i) => {
    const a = Math.max(0, i - 1), b = Math.min(last, i + 1);
    return (values[b] - values[a]) / (times[b] - times[a]);
  });
}

/** Between two samples, on average [s]. */
export function periodOf(times: ArrayLike<number>): number {
  return times.length < 2 ? NaN : (times[times.length - 1] - times[0]) / (times.length - 1);
}

/** Gaps get the value before them (the one after them at the start). */
function withoutGaps(values: ArrayLike<number>): Float64Array {
  const filled = Float64Array.from(values);
  let last = filled.find((value) => !Number.isNaN(value)) ?? 0;
  for (let i = 0; i < filled.length; ++i) filled[i] = last = Number.isNaN(filled[i]) ? last : filled[i];
  return filled;
}

/** Second-order Butterworth, in place; starts as if its first value had always been there. */
function butterworth(x: Float64Array, cutoff: number, period: number): void {
  const k = Math.tan(Math.PI * cutoff * period), norm = 1 / (1 + Math.SQRT2 * k + k * k);
  const b = k * k * norm, a1 = 2 * (k * k - 1) * norm, a2 = (1 - Math.SQRT2 * k + k * k) * norm;
  let x1 = x[0], x2 = x[0], y1 = x[0], y2 = x[0];
  for (let i = 0; i < x.length; ++i) {
    const y = b * (x[i] + 2 * x1 + x2) - a1 * y1 - a2 * y2;
    [x2, x1, y2, y1] = [x1, x[i], y1, y];
    x[i] = y;
  }
}

/** Forth and back, so that nothing comes later than it was; both ends are mirrored, so that they do not bend. */
export function lowPass(times: ArrayLike<number>, values: ArrayLike<number>, cutoff: number): Float64Array {
  const period = periodOf(times), count = values.length;
  if (!(cutoff * period < 0.49) || count < 4) return Float64Array.from(values);
  const x = withoutGaps(values), room = Math.min(count - 1, Math.ceil(3 / (cutoff * period)));
  const long = new Float64Array(count + 2 * room);
  for (let i = 0; i < long.length; ++i) {
    const at = i - room;
    long[i] = at < 0 ? 2 * x[0] - x[-at] : at >= count ? 2 * x[count - 1] - x[2 * (count - 1) - at] : x[at];
  }
  butterworth(long, cutoff, period);
  long.reverse();
  butterworth(long, cutoff, period);
  long.reverse();
  return Float64Array.from(values, (value, i) => (Number.isNaN(value) ? NaN : long[room + i]));
}

/** Of 2ⁿ complex numbers, in place. */
function fourier(re: Float64Array, im: Float64Array): void {
  const n = re.length;
  for (let i = 1, j = 0; i < n; ++i) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) [re[i], re[j], im[i], im[j]] = [re[j], re[i], im[j], im[i]];
  }
  for (let size = 2; size <= n; size *= 2) {
    const half = size / 2;
    for (let k = 0; k < half; ++k) {
      const c = Math.cos((2 * Math.PI * k) / size), s = -Math.sin((2 * Math.PI * k) / size);
      for (let i = k; i < n; i += size) {
        const j = i + half, x = re[j] * c - im[j] * s, y = re[j] * s + im[j] * c;
        [re[j], im[j]] = [re[i] - x, im[i] - y];
        re[i] += x;
        im[i] += y;
      }
    }
  }
}

/**
 * Amplitude over frequency, without the mean, with Hann's window: a sine of amplitude A has a peak of height A at its frequency.
 * All spectra of the same times have the same frequencies.
 */
export function spectrum(times: ArrayLike<number>, values: ArrayLike<number>): { frequencies: Float64Array; amplitudes: Float64Array } {
  const count = values.length, period = periodOf(times);
  if (count < 8) return { frequencies: new Float64Array(), amplitudes: new Float64Array() };
  const x = withoutGaps(values), size = 2 ** Math.ceil(Math.log2(count)), re = new Float64Array(size), im = new Float64Array(size);
  let mean = 0, weight = 0;
  for (const value of x) mean += value / count;
  for (let i = 0; i < count; ++i) {
    const hann = 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / (count - 1));
    re[i] = hann * (x[i] - mean);
    weight += hann;
  }
  fourier(re, im);
  const half = size / 2 + 1, frequencies = new Float64Array(half), amplitudes = new Float64Array(half);
  for (let k = 0; k < half; ++k) {
    frequencies[k] = k / (size * period);
    amplitudes[k] = (2 * Math.hypot(re[k], im[k])) / weight;
  }
  return { frequencies, amplitudes };
}

/** The line between samples; not a number outside of them. */
export function interpolate(times: ArrayLike<number>, values: ArrayLike<number>, at: number): number {
  let low = 0, high = times.length - 1;
  if (high < 0 || at < times[0] || at > times[high]) return NaN;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= at) low = middle; else high = middle;
  }
  const span = times[high] - times[low];
  return span > 0 ? values[low] + ((values[high] - values[low]) * (at - times[low])) / span : values[low];
}

/** Lowest and highest value of each bucket, in their order, where there are more samples than can be seen. */
export function thinned(x: ArrayLike<number>, curves: ArrayLike<number>[], buckets: number): { x: number[]; curves: number[][] } {
  const count = x.length;
  if (count <= 2 * buckets) return { x: Array.from(x), curves: curves.map((curve) => Array.from(curve)) };
  const begin = (bucket: number) => Math.floor((bucket * count) / buckets), places: number[] = [];
  for (let b = 0; b < buckets; ++b) places.push(begin(b), (begin(b) + begin(b + 1)) >> 1);
  return {
    x: places.map((place) => x[place]),
    curves: curves.map((curve) => {
      const out: number[] = [];
      for (let b = 0; b < buckets; ++b) {
        let low = begin(b), high = low;
        for (let i = low + 1; i < begin(b + 1); ++i) {
          if (curve[i] < curve[low] || Number.isNaN(curve[low])) low = i;
          if (curve[i] > curve[high] || Number.isNaN(curve[high])) high = i;
        }
        out.push(curve[Math.min(low, high)], curve[Math.max(low, high)]);
      }
      return out;
    }),
  };
}
