// Data that lie in the page itself: `footfall report` writes them behind the markup.

import { MessageReader, type Extent, type Pace, type Row, type Series } from './messages';
import type { SceneDescription } from './scene_types';
import type { Difference, Source } from './source';
import { statisticsBetween } from './statistics';

/** What the report holds: meshes of all runs, base64, and the runs, which name them by their numbers. */
interface Report { meshes: string[]; runs: Run[] }
interface Run { scene: SceneDescription; meshes: number[]; rows: string; impacts: number[]; difference?: Difference }

async function bytes(base64: string): Promise<ArrayBuffer> {
  const text = atob(base64), data = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) data[i] = text.charCodeAt(i);
  return data.buffer;
}

export async function embeddedSources(): Promise<Source[] | null> {
  const element = document.getElementById('footfall-report');
  if (!element?.textContent) return null;
  const report = JSON.parse(element.textContent) as Report;
  return Promise.all(report.runs.map(async (run) => {
    const rows = new MessageReader(run.scene).rows(new Float64Array(await bytes(run.rows)));
    rows.forEach((row, k) => { row.index = k; });
    return new EmbeddedSource(run, rows, report.meshes);
  }));
}

class EmbeddedSource implements Source {
  readonly live = false;
  readonly pace: Pace = { playing: false, speed: 1, reached: 0 };
  readonly scene: SceneDescription;
  readonly extent: Extent;

  readonly former = null;

  constructor(private run: Run, private all: Row[], private meshes: string[]) {
    this.scene = run.scene;
    this.extent = { epoch: 1, first: 0, end: all.length, start: all[0]?.time ?? 0, stop: all[all.length - 1]?.time ?? 0 };
  }

  private indexAt(time: number): number {
    let low = 0;
    for (let high = this.all.length; high - low > 1; ) {
      const middle = (low + high) >> 1;
      if (this.all[middle].time <= time) low = middle; else high = middle;
    }
    return low;
  }

  async rowAt(time: number): Promise<Row | null> { return this.all[this.indexAt(time)] ?? null; }
  async rowByIndex(index: number): Promise<Row | null> { return this.all[index] ?? null; }

  async rows(from: number, to: number, most: number): Promise<Row[]> {
    const found = this.all.slice(this.indexAt(from), this.indexAt(to) + 1);
    if (found.length <= most) return found;
    return Array.from({ length: most }, (_, k) => found[Math.floor((k * (found.length - 1)) / Math.max(1, most - 1))]);
  }

  async series(columns: number[], from: number, to: number): Promise<Series> {
    const rows = this.all.slice(this.indexAt(from), this.indexAt(to) + 2);
    const series: Series = { epoch: 1, complete: true, times: Float64Array.from(rows, (row) => row.time), columns: [] };
    for (const column of columns) {
      const values = Float64Array.from(rows, (row) => row.values[column]);
      series.columns.push({ values, statistics: statisticsBetween(series.times, values, from, to) });
    }
    return series;
  }

  async nextImpact(after: number): Promise<number | null> { return this.run.impacts.find((time) => time > after) ?? null; }
  async previousImpact(before: number): Promise<number | null> { return this.run.impacts.filter((time) => time < before).pop() ?? null; }
  async mesh(index: number): Promise<ArrayBuffer> { return bytes(this.meshes[this.run.meshes[index]]); }
  async difference(): Promise<Difference> { return this.run.difference ?? { done: true, time: null }; }
  subscribe(): void {}
  command(): void {}
  ask<T>(): Promise<T> { return Promise.reject(new Error('a report has no server')); }
}
