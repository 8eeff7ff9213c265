// Puts the parts of the page together: one source is shown, others are compared with it.

import { STRANGER } from './access';
import { BalancePanel } from './balance_panel';
import { Comparison } from './comparison';
import { ContactPanel } from './contact_panel';
import { DeepLink, type Place } from './deep_link';
import { DiagramPanel } from './diagram_panel';
import { format, h, kept, save } from './dom';
import { Film } from './film';
import { ImpactFlash } from './impact_flash';
import { LayersPanel } from './layers_panel';
import { LinkPanel } from './link_panel';
import { LivePanel } from './live_panel';
import type { Frame, Row } from './messages';
import { Player } from './player';
import { PlotPanel } from './plot_panel';
import { Selection } from './selection';
import { helpDialog, listenToKeys, type Shortcut } from './shortcuts';
import type { Source, SourceEvents } from './source';
import { applyTheme, currentTheme } from './theme';
import { Timeline } from './timeline';
import { Viewport } from './viewport';

/** A part of the side bar. */
export interface Panel {
  readonly title: string;
  readonly element: HTMLElement;
  /** A row is shown; only called while the panel can be seen. */
  show(row: Row): void;
  described?(): void;
}

export class App implements SourceEvents {
  readonly viewport: Viewport;
  readonly player: Player;
  readonly plots: PlotPanel;
  readonly panels: Panel[];
  readonly selection: Selection;
  connected = true;
  readonly comparison: Comparison;
  private timeline: Timeline;
  private contacts: ContactPanel;
  private link: LinkPanel;
  readonly diagram: DiagramPanel;
  private film: Film;
  private deepLink: DeepLink;
  private layers: LayersPanel;
  private flash: ImpactFlash;
  private help: HTMLDialogElement;
  private hint = h('span', { class: 'hint', 'data-test': 'hint' });
  private toasts = h('div', { class: 'toasts', role: 'status' });
  private badge = h('span', { class: 'badge', 'data-test': 'connection' });
  private pagesBadge = h('span', { class: 'badge', hidden: true, 'data-test': 'pages', title: 'What one of them does to the simulation, all of them show' });
  private gone = h('div', { class: 'gone', hidden: true, role: 'alert', 'data-test': 'gone' });
  private filmButton = h('button', { class: 'small', title: 'Film the 3D view', 'aria-label': 'Film the 3D view', 'data-test': 'film', onclick: () => this.toggleFilm() }, '●');
  private othersDid: HTMLElement | null = null;  // what other pages did, for a moment
  private active: Panel;
  private tabs = new Map<Panel, HTMLButtonElement>();
  private epoch = -1;
  private received = 0;  // rows of a live simulation up to this number have come
  private panelRow: Row | null = null;

