// The diagram that is simulated, with the values of the shown instant on its lines and the time that each block and stage takes.

import type { Panel } from './app';
import { DiagramEditor } from './diagram_editor';
import { DiagramPicture, rateColour, type Part } from './diagram_picture';
import { format, h, kept } from './dom';
import { entryNames } from './entry_names';
import type { Row } from './messages';
import type { PlotPanel } from './plot_panel';
import type { BlockDiagram } from './scene_types';
import type { Source } from './source';
import { StepPicture } from './step_picture';
import { spreadOf, timeTable, type TimeEntry, type TimeSpread } from './time_table';

const WINDOW = 1;       // over which times are counted: single steps jitter, and slow blocks do not run in each [s]
const MOST_ROWS = 4000; // in it
const BETWEEN = 300;    // two questions for times [ms]
const READABLE = 1200;  // a wider drawing is too small beside the robot [its pixels]

export class DiagramPanel implements Panel {
  readonly title = 'Diagram';
  readonly element = h('div', { class: 'panel diagram', 'data-test': 'diagram' });
  private holder = h('div', { class: 'diagram-view' });
  private canvas = h('div');
  private rates = h('div', { class: 'rates' });
  private detail = h('div', { class: 'signal', 'data-test': 'signal' });
  private blockTimes = h('div', { 'data-test': 'block-times' });
  private stageHead = h('h3', {}, 'Time of each stage of the robot’s step');
  private stageTimes = h('div', { 'data-test': 'stage-times' });
  private steps = h('div', { class: 'step-picture' });
  private picture: DiagramPicture | null = null;
  private step: StepPicture | null = null;
  private chosen: Part | null = null;
  private pointed: Part | null = null;
  private row: Row | null = null;
  private asked = -Infinity;
  private askedFor = NaN;
  private spreads = new Map<number, TimeSpread>();  // by column

  readonly editor: DiagramEditor | null = null;  // logs have none

  constructor(private source: Source, private plots: PlotPanel, private say: (text: string) => void) {
    const wide = h('button', { class: 'small', title: 'As wide as the window, or beside the robot', 'data-test': 'wide' }, 'Wide');
    wide.onclick = () => {
      const chosen = !this.holder.classList.contains('wide');
      kept.write('wide-diagram', chosen);
      this.setWide(chosen, wide);
    };
    const fit = h('button', { class: 'small', title: 'All of it (double click)', onclick: () => this.picture?.zoomed.fit() }, 'Fit');
    const edit = source.live ? h('button', { class: 'small', title: 'Draw the diagram: add, connect, change blocks', 'data-test': 'edit', onclick: () => void this.editor!.show() }, '✎ Edit') : null;
    this.holder.append(this.canvas, h('div', { class: 'diagram-bar' }, this.rates, edit, fit, wide));
    if (source.live) {
      this.editor = new DiagramEditor(source, (path) => this.openScope(path), (height) => document.body.style.setProperty('--editor', `${height}px`));
      document.body.append(this.editor.element);
    }
    new ResizeObserver(() => this.makeRoom()).observe(this.holder);
    this.element.append(this.holder, this.detail, h('h3', {}, 'Time of each block'), this.blockTimes, this.stageHead, this.stageTimes,
      h('h3', {}, 'Inside the robot’s step'), this.steps);
    this.draw();
    this.setWide(kept.read<boolean | null>('wide-diagram', null) ?? this.needsWidth(), wide);
  }

  described(): void {
    this.draw();
    this.editor?.refresh();
  }

  private openScope(path: string): void {
    if (!this.plots.showScope(path)) this.say(`The scope ${path} sees nothing that was recorded.`);
    else if (this.editor) this.editor.hide();
  }

  private get diagram(): BlockDiagram | null {
    const { diagram } = this.source.scene;
    return diagram?.drawing ? (diagram as BlockDiagram) : null;
  }

  private setWide(wide: boolean, button: HTMLElement): void {
    this.holder.classList.toggle('wide', wide);
    button.classList.toggle('on', wide);
    this.picture?.zoomed.fit();
    this.makeRoom();
  }

  /** Beside the robot nobody could read it, and there is room below. */
  private needsWidth(): boolean {
    const width = this.diagram?.drawing.width ?? 0;
    return width > READABLE && window.innerWidth > 1000 && window.innerHeight > 650;
  }

  /** What lies above the wide picture becomes smaller by as much as it takes. */
  private makeRoom(): void {
    const wide = this.holder.classList.contains('wide'), timeline = document.querySelector<HTMLElement>('.timeline');
    this.holder.style.bottom = wide && timeline ? `${timeline.offsetHeight}px` : '';
    document.body.style.setProperty('--drawer', `${wide ? this.holder.offsetHeight : 0}px`);
  }

  private draw(): void {
    this.picture = null;
    this.step = null;
    this.askedFor = NaN;
    const { diagram, columns } = this.source.scene;
    if (!diagram) return this.canvas.replaceChildren(h('p', { class: 'dim' }, 'This run says nothing about its diagram.'));
    this.step = new StepPicture(diagram.step);
    this.steps.replaceChildren(this.step.element);
    if (!this.diagram) return this.canvas.replaceChildren(h('p', { class: 'dim' }, `The diagram cannot be drawn: ${diagram.problem}`));
    this.picture = new DiagramPicture(this.diagram, columns, {
      pointed: (part) => { this.pointed = part; this.showDetail(); },
      chosen: (part) => { this.chosen = JSON.stringify(part) === JSON.stringify(this.chosen) ? null : part; this.showDetail(); },
      opened: (block) => this.openScope(block),
    });
    const { drawing } = this.diagram;
    this.canvas.replaceChildren(this.picture.zoomed.element);
    this.rates.replaceChildren(...drawing.rates.map((rate, k) => h('span', {}, h('i', { style: `background:${rateColour(drawing, k)}` }), rate)));
    if (this.row) this.show(this.row);
  }

