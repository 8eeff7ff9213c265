// What a plot draws: channels of this run and of those that it is compared with, as they are or after something was done with them.

import { everyRow, rowsBetween } from './every_row';
import type { Statistics } from './messages';
import type { PlotSpec, Range } from './plot_spec';
import { derivative, interpolate, lowPass, spectrum, thinned } from './signal';
import type { Source } from './source';
import { placeOf, statisticsBetween, statisticsOf } from './statistics';

export const MOST_POINTS = 24000;  // of a live plot before it is asked for anew
const MOST_ROWS = 200_000;         // of which every single one is needed
const SETTLING = 3;                // that a low-pass is begun earlier, in times of its cutoff

/** What is drawn: our channels; those of all runs; ours less those of each other run. */
export type Mode = 'alone' | 'compared' | 'difference';

export interface Wish { window: Range; difference: boolean; following: boolean; pixels: number }

export interface PlotData {
  mode: Mode;
  x: number[];
  /** Our channels, then those of each other run; only differences where these are asked for. */
  curves: number[][];
  /** Of each curve, of the rows in the window. */
  statistics: Statistics[];
  /** Every row of the window is there. */
  complete: boolean;
  /** The time up to which rows are there [s]. */
  until: number;
  /** Why there is nothing. */
  problem?: string;
}

interface Run { times: ArrayLike<number>; columns: (ArrayLike<number> | null)[] }

/** Extremes are not enough for what is done with them. */
export function needsEveryRow({ kind, change }: PlotSpec): boolean { return kind !== 'time' || change !== 'none'; }

export async function loadPlot(spec: PlotSpec, source: Source, others: Source[], wish: Wish): Promise<PlotData> {
  return needsEveryRow(spec) ? loadExactly(spec, source, others, wish) : loadForTheEye(spec, source, others, wish);
}

function columnsOf(source: Source, names: string[]): number[] {
  return names.map((name) => source.scene.columns.findIndex(([each]) => each === name));
}

/** Asks for the columns that a run has; null in place of those that it has not got. */
async function known(columns: number[], ask: (present: number[]) => Promise<{ times: ArrayLike<number>; columns: ArrayLike<number>[] }>): Promise<Run> {
  const present = columns.filter((column) => column >= 0);
  if (present.length === 0) return { times: [], columns: columns.map(() => null) };
  const found = await ask(present);
  let next = 0;
  return { times: found.times, columns: columns.map((column) => (column >= 0 ? found.columns[next++] : null)) };
}

/** All runs at the times of the first one. */
function combine(mine: Run, others: Run[], difference: boolean): { mode: Mode; curves: Float64Array[] } {
  const own = mine.columns.map((column) => Float64Array.from(column!));
  const theirs = others.flatMap((run) => run.columns.map((column) =>
    Float64Array.from(mine.times, (time) => (column ? interpolate(run.times, column, time) : NaN))));
  if (others.length === 0) return { mode: 'alone', curves: own };
  if (!difference) return { mode: 'compared', curves: [...own, ...theirs] };
  return { mode: 'difference', curves: theirs.map((values, k) => values.map((value, r) => own[k % own.length][r] - value)) };
}

/** No more points than can be seen; of a live window all rows, so that new ones can be added to them. */
async function loadForTheEye(spec: PlotSpec, source: Source, others: Source[], { window, difference, following, pixels }: Wish): Promise<PlotData> {
  const live = source.live && following, [from] = window;
  // The newest rows that there are when the answer is made: later ones come with the frames that follow it.
  const to = live ? Number.MAX_VALUE : window[1], buckets = live ? MOST_POINTS / 2 : Math.max(200, Math.round(1.5 * pixels));
  const mine = await source.series(columnsOf(source, spec.names), from, to, buckets);
  const theirs = await Promise.all(others.map((other) => known(columnsOf(other, spec.names), async (present) => {
    const { times, columns } = await other.series(present, from, to, buckets);
    return { times, columns: columns.map((column) => column.values) };
  })));
  const own: Run = { times: mine.times, columns: mine.columns.map((column) => column.values) };
  const { mode, curves } = combine(own, theirs, difference), exact = mode === 'difference' ? [] : mine.columns.map((column) => column.statistics);
  return {
    mode, x: Array.from(mine.times), curves: curves.map((curve) => Array.from(curve)), complete: mine.complete && others.length === 0,
    statistics: [...exact, ...curves.slice(exact.length).map((curve) => statisticsOf(curve))],
    until: Math.max(window[1], mine.times[mine.times.length - 1] ?? window[1]),
  };
}

async function loadExactly(spec: PlotSpec, source: Source, others: Source[], { window, difference, pixels }: Wish): Promise<PlotData> {
  const room = spec.change === 'lowpass' ? SETTLING / spec.cutoff : spec.change === 'derivative' ? 2 * source.scene.physics.step : 0;
  const [from, to] = [window[0] - room, window[1] + room], rows = (of: Source, columns: number[]) => everyRow(of, columns, from, to);
  const nothing: PlotData = { mode: 'alone', x: [], curves: spec.names.map(() => []), statistics: [], complete: false, until: window[1] };
  if (rowsBetween(source, from, to) > MOST_ROWS) return { ...nothing, problem: `Zoom in: this needs every row, and no more than ${MOST_ROWS.toLocaleString('en')} of them.` };
  const mine = await rows(source, columnsOf(source, spec.names));
  const theirs = await Promise.all(others.map((other) => known(columnsOf(other, spec.names), (present) => rows(other, present))));
  const { mode, curves } = combine(mine, theirs, difference), first = placeOf(mine.times, window[0] - 1e-12), end = placeOf(mine.times, window[1] + 1e-12);
  const times = mine.times.subarray(first, end), changed = curves.map((curve) => changeOf(spec, mine.times, curve).subarray(first, end));
  const loaded = { ...nothing, mode, statistics: changed.map((curve) => statisticsBetween(times, curve, ...window)) };
  if (spec.kind === 'xy') return { ...loaded, x: Array.from(times), curves: changed.map((curve) => Array.from(curve)) };
  const shown = spec.kind === 'spectrum' ? spectra(times, changed) : { x: times, curves: changed };
  return { ...loaded, ...thinned(shown.x, shown.curves, Math.max(200, Math.round(1.5 * pixels))) };
}

function changeOf({ change, cutoff }: PlotSpec, times: Float64Array, values: Float64Array): Float64Array {
  if (change === 'derivative') return derivative(times, values);
  return change === 'lowpass' ? lowPass(times, values, cutoff) : values;
}

function spectra(times: Float64Array, curves: Float64Array[]): { x: Float64Array; curves: Float64Array[] } {
  const all = curves.map((curve) => spectrum(times, curve));
  return { x: all[0]?.frequencies ?? new Float64Array(), curves: all.map(({ amplitudes }) => amplitudes) };
}