  constructor(readonly source: Source, readonly others: Source[]) {
    this.viewport = new Viewport(source, {
      picked: (link, part) => { this.selection.pickLink(link, part); if (link !== null) this.open(this.link); },
      pickedContact: (contact) => { this.selection.pickContact(contact); this.open(this.contacts); },
      pull: ({ link, point, target }, stiffness) => {
        source.command({ do: 'pull', link, point: point.toArray(), target: target.toArray(), stiffness });
        const { name } = source.scene.robot.links[link];
        this.showHint(!this.connected ? 'the server is gone: nothing moves' : source.pace.playing ? `pulling ${name} with ${format(stiffness * this.viewport.pullLength, 3)} N` : `paused: nothing moves; play, and the pull at ${name} acts`);
      },
      release: () => { source.command({ do: 'release' }); this.showHint(); },
      layers: (layers) => this.layers?.update(layers),
    });
    this.selection = new Selection(source.scene);
    this.selection.onChange(({ link, contact }) => { this.viewport.select(link); this.viewport.selectContact(contact); });
    this.flash = new ImpactFlash(source, (row) => this.viewport.flashImpulses(row.contacts));
    this.player = new Player(source, { row: (row, jumped) => this.show(row, jumped), changed: () => this.changed() });
    this.comparison = new Comparison(source, others, {
      changed: () => this.viewport.setGhosts(this.comparison.ghosts), moved: () => this.viewport.showGhosts(),
      seek: (time) => void this.player.seek(time), say: (text) => this.message(text, false),
    });
    this.film = new Film(this.viewport.element);
    this.deepLink = new DeepLink(() => this.place(), (place) => this.goTo(place));
    this.timeline = new Timeline(this.player, source, (text) => this.message(text, false));
    this.plots = new PlotPanel(source, others, this.player, this.selection, () => this.open(this.plots));
    this.contacts = new ContactPanel(source, this.viewport, this.selection, this.plots);
    this.link = new LinkPanel(source, this.viewport, this.selection, (names) => { this.plots.addPlot(names); this.open(this.plots); });
    this.panels = [this.plots, this.contacts, new BalancePanel(source, this.viewport, this.plots), (this.diagram = new DiagramPanel(source, this.plots, (text) => this.message(text, false))),
      this.link, ...(source.live ? [new LivePanel(source, this.viewport, this.player)] : [])];
    this.active = this.panels[0];
    this.layers = new LayersPanel(this.viewport, source.scene.view, source.scene.source);
    const shortcuts = this.shortcuts();
    this.help = helpDialog(shortcuts);
    this.build();
    this.layers.start();
    listenToKeys(shortcuts);
    this.viewport.setGhosts(this.comparison.ghosts);
    this.showFormer();
    this.open(this.panelOf(source.scene.view.tab) ?? this.panelOf(kept.read('tab', 'Plots')) ?? this.panels[0]);
    const known = new Set(source.scene.columns.map(([name]) => name)), missing = source.scene.view.plots.flat().filter((name) => !known.has(name));
    if (missing.length > 0) this.message(`view.plots of the scene: there is no channel ${missing.join(', ')}.`, true);
  }

  private panelOf(name: string | null | undefined): Panel | undefined { return this.panels.find((panel) => panel.title.toLowerCase() === name?.toLowerCase()); }

  // ---- what the address says ----

  /** Once there are rows. */
  openLink(): void { this.deepLink.open(); }

  private place(): Place {
    const { player, source } = this;
    return { time: source.live && player.following ? null : player.time, tab: this.active.title.toLowerCase() };
  }

  private goTo({ time, tab }: Place): void {
    const panel = this.panelOf(tab);
    if (panel && panel !== this.active) this.open(panel);
    if (time !== null && time !== this.player.time) void this.player.seek(time);
  }

  private changed(): void {
    this.timeline?.update();
    if (!this.player.playing) this.deepLink?.changed();
  }

  private build(): void {
    const scene = this.source.scene;
    const tabs = h('nav', { class: 'tabs', role: 'tablist' });
    for (const panel of this.panels) {
      const tab = h('button', { onclick: () => this.open(panel), role: 'tab', 'data-tab': panel.title }, panel.title);
      panel.element.setAttribute('role', 'tabpanel');
      panel.element.setAttribute('aria-label', panel.title);
      this.tabs.set(panel, tab);
      tabs.append(tab);
    }
    const side = h('section', { class: 'side' }, tabs, ...this.panels.map((panel) => panel.element));
    const below = h('div', { class: 'below' }, this.layers.legend, this.hint);
    const stage = h('section', { class: 'stage' }, this.viewport.element, this.layers.element, this.comparison.element, this.gone, below);
    const divider = h('div', { class: 'divider', title: 'Drag to resize (or ← →)', role: 'separator', 'aria-label': 'Width of the panel', tabIndex: 0 });
    const body = h('main', {}, stage, divider, side);
    document.body.append(this.header(scene.robot.name, scene.source), body, this.timeline.element, this.toasts, this.help);
    this.showHint();
    this.resizable(divider, body, side);
    new ResizeObserver(() => { this.viewport.resize(stage.clientWidth, stage.clientHeight); this.layers.cover(); }).observe(stage);
    new ResizeObserver(() => this.plots.resize()).observe(side);
  }

