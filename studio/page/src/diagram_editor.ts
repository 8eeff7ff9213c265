// The diagram editor: palette, picture, form, and what is done with the document.

import { blockForm, diagramForm, lineForm, type FormEvents, type Refusal } from './block_form';
import { DiagramClient, RefusedEdit, type DocumentNode, type PaletteKind, type Problem } from './diagram_client';
import { addBlock, addInput, addOutput, connect, duplicate, group, levelAt, levelsAt, placeOf, removeBlocks, removeLines, removePort, renameBlock, renameKind, renamePort, setParameter, ungroup, type DiagramDocument, type DocumentBlock, type Path } from './diagram_document';
import { h, save } from './dom';
import { EditorPicture, NEW_PORT, type Selected } from './editor_picture';
import { PalettePanel } from './palette_panel';
import type { Source } from './source';

const SESSION = 'footfall.editor';  // what is open, for when the page is loaded anew
const KEY_STEP = 8;                 // arrows move blocks by as much [px]

/** What stays when another diagram runs, with other channels, for which the page is loaded anew. */
interface Kept { open: boolean; path: Path; tall: boolean; view?: { x: number; y: number; width: number; height: number } }

function readKept(): Kept {
  try {
    return { open: false, path: [], tall: false, ...JSON.parse(sessionStorage.getItem(SESSION) ?? '{}') };
  } catch {
    return { open: false, path: [], tall: false };
  }
}

export class DiagramEditor {
  readonly element = h('section', { class: 'editor', hidden: true, 'data-test': 'editor', 'aria-label': 'Diagram editor' });
  readonly client: DiagramClient;
  private picture: EditorPicture;
  private palette: PalettePanel;
  private form = h('aside', { class: 'editor-form', 'data-test': 'editor-form', 'aria-label': 'What is selected' });
  private message = h('p', { class: 'editor-message', role: 'status', 'data-test': 'editor-message', hidden: true });
  private empty = h('p', { class: 'editor-empty', hidden: true }, 'Click a block of the list (☰), or drag it here. Then drag from port to port.');
  private crumbs = h('nav', { class: 'crumbs', 'data-test': 'crumbs', 'aria-label': 'Open sub-diagram' });
  private buttons = new Map<string, HTMLButtonElement>();
  private kinds = new Map<string, PaletteKind>();
  private selected: Selected = { blocks: new Set(), lines: new Set() };
  private refusal: Refusal | null = null;
  private kept = readKept();
  private fitted = false;

  /** @param openScope shows what a block Scope sees @param resized it takes another part of the window */
  constructor(private source: Source, private openScope: (path: string) => void, private resized: (height: number) => void) {
    this.client = new DiagramClient(source, () => this.draw());
    this.palette = new PalettePanel({
      add: (kind) => this.add(kind, this.picture.freePlace()),
      drop: (kind, x, y) => { if (this.picture.zoomed.element.contains(document.elementFromPoint(x, y))) this.add(kind, this.picture.placeAt(x, y)); },
    });
    this.picture = new EditorPicture({
      select: (what, more) => this.select(what, more),
      moved: (places) => this.change((level) => { for (const block of level.blocks) if (places.has(block.name)) block.at = places.get(block.name); }),
      connect: (from, to) => this.connect(from, to),
      open: (block) => this.open(block),
      say: (text) => this.say(text, text.startsWith('refused')),
    });
    const canvas = h('div', { class: 'editor-canvas' }, this.picture.zoomed.element, this.empty, this.crumbs, this.message);
    this.element.append(this.toolbar(), h('div', { class: 'editor-body' }, this.palette.element, canvas, this.form));
    document.addEventListener('keydown', (event) => this.key(event), { capture: true });
    new ResizeObserver(() => this.makeRoom()).observe(this.element);
    window.addEventListener('resize', () => this.makeRoom());
    if (this.kept.open) void this.show();
  }

