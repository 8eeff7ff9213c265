// The kinds of blocks, to be put into the diagram: a click adds one, a drag puts it somewhere.

import type { PaletteKind } from './diagram_client';
import { h } from './dom';

export interface PaletteEvents {
  add(kind: string): void;
  /** Dropped at a place of the window. */
  drop(kind: string, clientX: number, clientY: number): void;
}

export class PalettePanel {
  readonly element = h('aside', { class: 'palette', 'data-test': 'palette', 'aria-label': 'Blocks' });
  private search = h('input', { type: 'search', placeholder: 'Search blocks', 'aria-label': 'Search blocks', 'data-test': 'palette-search' });
  private list = h('div', { class: 'palette-list' });
  private about = h('div', { class: 'palette-about', 'data-test': 'palette-about' });
  private kinds: PaletteKind[] = [];
  private open = new Set(['sources', 'maths', 'robot']);
  private dragged = false;  // the click that follows is none

  constructor(private events: PaletteEvents) {
    this.search.oninput = () => this.show();
    this.search.onkeydown = (event) => {
      const first = this.list.querySelector<HTMLElement>('[data-kind]');
      if (event.key === 'Enter' && first) this.events.add(first.dataset.kind!);
      if (event.key === 'ArrowDown' && first) first.focus();
    };
    this.element.append(this.search, this.list, this.about);
  }

  setKinds(kinds: PaletteKind[]): void {
    const same = JSON.stringify(kinds) === JSON.stringify(this.kinds);  // what has the focus in it keeps it
    this.kinds = kinds;
    if (!same) this.show();
  }

  /** Names first, then what is said about them. */
  private found(): PaletteKind[] {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return this.kinds;
    const rank = ({ name, category, summary, details }: PaletteKind) => {
      const texts = [name, `${name} ${category} ${summary}`, `${name} ${category} ${summary} ${details}`].map((text) => text.toLowerCase());
      const first = texts.findIndex((text) => words.every((word) => text.includes(word)));
      return first < 0 ? Infinity : first + (name.toLowerCase().startsWith(words[0]) ? -0.5 : 0);
    };
    return this.kinds.map((kind) => ({ kind, at: rank(kind) })).filter(({ at }) => at < Infinity).sort((a, b) => a.at - b.at).map(({ kind }) => kind);
  }

  private show(): void {
    const searching = this.search.value.trim() !== '', found = this.found();
    this.about.hidden = true;
    if (searching) return this.list.replaceChildren(...(found.length > 0 ? found.map((kind) => this.item(kind)) : [h('p', { class: 'dim' }, 'No block is called like that.')]));
    const categories = [...new Set(found.map(({ category }) => category))];
    this.list.replaceChildren(...categories.map((category) => {
      const folder = h('details', { open: this.open.has(category) }, h('summary', {}, category), ...found.filter((kind) => kind.category === category).map((kind) => this.item(kind)));
      folder.addEventListener('toggle', () => { if (folder.open) this.open.add(category); else this.open.delete(category); });
      return folder;
    }));
  }

  private item(kind: PaletteKind): HTMLElement {
    const item = h('button', { class: 'palette-item', 'data-kind': kind.name, title: 'Click, or drag it into the diagram' }, h('b', {}, kind.name), h('small', {}, kind.summary));
    item.addEventListener('pointerenter', () => this.tell(kind));
    item.addEventListener('focus', () => this.tell(kind));
    item.addEventListener('pointerdown', (event) => this.drag(event, kind.name));
    item.addEventListener('click', () => { if (!this.dragged) this.events.add(kind.name); });
    return item;
  }

  /** The mouse only: fingers scroll the list, and tap. */
  private drag(event: PointerEvent, kind: string): void {
    this.dragged = false;
    if (event.button !== 0 || event.pointerType === 'touch') return;
    const ghost = h('div', { class: 'palette-ghost' }, kind);
    const move = (to: PointerEvent) => {
      if (!this.dragged && Math.hypot(to.clientX - event.clientX, to.clientY - event.clientY) < 5) return;
      if (!this.dragged) document.body.append(ghost);
      this.dragged = true;
      ghost.style.transform = `translate(${to.clientX + 8}px, ${to.clientY + 8}px)`;
    };
    const end = (to: PointerEvent) => {
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', end);
      window.removeEventListener('pointercancel', end);
      ghost.remove();
      if (to.type !== 'pointercancel' && this.dragged) this.events.drop(kind, to.clientX, to.clientY);
    };
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', end);
    window.addEventListener('pointercancel', end);
  }

  private tell(kind: PaletteKind): void {
    const list = (title: string, entries: { name: string; help: string; more?: string }[]) => (entries.length === 0 ? [] : [h('h4', {}, title),
      h('dl', {}, ...entries.flatMap(({ name, help, more }) => [h('dt', {}, name), h('dd', {}, help, more ? h('span', { class: 'dim' }, ` ${more}`) : null)]))]);
    const parameters = kind.parameters.map(({ name, help, fallback, unit, required }) => ({
      name: required ? `${name} *` : name, help: unit && unit !== '-' ? `${help} [${unit}]` : help, more: required ? 'must be given' : fallback ? `default: ${fallback}` : '' }));
    this.about.hidden = false;
    this.about.replaceChildren(h('p', {}, h('b', {}, kind.name), ` ${kind.summary}`), ...list('Inputs', kind.inputs), ...list('Outputs', kind.outputs), ...list('Parameters', parameters),
      kind.details ? h('p', { class: 'dim' }, kind.details) : '');
  }
}