  private header(robot: string, source: string): HTMLElement {
    const theme = h('button', { class: 'small', title: 'Dark or light (t)', 'aria-label': 'Dark or light', 'data-test': 'theme', onclick: () => this.toggleTheme() }, '◐');
    const help = h('button', { class: 'small', title: 'Keys and mouse (?)', 'aria-label': 'Keys and mouse', 'data-test': 'help-button', onclick: () => this.help.showModal() }, '?');
    const picture = h('button', { class: 'small', title: 'Save the 3D view as a picture', 'aria-label': 'Save the 3D view as a picture', 'data-test': 'picture', onclick: () => void this.savePicture() }, '▣');
    this.paint(currentTheme());
    const kind = this.source.live ? 'live' : this.source.scene.decimated ? 'report' : 'log';
    this.badge.textContent = kind;
    this.badge.classList.add(kind);
    const { notes, damage } = this.source.scene, about = (notes ?? []).map(([key, value]) => `${key}: ${value}`).join('\n');
    const cut = damage ? h('span', { class: 'badge cut', title: damage, 'data-test': 'damage' }, 'cut off') : null;
    if (damage) this.message(`This log was cut off: ${damage}`, true);
    const decimated = this.source.scene.decimated ? h('span', { class: 'dim decimated' }, this.source.scene.decimated) : null;
    return h('header', {}, h('strong', {}, 'Footfall'), this.badge, this.pagesBadge, h('span', { class: 'robot' }, robot), h('span', { class: 'dim path', title: about }, source), cut,
      decimated, h('span', { class: 'space' }), picture, this.filmButton, theme, help);
  }

  private showHint(text?: string): void {
    this.hint.textContent = text ?? (this.source.live ? 'Ctrl + drag pulls at a link · ? for help' : 'click picks a link · ? for help');
    this.hint.classList.toggle('strong', text !== undefined);
  }

  private shortcuts(): Shortcut[] {
    const player = this.controlled(), panel = (i: number) => { if (this.panels[i]) this.open(this.panels[i]); };
    const layer = (name: 'follow' | 'transparent' | 'cones' | 'frames') => () => this.layers.toggle(name);
    return [
      { keys: [' '], shown: 'space', text: 'play or pause', action: () => player.toggle() },
      { keys: ['Shift+ '], shown: 'Shift + space', text: 'watch again what was recorded', action: () => player.replay() },
      { keys: ['ArrowRight'], shown: '→', text: 'one step', action: () => void player.step(1) },
      { keys: ['ArrowLeft'], shown: '←', text: 'one step back', action: () => void player.step(-1) },
      { keys: ['Shift+ArrowRight', 'Shift+ArrowLeft'], shown: 'Shift + ← →', text: 'ten steps', action: (key) => void player.step(key.endsWith('Right') ? 10 : -10) },
      { keys: ['i'], shown: 'i', text: 'next impact', action: () => void this.timeline.toImpact(1) },
      { keys: ['I'], shown: 'I', text: 'previous impact', action: () => void this.timeline.toImpact(-1) },
      { keys: ['Home'], shown: 'Home', text: 'to the start', action: () => player.toStart() },
      { keys: ['End'], shown: 'End', text: 'to the newest instant', action: () => player.toNewest() },
      { keys: ['-'], shown: '−', text: 'slower', action: () => player.changeSpeed(-1) },
      { keys: ['+', '='], shown: '+', text: 'faster', action: () => player.changeSpeed(1) },
      { keys: ['l'], shown: 'l', text: 'repeat, or no longer', action: () => this.timeline.toggleLoop() },
      { keys: ['['], shown: '[', text: 'repeat from here', action: () => player.markRange('start') },
      { keys: [']'], shown: ']', text: 'repeat up to here', action: () => player.markRange('end') },
      ...(this.source.live ? [{ keys: ['u'], shown: 'u', text: 'undo: back to the former run', action: () => (this.connected ? this.source.command({ do: 'undo' }) : this.sayGone()) }] : []),
      { keys: ['c'], shown: 'c', text: 'look at the robot', action: () => this.viewport.lookAtRobot() },
      { keys: ['f'], shown: 'f', text: 'follow the robot', action: layer('follow') },
      { keys: ['x'], shown: 'x', text: 'see through the robot', action: layer('transparent') },
      { keys: ['k'], shown: 'k', text: 'friction cones', action: layer('cones') },
      { keys: ['a'], shown: 'a', text: 'axes of frames', action: layer('frames') },
      { keys: ['t'], shown: 't', text: 'dark or light', action: () => this.toggleTheme() },
      { keys: ['Escape'], shown: 'Esc', text: 'nothing is picked any more', action: () => this.selection.clear() },
      { keys: ['1', '2', '3', '4', '5', '6'], shown: '1 … 6', text: 'the tabs at the right', action: (key) => panel(Number(key) - 1) },
      { keys: ['?'], shown: '?', text: 'this help', action: () => this.help.showModal() },
    ];
  }

