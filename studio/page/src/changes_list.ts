// What is other than in the scene's file: each change can be taken back, and all of them be kept as a file.

import { h, save } from './dom';
import type { Source } from './source';

export class ChangesList {
  readonly element = h('div', { 'data-test': 'changes' });

  constructor(private source: Source) { this.described(); }

  described(): void {
    const changes = this.source.scene.changes ?? [];
    if (changes.length === 0) return this.element.replaceChildren(h('p', { class: 'dim' }, 'Everything is as in the file.'));
    this.element.replaceChildren(
      h('ul', { class: 'changes' }, ...changes.map(({ key, value, page }) => h('li', {}, h('code', {}, `${key} = ${value}`),
        page ? h('button', { class: 'x', title: 'As it was', 'aria-label': `${key} as it was`, 'data-test': 'unset', onclick: () => this.source.command({ do: 'unset', key }) }, '↶')
          : h('small', { class: 'dim' }, 'command line')))),
      h('div', { class: 'inline' }, h('button', { class: 'small', 'data-test': 'yaml', title: 'The scene with these changes, as a file of your own', onclick: () => this.save() }, 'Save as YAML')));
  }

  private save(): void {
    const name = this.source.scene.source.split(/[\\/]/).pop()!.replace(/\.ya?ml$/, '');
    save(`${name}_changed.yaml`, new Blob([this.source.scene.yaml ?? ''], { type: 'application/yaml' }));
  }
}