  private toolbar(): HTMLElement {
    const button = (name: string, text: string, title: string, action: () => void, test = `editor-${name}`) => {
      const made = h('button', { class: 'small', title, 'data-test': test, onclick: action }, text);
      this.buttons.set(name, made);
      return made;
    };
    const blocks = button('blocks', '☰', 'Show or hide the blocks', () => this.element.classList.toggle('no-palette'));
    blocks.setAttribute('aria-label', 'Show or hide the blocks');
    return h('div', { class: 'editor-bar', role: 'toolbar' }, blocks,
      button('undo', '↶ Undo', 'Undo (Ctrl + Z)', () => void this.attempt(this.client.undo())), button('redo', '↷ Redo', 'Redo (Ctrl + Shift + Z)', () => void this.attempt(this.client.redo())),
      h('i', { class: 'gap' }), button('delete', 'Delete', 'What is selected (Delete)', () => this.remove()), button('group', 'Group', 'A sub-diagram of what is selected (Ctrl + G)', () => this.group()),
      button('ungroup', 'Ungroup', 'The contents in place of the sub-diagram (Ctrl + Shift + G)', () => this.ungroup()),
      h('i', { class: 'gap' }), button('tidy', 'Tidy up', 'Blocks from left to right as signals flow', () => this.tidy()), button('fit', 'Fit', 'All of it (double click)', () => this.picture.fit()),
      button('new', 'New', 'An empty diagram; Undo brings this one back', () => this.clear()),
      h('span', { class: 'space' }), h('span', { class: 'editor-state', 'data-test': 'editor-state' }),
      button('run', '▶ Run', 'Simulate this diagram from the start (Ctrl + Enter)', () => this.run()), button('save', 'Save as YAML', 'The scene with this diagram, as a file that `footfall run` and `footfall view` read', () => void this.save()),
      button('tall', '⇕', 'The whole window, or below the robot', () => { this.kept.tall = !this.kept.tall; this.makeRoom(); this.keep(); }),
      button('close', '✕', 'Back to the values of the diagram', () => this.hide()));
  }

  // ---- open and closed ----

  async show(): Promise<void> {
    this.element.hidden = false;
    this.kept.open = true;
    this.keep();
    this.makeRoom();
    this.element.classList.toggle('no-palette', innerWidth < 620);
    await this.attempt(this.client.refresh());
    const kinds = await this.attempt(this.client.kinds());
    for (const kind of kinds ?? []) this.kinds.set(kind.name, kind);
    this.draw();
  }

  hide(): void {
    this.element.hidden = true;
    this.kept.open = false;
    this.keep();
    this.resized(0);
  }

  /** The simulation is another one, or another page has edited. */
  refresh(): void { if (this.kept.open) void this.attempt(this.client.refresh()); }

  private keep(): void {
    try {
      sessionStorage.setItem(SESSION, JSON.stringify({ ...this.kept, view: this.fitted ? this.picture.zoomed.shown : undefined }));
    } catch { /* nothing is kept then */ }
  }

  /** Between the header and the bar below; beside the robot where there is height enough. */
  private makeRoom(): void {
    if (this.element.hidden) return;
    const top = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0, bottom = document.querySelector<HTMLElement>('.timeline')?.offsetHeight ?? 0;
    const all = innerHeight - top - bottom, whole = this.kept.tall || all < 640 || innerWidth < 760, height = whole ? all : Math.round(0.66 * all);
    this.buttons.get('tall')!.hidden = all < 640 || innerWidth < 760;
    this.element.style.bottom = `${bottom}px`;
    this.element.style.height = `${height}px`;
    this.resized(whole ? 0 : height);
  }

  // ---- drawing ----

  private get document(): DiagramDocument | null { return this.client.state?.document ?? null; }