  /** The player for keys, which no one can switch off like a button: without a server they say so. */
  private controlled(): Player {
    return new Proxy(this.player, { get: (player, name) => {
      const part: unknown = Reflect.get(player, name, player);
      if (typeof part !== 'function') return part;
      return (...given: unknown[]) => (this.connected ? part.apply(player, given) : this.sayGone());
    } });
  }

  private sayGone(): void { this.message('The server is gone: nothing can be played.', true); }

  private toggleTheme(): void { this.paint(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'); }

  private async savePicture(): Promise<void> {
    const blob = await this.viewport.picture();
    if (blob) save(`footfall_${this.player.time.toFixed(3)}s.png`, blob);
  }

  private toggleFilm(): void {
    if (this.film.running) this.film.stop();
    else if (!this.film.start((film) => save(`footfall_${this.player.time.toFixed(3)}s.webm`, film))) return this.message('This browser cannot film.', true);
    this.viewport.invalidate();
    this.filmButton.classList.toggle('filming', this.film.running);
    this.filmButton.textContent = this.film.running ? '■ stop filming' : '●';
  }

  private paint(theme: 'dark' | 'light'): void {
    this.viewport.paint(applyTheme(theme));
    this.plots?.repaint();
  }

  private resizable(divider: HTMLElement, body: HTMLElement, side: HTMLElement): void {
    const setWidth = (width: number) => body.style.setProperty('--side', `${Math.round(width)}px`);
    const width = kept.read<number | null>('side', null);
    if (width) setWidth(width);
    divider.onkeydown = (event) => {
      const by = { ArrowLeft: 24, ArrowRight: -24 }[event.key];
      if (by === undefined) return;
      event.stopPropagation();
      setWidth(side.clientWidth + by);
      kept.write('side', side.clientWidth);
    };
    divider.onpointerdown = (event) => {
      divider.setPointerCapture(event.pointerId);
      divider.onpointermove = (move) => setWidth(Math.min(Math.max(body.clientWidth - move.clientX, 260), body.clientWidth - 260));
      divider.onpointerup = () => { divider.onpointermove = null; kept.write('side', side.clientWidth); };
    };
  }

  open(panel: Panel): void {
    this.active = panel;
    kept.write('tab', panel.title);
    for (const [each, tab] of this.tabs) {
      tab.classList.toggle('on', each === panel);
      tab.setAttribute('aria-selected', String(each === panel));
      each.element.hidden = each !== panel;
    }
    this.deepLink.changed();
    if (panel === this.plots) this.plots.resize();
    if (this.player.row) panel.show(this.player.row);
  }

  private show(row: Row, jumped: boolean): void {
    if (jumped) {
      this.viewport.endFlash();
      this.flash.forget(row.time);
    } else {
      this.flash.moved(row.time, this.player.speed);
    }
    const before = this.viewport.drawable;
    this.viewport.show(row);
    if (before && !this.viewport.drawable) this.message(`The state at t = ${format(row.time)} s is not made of numbers: it cannot be drawn.`, true);
    this.panelRow = row;
    this.comparison.show(row.time, this.player.playing ? this.player.speed || 1 : 0);
    requestAnimationFrame(() => this.showPanel());
  }

  /** Tables are filled once for each picture, however many rows came. */
  private showPanel(): void {
    if (!this.panelRow) return;
    this.active.show(this.panelRow);
    if (this.active !== this.plots) this.plots.moved();
    this.panelRow = null;
  }

  // ---- what the source tells ----

  frame(frame: Frame): void {
    const first = this.epoch === -1, missed = frame.fresh.from > this.received;
    this.received = frame.extent.end;
    if (frame.extent.epoch !== this.epoch) {
      if (this.epoch !== -1) this.player.forget();
      this.epoch = frame.extent.epoch;
      this.showFormer();
      this.askForRowsAgain();
    } else if (missed) {
      this.askForRowsAgain();  // the connection was lost for a while, or more came than a frame holds
    } else {
      this.plots.receive(frame);
    }
    this.player.receive(frame);
    if (first) this.openLink();
  }

  /** Lines have no holes where rows did not come by themselves. */
  private askForRowsAgain(): void {
    this.plots.forget();
    this.viewport.renewTraces().catch(() => {});  // without a connection they stay as they are
  }

  private showFormer(): void {
    const { former, scene } = this.source;
    this.comparison.showFormer(former, scene.former?.time ?? 0);
  }

  described(): void {
    for (const panel of this.panels) panel.described?.();
    this.showFormer();
    this.paint(document.documentElement.dataset.theme as 'dark' | 'light');
  }

  message(text: string, isError: boolean, verb?: string): void {
    if (isError && verb !== undefined) for (const panel of this.panels) panel.described?.();  // bars go back to what the server has
    if (verb === 'pull') return this.showHint(text);  // many of them come
    const toast = h('div', { class: isError ? 'toast error' : 'toast' }, text);
    this.toasts.append(toast);
    setTimeout(() => toast.remove(), isError ? 9000 : 3500);
  }

  edited(): void { this.diagram.editor?.refresh(); }

  /** Of many things in a row the last one is read. */
  done(text: string): void {
    this.othersDid?.remove();
    const toast = (this.othersDid = h('div', { class: 'toast', 'data-test': 'others' }, `Another page: ${text}`));
    this.toasts.append(toast);
    setTimeout(() => toast.remove(), 4000);
  }

  pages(count: number): void {
    this.pagesBadge.hidden = count < 2;
    this.pagesBadge.textContent = `${count} pages`;
  }

  connection(connected: boolean): void {
    this.connected = connected;
    document.body.classList.toggle('disconnected', !connected);
    this.badge.textContent = connected ? (this.source.live ? 'live' : 'log') : 'connection lost …';
    this.badge.title = '';
    this.gone.textContent = 'The server is gone. What is shown stays; the controls work again when it is back.';
    this.gone.hidden = connected;
    const controls = [this.timeline.element, this.diagram.editor?.element, ...this.panels.filter((panel) => panel.title === 'Live').map((panel) => panel.element)];
    for (const part of controls) if (part) part.inert = !connected;
    if (!connected) this.player.stop();
  }

  stranger(stranger: boolean): void {
    this.badge.textContent = stranger ? 'another server: open the address that it has printed' : 'connection lost …';
    this.badge.title = stranger ? `There is a server, but ${STRANGER}. This page then comes back by itself.` : '';
  }
}
