// Stacked plots over one time axis, with a list of channels to choose from.

import type { Panel } from './app';
import { ChannelTree } from './channel_tree';
import { format, h, kept, save } from './dom';
import { everyRow } from './every_row';
import { Layouts } from './layouts';
import type { Frame, Row } from './messages';
import { Plot } from './plot';
import { closeMenusOutside, PLOT_DRAG } from './plot_menu';
import { plainSpec, specOf, type PlotSpec, type Range } from './plot_spec';
import type { Player } from './player';
import { scopePlots } from './scopes';
import { plotsAsSvg, pngBlob, svgBlob } from './plots_picture';
import type { Selection } from './selection';
import type { Source } from './source';

const LIVE_SPAN = 10;  // shown of a live simulation until somebody zooms [s]
const REFRESH = 120;   // between two questions to the server [ms]
const BETWEEN_DRAWINGS = 30;  // while it plays [ms]

export class PlotPanel implements Panel {
  readonly title = 'Plots';
  readonly element = h('div', { class: 'panel plots', 'data-test': 'plots' });
  private stack = h('div', { class: 'stack' });
  private plots: Plot[] = [];
  /** Null: the newest seconds of a live run, all of a log. */
  private zoom: Range | 'whole' | null = null;
  private cursors: Range | null = null;
  private between = h('span', { class: 'between', hidden: true, 'data-test': 'between' });
  private pending = 0;
  private difference = false;
  private drawn = 0;

  /** @param opened somebody wants to see the plots */
  constructor(private source: Source, private others: Source[], private player: Player, private selection: Selection, private opened: () => void) {
    const channels = new ChannelTree(source.scene.columns, {
      plot: (names, each) => this.addPlots(each ? names.map((name) => plainSpec([name])) : [plainSpec(names)]),
      add: (names) => this.addToLast(names),
      over: (names) => this.addPlots([{ ...plainSpec(names), kind: 'xy', height: 260 }]),
    });
    selection.onChange(() => channels.setPicked(selection.title, selection.channels()));
    const empty = h('div', { class: 'drop', 'data-test': 'drop' }, 'Click a channel for a new plot, or drag it here; drag it onto a plot to add it');
    this.acceptDrops(empty, (name) => this.addPlot([name]), () => this.plots.length);
    closeMenusOutside();
    this.element.append(channels.element, this.tools(), empty, this.stack);
    this.setLayout(this.withNewScopes(kept.read<unknown[]>(this.layoutKey, this.firstLayout())));
  }

  /** A scope that was not there before is shown once by itself; who removes its plot does not get it again. */
  private withNewScopes(layout: unknown[]): unknown[] {
    const key = `scopes.${this.source.scene.source}`, known = kept.read<unknown>(key, []), scopes = scopePlots(this.source.scene);
    const before = new Set(Array.isArray(known) ? known : []), shown = new Set((Array.isArray(layout) ? layout : []).map((wish) => (wish as Partial<PlotSpec> | null)?.title));
    kept.write(key, [...scopes.keys()]);
    return [...[...scopes].filter(([path]) => !before.has(path) && !shown.has(path)).map(([, spec]) => spec), ...(Array.isArray(layout) ? layout : [])];
  }

  /** The plot of a scope: the one that is there, or a new one. False: it sees nothing that was recorded. */
  showScope(path: string): boolean {
    const spec = scopePlots(this.source.scene).get(path);
    if (!spec) return false;
    const there = this.plots.find((plot) => plot.spec.title === path);
    if (!there) this.addPlots([spec]);
    this.opened();
    (there ?? this.plots[this.plots.length - 1]).element.scrollIntoView({ block: 'nearest' });
    return true;
  }

