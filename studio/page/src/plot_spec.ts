// What a plot shows and how: what layouts are made of, and what is kept of them.

/** Over time; amplitudes over frequency; the first channel at the bottom, the others over it. */
export type PlotKind = 'time' | 'spectrum' | 'xy';
export type Change = 'none' | 'derivative' | 'lowpass';
export type Range = [number, number];

export interface PlotSpec {
  names: string[]; kind: PlotKind; change: Change;
  /** Of whom it shows what: the name of a scope; empty: of nobody in particular. */
  title: string;
  /** Of the low-pass [Hz]. */
  cutoff: number;
  /** Of the chart [pixels]. */
  height: number;
  /** Channels whose lines are not drawn. */
  hidden: string[];
  /** Of axes that somebody has zoomed, by their units. */
  ranges: Record<string, Range>;
}

export const HEIGHT = 170, LOWEST = 80, HIGHEST = 900;  // [pixels]
const KINDS: PlotKind[] = ['time', 'spectrum', 'xy'], CHANGES: Change[] = ['none', 'derivative', 'lowpass'];

export function plainSpec(names: string[], title = ''): PlotSpec {
  return { names, title, kind: 'time', change: 'none', cutoff: 10, height: HEIGHT, hidden: [], ranges: {} };
}

export function clampHeight(height: number): number { return Math.round(Math.min(Math.max(height, LOWEST), HIGHEST)); }

const isRange = (value: unknown): value is Range => Array.isArray(value) && value.length === 2 && value.every(Number.isFinite) && value[0] < value[1];

/**
 * From a list of channels, or from what was kept; both may be of another version of the page or of another robot, so nothing is believed.
 * Null: nothing of it can be plotted.
 */
export function specOf(wish: unknown, known: (name: string) => boolean): PlotSpec | null {
  const from = (Array.isArray(wish) ? { names: wish } : wish ?? {}) as Partial<Record<keyof PlotSpec, unknown>>;
  const names = Array.isArray(from.names) ? [...new Set(from.names as unknown[])].filter((name): name is string => typeof name === 'string' && known(name)) : [];
  if (names.length === 0) return null;
  const spec = plainSpec(names);
  if (KINDS.includes(from.kind as PlotKind)) spec.kind = from.kind as PlotKind;
  if (CHANGES.includes(from.change as Change)) spec.change = from.change as Change;
  if (typeof from.title === 'string') spec.title = from.title;
  if (typeof from.cutoff === 'number' && from.cutoff > 0) spec.cutoff = from.cutoff;
  if (typeof from.height === 'number' && Number.isFinite(from.height)) spec.height = clampHeight(from.height);
  if (Array.isArray(from.hidden)) spec.hidden = names.filter((name) => (from.hidden as unknown[]).includes(name));
  for (const [unit, range] of Object.entries((from.ranges ?? {}) as Record<string, unknown>)) if (isRange(range)) spec.ranges[unit] = range;
  return spec;
}

/** What is done with the channels before they are drawn; empty: nothing. */
export function describeSpec({ kind, change, cutoff, names, title }: PlotSpec): string {
  const signal = { none: '', derivative: 'derivative', lowpass: `low-pass ${cutoff} Hz` }[change];
  const picture = { time: '', spectrum: 'spectrum of the shown time', xy: `over ${names[0]}` }[kind];
  return [title, signal, picture].filter(Boolean).join(', ');
}

/** The unit of a channel after that. */
export function unitAfter(change: Change, unit: string): string {
  if (change !== 'derivative') return unit;
  return unit === '-' ? '1/s' : unit.endsWith('/s') ? `${unit}²` : unit.endsWith('/s²') ? unit.replace('²', '³') : `${unit}/s`;
}
