// Where the time goes: a bar for each block or stage, the longest first.

import { format, h } from './dom';

/** Of the steps in a window [µs]. */
export interface TimeSpread { mean: number; median: number; most: number; worst: number }
export interface TimeEntry extends TimeSpread { name: string; channel: string }

/** `most` is the 99th percentile: one step in a hundred takes longer. */
export function spreadOf(values: Float64Array): TimeSpread {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort(), last = sorted.length - 1;
  const at = (part: number) => sorted[Math.round(part * last)] ?? NaN;
  return { mean: sorted.reduce((sum, value) => sum + value, 0) / sorted.length, median: at(0.5), most: at(0.99), worst: at(1) };
}

/** @param plot is called with the channel of a row that was double clicked */
export function timeTable(entries: TimeEntry[], plot: (channel: string) => void): HTMLElement {
  const all = entries.reduce((sum, entry) => sum + entry.mean, 0), longest = Math.max(...entries.map((entry) => entry.mean), 1e-9);
  const number = (value: number) => h('td', { class: 'number' }, format(value, 3));
  const rows = [...entries].sort((a, b) => b.mean - a.mean).map(({ name, channel, mean, median, most, worst }) =>
    h('tr', { title: 'Double click plots it', ondblclick: () => plot(channel), 'data-time': name },
      h('td', {}, name), h('td', { class: 'bar' }, h('i', { style: `width:${(100 * mean) / longest}%` })), h('td', { class: 'number' }, `${format((100 * mean) / Math.max(all, 1e-9), 3)} %`),
      number(mean), number(median), number(most), number(worst)));
  const heads: [string, string][] = [['', ''], ['', ''], ['share', ''], ['mean', 'Of all steps'], ['median', 'Half of the steps take less'], ['99 %', 'One step in a hundred takes longer'], ['longest', '']];
  const head = h('tr', {}, ...heads.map(([title, text]) => h('th', { title: text }, title, title && title !== 'share' ? h('small', {}, '[µs]') : null)));
  const foot = h('tr', { class: 'sum' }, h('td', {}, 'all'), h('td'), h('td'), number(all), h('td'), h('td'), h('td'));
  return h('div', { class: 'table' }, h('table', { class: 'times' }, h('thead', {}, head), h('tbody', {}, ...rows, foot)));
}