  private draw(): void {
    const root = this.document;
    if (!root || this.element.hidden) return;
    while (!levelsAt(root, this.kept.path)) this.kept.path.pop();
    const level = levelAt(root, this.kept.path);
    this.selected.blocks = new Set([...this.selected.blocks].filter((name) => level.blocks.some((block) => block.name === name)));
    this.selected.lines = new Set([...this.selected.lines].filter((line) => line < level.lines.length));
    this.picture.show({ level, selected: this.selected, growing: this.kept.path.length > 0, node: (name) => this.node(name), kind: (name) => this.kinds.get(name), isDiagram: (kind) => this.diagramOf(kind) !== undefined, problemOf: (part) => this.problemOf(part) });
    if (!this.fitted) {
      this.fitted = true;
      if (this.kept.view) this.picture.zoomed.set(this.kept.view);
      else this.picture.fit();
    }
    this.palette.setKinds([...this.ownKinds(), ...this.kinds.values()]);
    this.empty.hidden = level.blocks.length > 0;
    this.drawCrumbs();
    this.drawForm(level);
    this.drawButtons(level);
  }

  private drawCrumbs(): void {
    const { path } = this.kept;
    this.crumbs.hidden = path.length === 0;
    const to = (length: number, text: string) => h('button', { class: 'link', disabled: length === path.length, onclick: () => this.goInto(path.slice(0, length)) }, text);
    this.crumbs.replaceChildren(to(0, 'diagram'), ...path.flatMap((name, k) => ['›', to(k + 1, name)]));
  }

  private drawButtons(level: DiagramDocument): void {
    const state = this.client.state!, set = (name: string, enabled: boolean) => { this.buttons.get(name)!.disabled = !enabled; };
    set('undo', state.undo > 0);
    set('redo', state.redo > 0);
    set('delete', this.selected.blocks.size + this.selected.lines.size > 0);
    set('group', this.selected.blocks.size > 0);
    set('ungroup', [...this.selected.blocks].some((name) => this.diagramOf(level.blocks.find((block) => block.name === name)!.kind)));
    set('run', state.problems.length === 0);
    const text = this.element.querySelector<HTMLElement>('[data-test=editor-state]')!;
    text.textContent = state.problems.length > 0 ? `${state.problems.length} problem${state.problems.length > 1 ? 's' : ''}` : state.runs ? 'runs' : 'not run yet';
    text.className = `editor-state ${state.problems.length > 0 ? 'wrong' : state.runs ? 'good' : ''}`;
  }

  /** Sub-diagrams of the document that can be used here, as kinds of blocks. */
  private ownKinds(): PaletteKind[] {
    const levels = levelsAt(this.document!, this.kept.path)!;
    const inside = new Set(levels.map((level) => level.name));
    return levels.flatMap((level) => level.subdiagrams).filter(({ name }) => !inside.has(name)).map((each) => ({
      name: each.name, category: 'sub-diagrams', summary: each.about || 'a sub-diagram of this document', details: '',
      parameters: each.parameters.map(({ name, help, unit, default: fallback }) => ({ name, help, unit, fallback, required: fallback === '' })),
      inputs: each.inputs.map(({ name, help }) => ({ name, help })), outputs: each.outputs.map(({ name, help }) => ({ name, help })),
    }));
  }

  private diagramOf(kind: string): DiagramDocument | undefined {
    const levels = this.document && levelsAt(this.document, this.kept.path);
    return [...(levels ?? [])].reverse().flatMap((level) => level.subdiagrams).find((each) => each.name === kind);
  }

  private pathOf(block: string): string { return [...this.kept.path, block].join('.'); }
  private node(block: string): DocumentNode | undefined { return this.client.state?.nodes.find(({ path }) => path === this.pathOf(block)); }

  private get place(): string { return placeOf(this.document!, levelAt(this.document!, this.kept.path)) ?? ''; }