  show(row: Row): void {
    this.row = row;
    this.picture?.showValues(row.values);
    this.step?.showValues(row);
    this.showDetail();
    void this.askForTimes(row.time);
  }

  // ---- one signal or block ----

  private showDetail(): void {
    const part = this.pointed ?? this.chosen;
    this.picture?.highlight(part);
    if (!part || !this.diagram) return this.detail.replaceChildren(h('p', { class: 'dim' }, 'Point at a line or a block for its values; a click keeps it. The wheel zooms, a drag moves.'));
    const signals = 'signal' in part ? [part.signal] : this.signalsOf(part.block);
    this.detail.replaceChildren(...('block' in part ? [this.blockLine(part.block)] : []), ...signals.flatMap((signal) => this.signalLines(signal)));
  }

  private signalsOf(block: string): string[] {
    const found = this.diagram!.drawing.lines.map((line) => line.source).filter((source) => source.startsWith(`${block}.`));
    return [...new Set(found)];
  }

  private blockLine(path: string): HTMLElement {
    const block = this.diagram!.drawing.blocks.find((each) => each.path === path)!, time = this.spreads.get(this.diagram!.times[path]);
    const idle = [...block.inputs, ...block.outputs].filter((port) => !port.connected).map((port) => port.name);
    return h('p', {}, h('b', {}, path), ` ${block.kind}, ${block.sample}${time ? `: ${format(time.median, 3)} µs in half of the steps, ${format(time.worst, 3)} µs at most` : ''}`,
      idle.length > 0 ? h('span', { class: 'dim' }, `; not connected: ${idle.join(', ')}`) : null);
  }

  private signalLines(signal: string): HTMLElement[] {
    const { columns = [], type, numbers } = this.diagram!.signals[signal] ?? {}, names = this.source.scene.columns;
    const channels = columns.map((column) => names[column][0]);
    const plot = columns.length > 0 ? h('button', { class: 'small', title: 'Plot it', onclick: () => this.plots.addPlot(channels.slice(0, 8)) }, 'plot') : null;
    const head = h('p', {}, h('b', {}, signal), ` ${type ?? ''} `, plot);
    if (columns.length === 0) return [head, h('p', { class: 'dim' }, type?.startsWith('function') ? 'No numbers: a block calls another one.' : 'It is not in this log: name it in `log:` of the diagram.')];
    const entries = entryNames(this.source.scene.robot, numbers ?? columns.length, columns.map((column) => names[column][1]));
    const cells = columns.map((column, k) => h('span', { title: channels[k] }, h('small', {}, this.componentName(channels[k], signal, entries?.[k])), `${format(this.row?.values[column], 5)}`));
    const rest = numbers !== undefined && numbers > columns.length ? [h('p', { class: 'dim' }, `The first ${columns.length} of ${numbers} numbers are kept.`)] : [];
    return [head, h('div', { class: 'numbers' }, ...cells), ...rest];
  }

  /** @param entry name of the entry, where the channel has but its number */
  private componentName(channel: string, signal: string, entry: string | undefined): string {
    const name = channel.startsWith('diagram.') ? channel.slice('diagram.'.length) : channel;
    if (name === signal) return '';
    if (!name.startsWith(`${signal}.`)) return name;
    const component = name.slice(signal.length + 1);
    return /^\d+$/.test(component) && entry !== undefined ? entry : component;
  }

  // ---- times ----

  private async askForTimes(time: number): Promise<void> {
    const stages = this.source.scene.columns.map(([name], column) => ({ name, column })).filter(({ name }) => name.startsWith('stage.'));
    const columns = [...Object.values(this.diagram?.times ?? {}), ...stages.map(({ column }) => column)];
    this.stageHead.hidden = stages.length === 0;
    if (columns.length === 0) {
      this.blockTimes.replaceChildren(h('p', { class: 'dim' }, 'Only live simulations measure times; `footfall run --profile` prints them.'));
      return this.stageTimes.replaceChildren();
    }
    const now = performance.now();
    if (now - this.asked < BETWEEN || time === this.askedFor) return;
    this.asked = now;
    this.askedFor = time;
    try {
      const { start, stop, first, end } = this.source.extent, span = Math.min(WINDOW, (MOST_ROWS * (stop - start)) / Math.max(1, end - first));
      const series = await this.source.series(columns, time - span, time, MOST_ROWS);
      const spreads = series.columns.map(({ values }) => spreadOf(values));
      if (spreads.some(({ mean }) => !Number.isFinite(mean))) return void (this.askedFor = NaN);  // those rows are gone
      columns.forEach((column, k) => this.spreads.set(column, spreads[k]));
      this.showTimes(stages);
    } catch {
      this.askedFor = NaN;  // the connection is gone: what is shown stays
    }
  }

  private showTimes(stages: { name: string; column: number }[]): void {
    const entry = (name: string, channel: string, column: number): TimeEntry => ({ name, channel, ...this.spreads.get(column)! });
    const plot = (channel: string) => this.plots.addPlot([channel]);
    const times = Object.entries(this.diagram?.times ?? {});
    this.picture?.showTimes(new Map(times.map(([block, column]) => [block, this.spreads.get(column)!.mean])));
    this.step?.showTimes(new Map([...this.spreads].map(([column, { mean }]) => [column, mean])));
    this.blockTimes.replaceChildren(timeTable(times.map(([block, column]) => entry(block, `block.${block}`, column)), plot));
    this.stageTimes.replaceChildren(timeTable(stages.map(({ name, column }) => entry(name.slice('stage.'.length), name, column)), plot));
  }
}
