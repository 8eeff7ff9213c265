// What lies over a plot: a line at the shown time, the time below the mouse, and two cursors that can be dragged.

import { h } from './dom';
import type { Range } from './plot_spec';

export const CURSOR_NAMES = ['A', 'B'] as const;

export class TimeMarks {
  readonly elements: HTMLElement[];
  private now = h('div', { class: 'now', 'data-test': 'now' });
  private under = h('div', { class: 'under', hidden: true, 'data-test': 'under' });
  private cursors: HTMLElement[];

  /** @param dragged a cursor to so many pixels from the left */
  constructor(dragged: (cursor: 0 | 1, pixels: number) => void) {
    this.cursors = CURSOR_NAMES.map((name, k) => {
      const line = h('div', { class: 'cursor', hidden: true, 'data-cursor': name, title: `Cursor ${name}: drag it` }, h('span', {}, name));
      line.onpointerdown = (event) => {
        event.stopPropagation();
        event.preventDefault();
        line.setPointerCapture(event.pointerId);
        line.onpointermove = (move) => dragged(k as 0 | 1, move.clientX - line.parentElement!.getBoundingClientRect().left);
        line.onpointerup = () => { line.onpointermove = null; };
      };
      // What the chart would take for a selection or a click.
      for (const type of ['mousedown', 'mouseup', 'click', 'dblclick']) line.addEventListener(type, (event) => event.stopPropagation());
      return line;
    });
    this.elements = [this.now, this.under, ...this.cursors];
  }

  hover(text: string | null): void {
    this.under.hidden = text === null;
    if (text !== null) this.under.textContent = text;
  }

  /** Lines of their own, so that moving them draws nothing anew. @param placeOf see LineChart */
  place(time: number, cursors: Range | null, placeOf: (time: number) => number | null): void {
    const put = (line: HTMLElement, at: number | null) => {
      line.hidden = at === null;
      if (at !== null) line.style.transform = `translateX(${at.toFixed(1)}px)`;
    };
    put(this.now, placeOf(time));
    this.cursors.forEach((line, k) => put(line, cursors && placeOf(cursors[k])));
  }
}
