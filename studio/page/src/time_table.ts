// Where the time goes: a bar for each block or stage, the longest first.

import { format, h } from './dom';

export interface TimeEntry { name: string; channel: string; mean: number; worst: number }

/** @param plot is called with the channel of a row that was double clicked */
export function timeTable(entries: TimeEntry[], plot: (channel: string) => void): HTMLElement {
  const all = entries.reduce((sum, entry) => sum + entry.mean, 0), longest = Math.max(...entries.map((entry) => entry.mean), 1e-9);
  const rows = [...entries].sort((a, b) => b.mean - a.mean).map(({ name, channel, mean, worst }) =>
    h('tr', { title: 'Double click plots it', ondblclick: () => plot(channel), 'data-time': name },
      h('td', {}, name), h('td', { class: 'bar' }, h('i', { style: `width:${(100 * mean) / longest}%` })), h('td', { class: 'number' }, `${format((100 * mean) / Math.max(all, 1e-9), 3)} %`),
      h('td', { class: 'number' }, `${format(mean, 3)} µs`), h('td', { class: 'number' }, `${format(worst, 3)} µs`)));
  const head = h('tr', {}, ...['', '', 'share', 'a step', 'longest'].map((title) => h('th', {}, title)));
  const foot = h('tr', { class: 'sum' }, h('td', {}, 'all'), h('td'), h('td'), h('td', { class: 'number' }, `${format(all, 3)} µs`), h('td'));
  return h('table', { class: 'times' }, h('thead', {}, head), h('tbody', {}, ...rows, foot));
}
