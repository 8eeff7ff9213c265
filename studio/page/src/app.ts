// Puts the parts of the page together: one source is shown, others are compared with it.

import { BalancePanel } from './balance_panel';
import { ContactPanel } from './contact_panel';
import { DiagramPanel } from './diagram_panel';
import { h, kept } from './dom';
import { layersPanel } from './layers_panel';
import { LinkPanel } from './link_panel';
import { LivePanel } from './live_panel';
import type { Frame, Row } from './messages';
import { Player } from './player';
import { PlotPanel } from './plot_panel';
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
  connected = true;
  private timeline: Timeline;
  private toasts = h('div', { class: 'toasts', role: 'status' });
  private badge = h('span', { class: 'badge', 'data-test': 'connection' });
  private active: Panel;
  private tabs = new Map<Panel, HTMLButtonElement>();
  private epoch = -1;
  private panelRow: Row | null = null;

  constructor(readonly source: Source, readonly others: Source[]) {
    const pull = { do: 'pull' };
    this.viewport = new Viewport(source, {
      picked: (link, name) => { this.link.pick(link, name); if (link !== null) this.open(this.link); },
      pull: (link, point, target, stiffness) =>
        source.command({ ...pull, link, point: point.toArray(), target: target.toArray(), stiffness }),
      release: () => source.command({ do: 'release' }),
    });
    this.player = new Player(source, { row: (row) => this.show(row), changed: () => this.timeline?.update() });
    this.timeline = new Timeline(this.player, source, (text) => this.message(text, false));
    this.plots = new PlotPanel(source, others, this.player);
    this.panels = [this.plots, new ContactPanel(source, this.viewport), new BalancePanel(source, this.viewport), new DiagramPanel(source, this.plots),
      this.link, ...(source.live ? [new LivePanel(source, this.viewport)] : [])];
    this.active = this.panels[0];
    this.build();
    this.timeline.listenToKeys();
    this.open(this.panels.find((panel) => panel.title === kept.read('tab', 'Plots')) ?? this.panels[0]);
  }

  private _link: LinkPanel | null = null;
  private get link(): LinkPanel { return (this._link ??= new LinkPanel(this.source, this.viewport)); }

  private build(): void {
    const scene = this.source.scene;
    const tabs = h('nav', { class: 'tabs' });
    for (const panel of this.panels) {
      const tab = h('button', { onclick: () => this.open(panel), 'data-tab': panel.title }, panel.title);
      this.tabs.set(panel, tab);
      tabs.append(tab);
    }
    const side = h('section', { class: 'side' }, tabs, ...this.panels.map((panel) => panel.element));
    const stage = h('section', { class: 'stage' }, this.viewport.element, layersPanel(this.viewport), this.legend());
    const divider = h('div', { class: 'divider', title: 'Drag to resize' });
    const body = h('main', {}, stage, divider, side);
    document.body.append(this.header(scene.robot.name, scene.source), body, this.timeline.element, this.toasts);
    this.resizable(divider, body, side);
    new ResizeObserver(() => this.viewport.resize(stage.clientWidth, stage.clientHeight)).observe(stage);
    new ResizeObserver(() => this.plots.resize()).observe(side);
  }

  private header(robot: string, source: string): HTMLElement {
    const theme = h('button', { class: 'small', title: 'Dark or light' }, '◐');
    theme.onclick = () => this.paint(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
    this.paint(currentTheme());
    const kind = this.source.live ? 'live' : this.source.scene.decimated ? 'report' : 'log';
    this.badge.textContent = kind;
    this.badge.classList.add(kind);
    const compared = this.others.map((other) => h('span', { class: 'ghost-name' }, `vs ${other.scene.source}`));
    const decimated = this.source.scene.decimated ? h('span', { class: 'dim' }, this.source.scene.decimated) : null;
    return h('header', {}, h('strong', {}, 'Footfall'), this.badge, h('span', { class: 'robot' }, robot), h('span', { class: 'dim path' }, source),
      ...compared, decimated, h('span', { class: 'space' }), theme);
  }

  private legend(): HTMLElement {
    const item = (color: string, text: string) => h('span', {}, h('i', { style: `background:${color}` }), text);
    const hint = this.source.live ? 'Ctrl + drag pulls at a link' : 'click picks a link';
    return h('div', { class: 'legend' }, item('#2f9e44', 'sticking'), item('#f08c00', 'sliding'), item('#8b95a5', 'open'), item('#e03131', 'force'),
      item('#9c36b5', 'impulse'), item('#fab005', 'CoM'), item('#e64980', 'ZMP'), h('em', {}, hint));
  }

  private paint(theme: 'dark' | 'light'): void {
    this.viewport.paint(applyTheme(theme));
    this.plots?.repaint();
  }

  private resizable(divider: HTMLElement, body: HTMLElement, side: HTMLElement): void {
    const setWidth = (width: number) => body.style.setProperty('--side', `${Math.round(width)}px`);
    const width = kept.read<number | null>('side', null);
    if (width) setWidth(width);
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
      each.element.hidden = each !== panel;
    }
    if (panel === this.plots) this.plots.resize();
    if (this.player.row) panel.show(this.player.row);
  }

  private show(row: Row): void {
    this.viewport.show(row);
    this.panelRow = row;
    if (this.others.length > 0) void this.showGhost(row.time);
    requestAnimationFrame(() => this.showPanel());
  }

  /** Tables are filled once for each picture, however many rows came. */
  private showPanel(): void {
    if (!this.panelRow) return;
    this.active.show(this.panelRow);
    if (this.active !== this.plots) this.plots.moved();
    this.panelRow = null;
  }

  private ghostBusy = false;
  private async showGhost(time: number): Promise<void> {
    if (this.ghostBusy) return;
    this.ghostBusy = true;
    try {
      this.viewport.showGhost(this.others[0], await this.others[0].rowAt(time));
    } catch {
      // The connection is gone: the ghost stays where it is.
    } finally {
      this.ghostBusy = false;
    }
  }

  // ---- what the source tells ----

  frame(frame: Frame): void {
    if (frame.extent.epoch !== this.epoch) {
      if (this.epoch !== -1) this.player.forget();
      this.epoch = frame.extent.epoch;
      this.plots.forget();
    }
    this.plots.receive(frame);
    this.player.receive(frame);
  }

  described(): void {
    for (const panel of this.panels) panel.described?.();
    this.paint(document.documentElement.dataset.theme as 'dark' | 'light');
  }

  message(text: string, isError: boolean): void {
    const toast = h('div', { class: isError ? 'toast error' : 'toast' }, text);
    this.toasts.append(toast);
    setTimeout(() => toast.remove(), isError ? 9000 : 3500);
  }

  connection(connected: boolean): void {
    this.connected = connected;
    document.body.classList.toggle('disconnected', !connected);
    this.badge.textContent = connected ? (this.source.live ? 'live' : 'log') : 'connection lost …';
  }
}