  private tools(): HTMLElement {
    const button = (text: string, title: string, test: string, action: () => void) =>
      h('button', { class: 'small', title, 'data-test': test, onclick: action }, text);
    const cursors = button('Cursors', 'Two lines to measure between: drag them', 'cursors', () => this.setCursors(this.cursors ? null : this.freshCursors()));
    const layouts = new Layouts(this.source.scene.robot.name, () => this.layout(), (layout) => this.setLayout(layout ?? this.firstLayout()));
    const tools = h('div', { class: 'tools' }, button('Whole run', 'Show all of the time', 'whole', () => this.setZoom('whole')),
      this.source.live ? button('Newest', `Show the newest ${LIVE_SPAN} s (double click)`, 'auto', () => this.setZoom(null)) : null,
      button('Repeat this', 'Repeat the time that the plots show', 'repeat-window', () => this.player.setRange(this.window())), cursors,
      button('CSV', 'Save what the plots show as a table', 'csv', () => void this.saveCsv()),
      button('PNG', 'Save the plots as a picture', 'png', () => void this.savePng()),
      button('SVG', 'Save the plots as a picture made of lines', 'svg', () => save('footfall.svg', svgBlob(this.svg()))),
      layouts.element, this.between);
    if (this.others.length > 0) {
      const box = h('input', { type: 'checkbox', 'data-test': 'difference' });
      box.onchange = () => { this.difference = box.checked; this.refresh(); };
      tools.append(h('label', { title: 'Ours less that of the other run' }, box, 'difference'));
    }
    return tools;
  }

  /** Every robot has channels of its own; scenes that ask for plots have a layout of their own. */
  private get layoutKey(): string {
    const { robot, view, source } = this.source.scene;
    return `layout.${view.plots.length > 0 ? source : robot.name}`;
  }

