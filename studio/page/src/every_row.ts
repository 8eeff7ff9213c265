// All rows between two times, however many: by slices that an answer can hold.

import type { Source } from './source';

const ROWS = 16000;  // in one answer

export interface Rows { times: Float64Array; columns: Float64Array[] }

/** About how many there are. */
export function rowsBetween({ extent }: Source, from: number, to: number): number {
  const span = extent.stop - extent.start, part = Math.max(0, Math.min(to, extent.stop) - Math.max(from, extent.start));
  return span > 0 ? ((extent.end - extent.first) * part) / span : extent.end - extent.first;
}

export async function everyRow(source: Source, columns: number[], from: number, to: number): Promise<Rows> {
  const { start, stop, first, end } = source.extent, period = (stop - start) / Math.max(1, end - first - 1) || 1;
  const [begin, last] = [Math.max(from, start), Math.min(to, stop)], slice = ROWS * period;
  const parts: { times: Float64Array; columns: Float64Array[] }[] = [];
  let reached = -Infinity;
  for (let at = begin; at <= last; at += slice) {
    const series = await source.series(columns, at, Math.min(at + slice, last), ROWS);
    const wanted = (time: number) => time > reached && time >= from && time <= to, { times } = series;
    const kept = (values: Float64Array) => values.filter((_, r) => wanted(times[r]));
    const part = { times: kept(times), columns: series.columns.map(({ values }) => kept(values)) };
    if (part.times.length > 0) reached = part.times[part.times.length - 1];
    parts.push(part);
  }
  return { times: joined(parts.map((part) => part.times)), columns: columns.map((_, k) => joined(parts.map((part) => part.columns[k]))) };
}

function joined(parts: Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
