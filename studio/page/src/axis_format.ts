// What stands at the ticks of an axis: as many digits as the ticks need, with a factor or an offset where the numbers would be too long.

const MOST_DIGITS = 4;          // behind the point, and in front of it, before a power of ten is taken out
const MOST_SIGNIFICANT = 5;     // before what all ticks have in common is taken out
export const SMALLEST_SPAN = 1e-9;  // of the magnitude: less is the noise of computing
const NOISE = 1e-12;            // of the unit: what is smaller all the time is zero

export interface AxisText { labels: string[]; exponent: number; offset: number }

/** Digits behind the point that tell numbers apart that lie this far from each other. */
export function decimalsOf(increment: number): number {
  if (!(increment > 0)) return 0;
  const first = Math.max(0, -Math.floor(Math.log10(increment) + 1e-9)), scaled = increment * 10 ** first;
  return Math.abs(scaled - Math.round(scaled)) < 1e-6 ? first : first + 1;  // 0.025 has one more than 0.02
}

/** A number with so many decimals; never "-0". */
export function fixed(value: number, decimals: number): string {
  const text = value.toFixed(Math.min(decimals, 20));
  return /^-0\.?0*$/.test(text) ? text.slice(1) : text;
}

/** What all ticks have in common, where they differ in their last digits only; else zero. */
function offsetOf(first: number, last: number, increment: number): number {
  const magnitude = Math.max(Math.abs(first), Math.abs(last));
  if (!(magnitude / increment > 10 ** MOST_SIGNIFICANT)) return 0;
  const exponent = Math.ceil(Math.log10(last - first)) + 1, power = 10 ** Math.abs(exponent), middle = 0.5 * (first + last);
  // Dividing by whole powers of ten, so that 0.6 stays 0.6.
  return exponent < 0 ? Math.round(middle * power) / power : Math.round(middle / power) * power;
}

/** The power of ten, a multiple of three, that makes numbers short. */
function exponentOf(magnitude: number, increment: number): number {
  if (!(magnitude > 0) || (magnitude < 10 ** (MOST_DIGITS + 1) && decimalsOf(increment) <= MOST_DIGITS)) return 0;
  return 3 * Math.floor((Math.log10(magnitude) + 1e-9) / 3);
}

export function axisText(ticks: number[], increment: number): AxisText {
  if (ticks.length === 0) return { labels: [], exponent: 0, offset: 0 };
  const offset = offsetOf(ticks[0], ticks[ticks.length - 1], increment);
  const rest = ticks.map((tick) => tick - offset), magnitude = Math.max(...rest.map(Math.abs));
  const exponent = exponentOf(magnitude, increment), power = 10 ** -exponent, decimals = decimalsOf(increment * power);
  return { labels: rest.map((value) => fixed(value * power, decimals)), exponent, offset };
}

const superscript = (value: number) => [...String(value)].map((sign) => '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'['-0123456789'.indexOf(sign)]).join('');

/** What the numbers at the ticks are: "[10⁻⁶ m] + 0.6 m". */
export function axisTitle(unit: string, { exponent, offset }: Pick<AxisText, 'exponent' | 'offset'>): string {
  const plain = unit === '-' ? '' : unit, power = exponent === 0 ? '' : `10${superscript(exponent)}`;
  const inside = [power, plain].filter(Boolean).join(' ') || '-';
  if (offset === 0) return `[${inside}]`;
  return `[${inside}] ${offset < 0 ? '−' : '+'} ${Number(Math.abs(offset).toPrecision(12))}${plain && ` ${plain}`}`;
}

// ---- constants ----

const SCALED_BY_WEIGHT = new Set(['N', 'N m', 'N s', 'N m s', 'J', 'W']);

/** Below which changes of a channel are noise [its unit]: measures of error, which are small by nature, have none. */
export function noiseOf(name: string, unit: string, weight: number): number {
  if (/residual|gap|error/.test(name)) return 0;
  return NOISE * (SCALED_BY_WEIGHT.has(unit) ? Math.max(1, weight) : 1);
}

/** All values between these are the same, as far as one can compute. @param noise see noiseOf() */
export function isConstant(low: number, high: number, noise: number): boolean {
  return high - low <= Math.max(SMALLEST_SPAN * Math.max(Math.abs(low), Math.abs(high)), 2 * noise);
}

/** Where an axis begins and ends: with some room above and below; around a constant a band of its own size. */
export function axisRange(low: number | null, high: number | null, noise: number): [number, number] {
  if (low == null || high == null || !Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  if (!isConstant(low, high, noise)) return [low - 0.08 * (high - low), high + 0.08 * (high - low)];
  const middle = 0.5 * (low + high), size = Math.abs(middle) > Math.max(noise, 1e-300) ? 0.1 * Math.abs(middle) : 1;
  return [middle - size, middle + size];
}