  /** Something worth seeing in any scene. */
  private firstLayout(): unknown[] {
    const scopes = [...scopePlots(this.source.scene).values()];
    if (this.source.scene.view.plots.length > 0) return [...scopes, ...this.source.scene.view.plots];
    const names = this.source.scene.columns.map(([name]) => name);
    const known = (...wanted: string[]) => wanted.filter((name) => names.includes(name));
    // Older logs know what the ground pushes with at points only.
    const matching = (pattern: RegExp) => names.filter((name) => pattern.test(name));
    const touching = [/\.ground_force\.normal$/, /\]\.force\.z$/].map(matching).find((found) => found.length > 0) ?? [];
    const feet = touching.filter((name) => /sole|foot|toe/i.test(name));
    const soles = (feet.length > 0 ? feet : touching).slice(0, 4);
    return [...scopes, ...[soles, known(...(this.source.scene.robot.floating_base ? ['base.position.z'] : []), 'com.position.z'), known('energy.kinetic')].filter((plot) => plot.length > 0)];
  }

  // ---- what is plotted ----

  /** Buttons for other panels: each plots the channels whose names match, where there are some. */
  offer(choices: Record<string, RegExp>): HTMLElement {
    const names = this.source.scene.columns.map(([name]) => name);
    const found = Object.entries(choices).map(([text, pattern]) => ({ text, channels: names.filter((name) => pattern.test(name)) }));
    return h('div', { class: 'inline' }, ...found.filter(({ channels }) => channels.length > 0).map(({ text, channels }) =>
      h('button', { class: 'small', 'data-test': 'offer', onclick: () => { this.addPlot(channels); this.opened(); } }, text)));
  }

  addPlot(names: string[]): void { this.addPlots([plainSpec(names)]); }

  /** Below the others, where they can be seen at once. */
  private addPlots(specs: PlotSpec[]): void {
    this.setLayout([...this.layout(), ...specs]);
    this.plots[this.plots.length - 1]?.element.scrollIntoView({ block: 'nearest' });
  }

  private addToLast(names: string[]): void {
    const last = this.layout().pop();
    if (!last) return this.addPlot(names);
    this.replace(last, { ...last, names: [...last.names, ...names] });
    this.plots[this.plots.length - 1].element.scrollIntoView({ block: 'nearest' });
  }

  private layout(): PlotSpec[] { return this.plots.map((plot) => plot.spec); }

  private keep(): void { kept.write(this.layoutKey, this.layout()); }

  /** Lists of channels, or plots that were kept; plots that are there already stay. */
  private setLayout(layout: unknown[]): void {
    const names = new Set(this.source.scene.columns.map(([name]) => name)), before = new Map(this.plots.map((plot) => [plot.spec as unknown, plot]));
    const specs = (Array.isArray(layout) ? layout : []).map((wish) => (before.has(wish) ? (wish as PlotSpec) : specOf(wish, (name) => names.has(name))));
    this.plots = specs.filter((spec) => spec !== null).map((spec) => before.get(spec) ?? this.makePlot(spec));
    for (const plot of before.values()) if (!this.plots.includes(plot)) plot.destroy();
    const { scrollTop } = this.element;
    this.stack.replaceChildren(...this.plots.map((plot) => plot.element));
    this.element.scrollTop = scrollTop;  // who changes a plot goes on looking at it
    this.keep();
    const rightAxes = Math.max(0, ...this.plots.map((plot) => plot.rightAxes));
    this.plots.forEach((plot, i) => plot.setPlace(i + 1 === this.plots.length, rightAxes));
    this.source.subscribe(this.subscribedOrder());
    this.resize();
    this.refresh();
  }

  private makePlot(spec: PlotSpec): Plot {
    const plot = new Plot(spec, this.source, this.others, {
      seek: (time) => void this.player.seek(time),
      zoom: (range) => this.setZoom(range),
      cursor: (cursor, time) => this.moveCursor(cursor, time),
      kept: () => this.keep(),
      choose: (name) => this.selection.pickChannel(name),
      replaced: (other) => this.replace(spec, other),
      removed: () => this.setLayout(this.layout().filter((each) => each !== spec)),
      moved: (by) => this.move(spec, this.layout().indexOf(spec) + by),
      fitted: () => {},
    });
    const add = (name: string) => { if (!spec.names.includes(name)) this.replace(spec, { ...spec, names: [...spec.names, name] }); };
    this.acceptDrops(plot.element, add, () => this.layout().indexOf(spec));
    return plot;
  }

  private replace(spec: PlotSpec, other: PlotSpec): void { this.setLayout(this.layout().map((each) => (each === spec ? structuredClone(other) : each))); }

  private move(spec: PlotSpec, place: number): void {
    const rest = this.layout().filter((each) => each !== spec);
    rest.splice(Math.max(0, place), 0, spec);
    this.setLayout(rest);
  }

  /** Channels, and plots that are moved to a place. */
  private acceptDrops(element: HTMLElement, take: (name: string) => void, place: () => number): void {
    element.addEventListener('dragover', (event) => { event.preventDefault(); element.classList.add('over'); });
    element.addEventListener('dragleave', () => element.classList.remove('over'));
    element.addEventListener('drop', (event) => {
      event.preventDefault();
      element.classList.remove('over');
      const moved = event.dataTransfer?.getData(PLOT_DRAG), name = event.dataTransfer?.getData('text/plain');
      const spec = moved ? this.layout().find((each) => each.names.join(' ') === moved) : undefined;
      if (spec) this.move(spec, place());
      else if (name) take(name);
    });
  }

  // ---- two cursors ----

  private freshCursors(): Range {
    const [from, to] = this.window();
    return [from + (to - from) / 3, to - (to - from) / 3];
  }

  private setCursors(cursors: Range | null): void {
    this.cursors = cursors;
    this.between.hidden = cursors === null;
    this.element.querySelector('[data-test=cursors]')?.classList.toggle('on', cursors !== null);
    if (cursors) {
      const [a, b] = cursors, frequency = a === b ? '' : ` · ${format(1 / Math.abs(b - a))} Hz`;
      this.between.textContent = `A ${a.toFixed(3)} s · B ${b.toFixed(3)} s · Δ ${format(b - a)} s${frequency}`;
    }
    this.moved();
  }

  private moveCursor(cursor: 0 | 1, time: number): void {
    if (!this.cursors) return;
    const { start, stop } = this.source.extent, next: Range = [...this.cursors];
    next[cursor] = Math.min(Math.max(time, start), stop);
    this.setCursors(next);
  }

  // ---- which time is plotted ----

  private window(): Range {
    const { start, stop } = this.source.extent;
    if (this.zoom !== null && this.zoom !== 'whole') return this.zoom;
    if (!this.source.live || this.zoom === 'whole') return [start, stop];
    const end = this.player.following ? stop : Math.max(this.player.time + 0.2 * LIVE_SPAN, start + LIVE_SPAN);
    return [Math.max(start, Math.min(end, stop) - LIVE_SPAN), Math.min(end, stop)];
  }

  private setZoom(zoom: Range | 'whole' | null): void {
    if (zoom !== null && zoom !== 'whole' && !(zoom[1] - zoom[0] > 2 * this.source.scene.physics.step)) return;
    this.zoom = zoom === null || zoom === 'whole' ? zoom : this.inside(zoom);
    this.moved();
    this.refreshSoon();
  }

  /** Zoom ends where the run does; a window that is moved keeps its width. */
  private inside([from, to]: Range): Range | 'whole' {
    const { start, stop } = this.source.extent, span = to - from;
    if (!(span < stop - start)) return 'whole';
    const first = Math.min(Math.max(from, start), stop - span);
    return [first, first + span];
  }

  // ---- filling them ----

  receive(frame: Frame): void {
    if (frame.fresh.count > 0) for (const plot of this.plots) plot.append(frame.fresh, this.subscribedOrder());
  }

  private subscribedOrder(): number[] { return [...new Set(this.plots.flatMap((plot) => plot.columns))]; }

  forget(): void { this.refresh(); }

  show(_row: Row): void { this.moved(); }

  /** The shown time has changed. */
  moved(): void {
    const now = performance.now();
    if (this.element.hidden || (this.player.playing && now - this.drawn < BETWEEN_DRAWINGS)) return;
    this.drawn = now;
    const window = this.window();
    let complete = true;
    for (const plot of this.plots) complete = plot.setTime(this.player.time, window, this.player.row, this.cursors) && complete;
    if (!complete) this.refreshSoon();
  }

  private refreshSoon(): void {
    if (this.pending !== 0) return;
    this.pending = window.setTimeout(() => { this.pending = 0; this.refresh(); }, REFRESH);
  }

  refresh(): void {
    const window = this.window();
    for (const plot of this.plots) {
      void plot.load(window, this.difference, this.zoom === null).then((loaded) => {
        if (loaded) plot.setTime(this.player.time, this.window(), this.player.row, this.cursors);
        else this.refreshSoon();
      });
    }
  }

  resize(): void { for (const plot of this.plots) plot.resize(); }
  repaint(): void { for (const plot of this.plots) plot.rebuild(); }

  // ---- taking it away ----

  private async saveCsv(): Promise<void> {
    const columns = this.subscribedOrder(), { times, columns: values } = await everyRow(this.source, columns, ...this.window());
    const name = (column: number) => { const [text, unit] = this.source.scene.columns[column]; return `${text} [${unit}]`; };
    const lines = Array.from(times, (time, r) => [time, ...values.map((column) => column[r])].join(','));
    save('footfall.csv', new Blob([[['time [s]', ...columns.map(name)].join(','), ...lines].join('\n') + '\n'], { type: 'text/csv' }));
  }

  private svg(): SVGElement { return plotsAsSvg(this.plots, Math.max(480, this.stack.clientWidth)); }

  private async savePng(): Promise<void> {
    const blob = await pngBlob(this.svg(), Math.max(2, devicePixelRatio));
    if (blob) save('footfall.png', blob);
  }

  /** For tests. */
  summary(): ReturnType<Plot['summary']>[] { return this.plots.map((plot) => plot.summary()); }
}