  private problemOf(part: { block: number } | { line: number } | { output: number }): string {
    const place = 'block' in part ? `${this.place}blocks/${part.block}` : 'line' in part ? `${this.place}lines/${part.line}` : `${this.place}outputs/${part.output}`;
    const found = (this.client.state?.problems ?? []).filter(({ where }) => where === place || where.startsWith(`${place}/`));
    return found.map(({ text }) => text).join('\n');
  }

  private drawForm(level: DiagramDocument): void {
    const focused = this.form.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset.field : undefined;
    this.form.replaceChildren(...this.formOf(level));
    if (focused) this.form.querySelector<HTMLElement>(`[data-field="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  private formOf(level: DiagramDocument): HTMLElement[] {
    const { problems } = this.client.state!, { blocks, lines } = this.selected;
    if (blocks.size === 1) {
      const k = level.blocks.findIndex(({ name }) => blocks.has(name)), block = level.blocks[k];
      return blockForm(block, `${this.place}blocks/${k}`, this.kinds.get(block.kind), this.diagramOf(block.kind), this.node(block.name), problems, this.refusal, this.formEvents());
    }
    if (blocks.size > 1) return [h('h3', {}, `${blocks.size} blocks`), h('p', { class: 'dim' }, 'Delete, group, or move them; Ctrl + D makes copies.')];
    if (lines.size === 1) {
      const [k] = lines, line = level.lines[k];
      const [block, ...rest] = line.from.split('.'), outputs = this.node(block)?.outputs ?? [], port = outputs.find(({ name }) => name === rest[0]) ?? outputs[0];
      return lineForm(line, rest.length > 1 ? '' : port?.type ?? '', this.problemOf({ line: k }));
    }
    return diagramForm(level, this.kept.path.length === 0, problems, this.formEvents());
  }

  private formEvents(): FormEvents {
    const of = (level: DiagramDocument, name: string): DocumentBlock => level.blocks.find((block) => block.name === name)!;
    return {
      rename: (block, name) => this.changeDocument((root) => renameBlock(root, this.kept.path, block, name), () => { this.selected.blocks = new Set([name]); }),
      renameKind: (kind, name) => this.changeDocument((root) => renameKind(root, kind, name, (each) => this.kinds.has(each))),
      set: (block, parameter, value) => this.change((level) => setParameter(of(level, block), parameter, value), value),
      setField: (block, field, value) => this.change((level) => { of(level, block)[field] = value.trim(); }, value),
      setDiagram: (field, value) => this.change((level) => {
        if (field === 'log') level.log = value.split(',').map((each) => each.trim()).filter(Boolean);
        else level[field] = value.trim();
      }),
      renamePort: (side, old, name) => this.changeDocument((root) => {
        const level = levelAt(root, this.kept.path);
        if (name) renamePort(root, level, side, old, name);
        else removePort(root, level, side, old);
      }),
      goTo: (problem) => this.goTo(problem),
    };
  }

  /** Selects what a problem is about. */
  private goTo({ where }: Problem): void {
    const place = this.place;
    if (!where.startsWith(place)) return;
    const [list, index] = where.slice(place.length).split('/'), level = levelAt(this.document!, this.kept.path);
    if (list === 'blocks') this.select({ block: level.blocks[Number(index)]?.name }, false);
    else if (list === 'lines') this.select({ line: Number(index) }, false);
    else this.goIntoProblem(where);
  }

  /** In a sub-diagram: one block that is it is opened. */
  private goIntoProblem(where: string): void {
    const found = /^subdiagrams\/(\d+)\//.exec(where.slice(this.place.length)), level = levelAt(this.document!, this.kept.path);
    const block = found && level.blocks.find(({ kind }) => kind === level.subdiagrams[Number(found[1])]?.name);
    if (!block) return;
    this.goInto([...this.kept.path, block.name]);
    this.goTo({ where, text: '', hint: '' });
  }

  // ---- what is selected ----

  private select(what: { block?: string; line?: number; within?: Set<string> }, more: boolean): void {
    const { blocks, lines } = more ? this.selected : { blocks: new Set<string>(), lines: new Set<number>() };
    const toggle = <T>(set: Set<T>, one: T) => { if (!set.delete(one)) set.add(one); };
    if (what.block !== undefined) toggle(blocks, what.block);
    if (what.line !== undefined) toggle(lines, what.line);
    for (const name of what.within ?? []) blocks.add(name);
    this.selected = { blocks, lines };
    this.refusal = null;
    this.say('');
    this.draw();
  }

  private open(block: string): void {
    const found = levelAt(this.document!, this.kept.path).blocks.find(({ name }) => name === block)!;
    if (this.diagramOf(found.kind)) this.goInto([...this.kept.path, block]);
    else if (found.kind === 'Scope') this.openScope(this.pathOf(block));
  }

  private goInto(path: Path): void {
    this.kept.path = path;
    this.selected = { blocks: new Set(), lines: new Set() };
    this.fitted = false;
    this.kept.view = undefined;
    this.draw();
    this.keep();
  }

  // ---- what is done ----

  private say(text: string, isProblem = false): void {
    this.message.textContent = text;
    this.message.hidden = text === '';
    this.message.classList.toggle('wrong', isProblem);
  }

  /** Says what goes wrong. */
  private async attempt<T>(action: Promise<T>, value = ''): Promise<T | null> {
    try {
      const result = await action;
      this.keep();
      return result;
    } catch (problem) {
      const text = (problem as Error).message, where = problem instanceof RefusedEdit ? problem.where : '';
      this.refusal = where.includes('/') ? { where, text, value } : null;
      this.draw();
      this.say(`refused: ${text}`, true);
      if (where === 'revision') void this.client.refresh().catch(() => {});
      return null;
    }
  }

  private changeDocument(action: (root: DiagramDocument) => void, done?: () => void, strict = false, value = ''): void {
    this.refusal = null;
    this.say('');
    const changed = this.client.edit((root) => { action(root); done?.(); }, strict);
    void this.attempt(changed, value);
  }

  private change(action: (level: DiagramDocument) => void, value = ''): void {
    const path = [...this.kept.path];
    this.changeDocument((root) => action(levelAt(root, path)), undefined, false, value);
  }

  private add(kind: string, at: [number, number]): void {
    this.change((level) => { this.selected = { blocks: new Set([addBlock(level, kind, at)]), lines: new Set() }; });
    if (innerWidth < 620) this.element.classList.add('no-palette');
  }

  private connect(from: string, to: string): void {
    const path = [...this.kept.path];
    this.changeDocument((root) => {
      const level = levelAt(root, path), output = level.outputs.find((port) => port.name === to);
      if (to === NEW_PORT) addOutput(level, from);
      else if (output) output.from = from;
      else if (from === NEW_PORT) connect(level, addInput(level, to), to, (other) => this.picture.sameInput(other, to));
      else connect(level, from, to, (other) => this.picture.sameInput(other, to));
    }, undefined, true);
  }

  private remove(): void {
    const { blocks, lines } = this.selected, path = [...this.kept.path];
    if (blocks.size + lines.size === 0) return;
    this.selected = { blocks: new Set(), lines: new Set() };
    this.changeDocument((root) => { removeLines(levelAt(root, path), lines); removeBlocks(root, path, blocks); });
  }

  private group(): void {
    const { blocks } = this.selected, path = [...this.kept.path];
    const taken = (name: string) => this.kinds.has(name);
    this.changeDocument((root) => { this.placeEverything(levelAt(root, path)); this.selected = { blocks: new Set([group(root, path, blocks, taken)]), lines: new Set() }; });
  }

  private ungroup(): void {
    const { blocks } = this.selected, path = [...this.kept.path];
    this.changeDocument((root) => {
      const level = levelAt(root, path), names = [...blocks].filter((name) => this.diagramOf(level.blocks.find((block) => block.name === name)?.kind ?? ''));
      this.selected = { blocks: new Set(names.flatMap((name) => [...ungroup(root, path, name)])), lines: new Set() };
    });
  }

  /** Blocks that nobody has put anywhere stay where they are shown. */
  private placeEverything(level: DiagramDocument): void {
    if (level.blocks.some((block) => block.at)) return;
    const places = this.picture.tidy();
    for (const block of level.blocks) block.at ??= places.get(block.name);
  }

  private tidy(): void {
    const places = this.picture.tidy();
    this.change((level) => { for (const block of level.blocks) block.at = places.get(block.name) ?? block.at; });
    void this.attempt(this.client.refresh()).then(() => this.picture.fit());
  }

  private clear(): void {
    this.goInto([]);
    this.changeDocument((root) => { Object.assign(root, { about: '', log: [], parameters: [], inputs: [], outputs: [], blocks: [], lines: [], subdiagrams: [] }); });
  }

  private run(): void {
    if (this.client.state?.problems.length) return this.say(`refused: ${this.client.state.problems[0].text}`, true);
    this.keep();
    this.client.run();
  }

  private async save(): Promise<void> {
    const name = this.source.scene.source.split(/[\\/]/).pop()!.replace(/\.ya?ml$/, ''), text = await this.attempt(this.client.yaml());
    if (text !== null) save(`${name}_drawn.yaml`, new Blob([text], { type: 'application/yaml' }));
  }

  // ---- keys ----

  private key(event: KeyboardEvent): void {
    if (this.element.hidden || document.querySelector('dialog[open]')) return;
    const target = event.target as HTMLElement, typing = target.matches?.('input, select, textarea'), control = event.ctrlKey || event.metaKey, letter = event.key.toLowerCase();
    const arrows: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    let action: (() => void) | null = null;
    if (typing) action = null;
    else if (control && letter === 'z') action = () => void this.attempt(event.shiftKey ? this.client.redo() : this.client.undo());
    else if (control && letter === 'y') action = () => void this.attempt(this.client.redo());
    else if (control && letter === 'g') action = () => (event.shiftKey ? this.ungroup() : this.group());
    else if (control && letter === 'd') action = () => this.change((level) => { this.selected = { blocks: duplicate(level, this.selected.blocks), lines: new Set() }; });
    else if (control && letter === 'a') action = () => this.select({ within: new Set(levelAt(this.document!, this.kept.path).blocks.map(({ name }) => name)) }, false);
    else if (event.key === 'Delete' || event.key === 'Backspace') action = () => this.remove();
    else if (event.key === 'Escape') action = () => { if (this.picture.connecting) this.picture.cancel(); else if (this.kept.path.length > 0 && this.selected.blocks.size === 0) this.goInto(this.kept.path.slice(0, -1)); else this.select({}, false); };
    else if (event.key === 'Enter' && target.dataset?.node) action = () => this.open(target.dataset.node!);
    else if (arrows[event.key] && this.selected.blocks.size > 0 && target.closest?.('[data-test=editor]')) action = () => this.nudge(arrows[event.key]);
    if (control && event.key === 'Enter') action = () => this.run();
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }

  private nudge([x, y]: [number, number]): void {
    this.change((level) => {
      this.placeEverything(level);
      for (const block of level.blocks) if (this.selected.blocks.has(block.name) && block.at) block.at = [block.at[0] + KEY_STEP * x, block.at[1] + KEY_STEP * y];
    });
  }

  /** For tests. */
  summary(): { revision: number; document: DiagramDocument | null; problems: string[]; runs: boolean; selected: string[]; path: Path } {
    const { state } = this.client;
    return { revision: state?.revision ?? -1, document: state?.document ?? null, problems: (state?.problems ?? []).map(({ text }) => text), runs: state?.runs ?? false, selected: [...this.selected.blocks], path: this.kept.path };
  }
}

