// All channels, found by a few letters; each can be dragged into a plot.

import { h } from './dom';

const MOST_SHOWN = 120;

/** All words occur in the name, in any order. */
function matches(name: string, words: string[]): boolean {
  const lower = name.toLowerCase();
  return words.every((word) => lower.includes(word));
}

export class ChannelList {
  readonly element: HTMLElement;
  private list = h('ul', { class: 'channels', 'data-test': 'channels' });
  private search = h('input', { type: 'search', placeholder: 'Search channels: knee torque, force z …', 'data-test': 'channel-search', spellcheck: false, 'aria-label': 'Search channels' });

  private found: string[] = [];

  constructor(private columns: [string, string][], private choose: (name: string) => void) {
    this.search.oninput = () => this.fill();
    this.search.onkeydown = (event) => { if (event.key === 'Enter' && this.found.length > 0) choose(this.found[0]); };
    this.element = h('div', { class: 'channel-box' }, this.search, this.list);
    this.fill();
  }

  private fill(): void {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.columns.filter(([name]) => matches(name, words));
    this.found = found.map(([name]) => name);
    const items = found.slice(0, MOST_SHOWN).map(([name, unit]) => {
      const item = h('li', { draggable: true, tabIndex: 0, title: 'Drag into a plot, or double click', 'data-channel': name }, h('span', {}, name), h('small', {}, unit));
      item.ondragstart = (event) => event.dataTransfer?.setData('text/plain', name);
      item.ondblclick = () => this.choose(name);
      item.onkeydown = (event) => { if (event.key === 'Enter') this.choose(name); };
      return item;
    });
    if (found.length === 0) items.push(h('li', { class: 'dim' }, 'No channel has all of these letters.'));
    if (found.length > MOST_SHOWN) items.push(h('li', { class: 'dim' }, `… and ${found.length - MOST_SHOWN} more`));
    this.list.replaceChildren(...items);
  }
}
