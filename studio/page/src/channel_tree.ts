// All channels as a tree, or found by a few letters: a click plots one, boxes choose several, and each can be dragged into a plot.

import { h, refill } from './dom';

const MOST_SHOWN = 120;

interface Node { title: string; path: string; children: Node[]; channel: string | null }

export interface TreeEvents {
  /** A plot of these; each: one for each of them. */
  plot(names: string[], each: boolean): void;
  /** Into the plot that was used last. */
  add(names: string[]): void;
  /** The first below, the others over it. */
  over(names: string[]): void;
}

/** All words occur in the name, in any order. */
function matches(name: string, words: string[]): boolean {
  const lower = name.toLowerCase();
  return words.every((word) => lower.includes(word));
}

/** "base.position.x" lies in "position" of "base"; what has one child only is one with it. */
function treeOf(names: string[]): Node[] {
  const root: Node = { title: '', path: '', children: [], channel: null }, byPath = new Map<string, Node>();
  for (const name of names) {
    let parent = root;
    name.split('.').forEach((title, depth, parts) => {
      const path = parts.slice(0, depth + 1).join('.');
      let node = byPath.get(path);
      if (!node) {
        node = { title, path, children: [], channel: null };
        byPath.set(path, node);
        parent.children.push(node);
      }
      parent = node;
    });
    parent.channel = name;
  }
  const joined = (node: Node): Node => {
    const children = node.children.map(joined);
    if (children.length === 1 && node.channel === null) return { ...children[0], title: `${node.title}.${children[0].title}` };
    return { ...node, children };
  };
  return root.children.map(joined);
}

export class ChannelTree {
  readonly element: HTMLElement;
  private list = h('ul', { class: 'channels', 'data-test': 'channels' });
  private search = h('input', { type: 'search', placeholder: 'Search channels: knee torque, normal …', 'data-test': 'channel-search', spellcheck: false, 'aria-label': 'Search channels' });
  private own = h('button', { class: 'small', hidden: true, 'data-test': 'own-channels', 'aria-label': 'Channels of what is picked' });
  private actions = h('div', { class: 'tools chosen', hidden: true });
  private units: Map<string, string>;
  private tree: Node[];
  private open = new Set<string>();
  private chosen = new Set<string>();
  private ofPicked: string[] = [];
  private onlyPicked = false;

  constructor(columns: [string, string][], private events: TreeEvents) {
    this.units = new Map(columns);
    this.tree = treeOf(columns.map(([name]) => name));
    this.search.oninput = () => this.fill();
    this.search.onkeydown = (event) => { const [first] = this.found(); if (event.key === 'Enter' && first) events.plot([first], false); };
    this.own.onclick = () => { this.onlyPicked = !this.onlyPicked; this.fill(); };
    this.element = h('div', { class: 'channel-box' }, h('div', { class: 'search' }, this.search, this.own), this.list, this.actions);
    this.fill();
  }

  /** Channels of what is picked are marked, and can be had alone. */
  setPicked(title: string, channels: string[]): void {
    this.ofPicked = channels;
    if (channels.length === 0) this.onlyPicked = false;
    this.own.hidden = channels.length === 0;
    this.own.textContent = `of ${title}`;
    this.own.title = `Only the ${channels.length} channels of ${title}`;
    this.fill();
  }

  /** Null: nobody searches. */
  private found(): string[] {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    return (this.onlyPicked ? this.ofPicked : [...this.units.keys()]).filter((name) => matches(name, words));
  }

  private fill(): void {
    this.own.classList.toggle('on', this.onlyPicked);
    this.own.setAttribute('aria-pressed', String(this.onlyPicked));
    if (this.search.value.trim() === '' && !this.onlyPicked) {
      refill(this.list, this.tree.flatMap((node) => this.branch(node, 0)));
    } else {
      const found = this.found(), items: HTMLElement[] = found.slice(0, MOST_SHOWN).map((name) => this.leaf(name, name, 0));
      if (found.length === 0) items.push(h('li', { class: 'dim' }, 'No channel has all of these letters.'));
      if (found.length > MOST_SHOWN) items.push(h('li', { class: 'dim' }, `… and ${found.length - MOST_SHOWN} more`));
      refill(this.list, items);
    }
    this.showActions();
  }

  private branch(node: Node, depth: number): HTMLElement[] {
    if (node.children.length === 0) return [this.leaf(node.channel!, node.title, depth)];
    const open = this.open.has(node.path), names = channelsIn(node), picked = names.some((name) => this.ofPicked.includes(name));
    const toggle = () => { open ? this.open.delete(node.path) : this.open.add(node.path); this.fill(); };
    const line = h('li', { class: picked ? 'group picked' : 'group', tabIndex: 0, 'data-group': node.path, 'aria-expanded': String(open), style: `--depth:${depth}` },
      this.box(names, node.path), h('span', {}, `${open ? '▾' : '▸'} ${node.title}`), h('small', {}, String(names.length)));
    line.onclick = toggle;
    line.onkeydown = (event) => { if (event.key === 'Enter') toggle(); };
    const own = node.channel !== null ? [this.leaf(node.channel, node.title, depth + 1)] : [];
    return open ? [line, ...own, ...node.children.flatMap((child) => this.branch(child, depth + 1))] : [line];
  }

  private leaf(name: string, title: string, depth: number): HTMLElement {
    const item = h('li', { class: this.ofPicked.includes(name) ? 'picked' : '', draggable: true, tabIndex: 0, title: `${name}: a click plots it; drag it into a plot`, 'data-channel': name, style: `--depth:${depth}` },
      this.box([name], name), h('span', {}, title), h('small', {}, this.units.get(name) ?? ''));
    item.ondragstart = (event) => event.dataTransfer?.setData('text/plain', name);
    item.onclick = () => this.events.plot([name], false);
    item.onkeydown = (event) => { if (event.key === 'Enter') this.events.plot([name], false); };
    return item;
  }

  private box(names: string[], title: string): HTMLElement {
    const count = names.filter((name) => this.chosen.has(name)).length;
    const box = h('input', { type: 'checkbox', checked: count === names.length, 'aria-label': `Choose ${title}` });
    box.indeterminate = count > 0 && count < names.length;
    box.onclick = (event) => event.stopPropagation();
    box.onchange = () => {
      for (const name of names) box.checked ? this.chosen.add(name) : this.chosen.delete(name);
      this.fill();
    };
    return box;
  }

  private showActions(): void {
    const names = [...this.units.keys()].filter((name) => this.chosen.has(name));
    this.actions.hidden = names.length === 0;
    const button = (text: string, test: string, action: () => void) =>
      h('button', { class: 'small', 'data-test': test, onclick: () => { action(); this.chosen.clear(); this.fill(); } }, text);
    this.actions.replaceChildren(h('span', { class: 'dim' }, `${names.length} chosen:`), button('One plot', 'plot-together', () => this.events.plot(names, false)),
      names.length > 1 ? button('A plot each', 'plot-each', () => this.events.plot(names, true)) : '',
      button('Into the last plot', 'plot-add', () => this.events.add(names)),
      names.length > 1 ? button('x–y', 'plot-over', () => this.events.over(names)) : '', button('None', 'choose-none', () => {}));
  }
}

function channelsIn(node: Node): string[] {
  return [...(node.channel === null ? [] : [node.channel]), ...node.children.flatMap(channelsIn)];
}
