// The bar at the bottom: play, step, speed, and the way through time with its impacts and the part that is repeated.

import { format, h } from './dom';
import { ImpactMarks } from './impact_marks';
import { SPEEDS, type Player } from './player';
import type { Source } from './source';

const icon = (path: string) => {
  const holder = h('span', { class: 'icon' });
  holder.innerHTML = `<svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true"><path fill="currentColor" d="${path}"/></svg>`;
  return holder;
};
const ICONS = {
  play: 'M8 5v14l11-7z', pause: 'M6 5h4v14H6zM14 5h4v14h-4z', back: 'M6 5h3v14H6zM20 5v14l-9-7z', forward: 'M15 5h3v14h-3zM4 5v14l9-7z',
  loop: 'M7 7h10v3l4-4-4-4v3H5v6h2zM17 17H7v-3l-4 4 4 4v-3h12v-6h-2z', next: 'M9 2h2v9h4l-5 6-5-6h4zM3 19h14v2H3zM17 4l5 4-5 4z',
  previous: 'M13 2h2v9h4l-5 6-5-6h4zM7 19h14v2H7zM7 4v8L2 8z', newest: 'M4 5v14l8-7zM12 5v14l8-7zM20 5h2v14h-2z',
  again: 'M12 5V1L6 6l6 5V7a5 5 0 1 1-5 5H5a7 7 0 1 0 7-7z',
  from: 'M7 4h8v2H9v12h6v2H7z', to: 'M17 4H9v2h6v12H9v2h8z',
};
const PLACES = 10000;        // of the slider

function speedName(speed: number): string {
  if (speed === 0) return 'max';
  return speed < 1 ? `1/${Math.round(1 / speed)}` : `${speed}×`;
}

/** "1.55", "1.55 s", "200 ms" in seconds; null: it is none. */
export function parseTime(text: string): number | null {
  const found = /^\s*(-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(s|ms|min)?\s*$/i.exec(text.replace(',', '.'));
  return found ? Number(found[1]) * { s: 1, ms: 1e-3, min: 60 }[(found[2] ?? 's').toLowerCase() as 's' | 'ms' | 'min'] : null;
}

export class Timeline {
  readonly element: HTMLElement;
  private playButton = h('button', { class: 'round', title: 'Play or pause (space)', 'aria-label': 'Play or pause', 'data-test': 'play', onclick: () => this.player.toggle() });
  private slider = h('input', { type: 'range', min: '0', max: String(PLACES), step: '1', 'data-test': 'scrub', 'aria-label': 'Time' });
  private marks: ImpactMarks;
  private band = h('div', { class: 'band', hidden: true, 'data-test': 'range' });
  private time = h('input', { class: 'time', type: 'text', inputMode: 'decimal', spellcheck: false, 'aria-label': 'Time', title: 'Type a time and press Enter: 1.55, 200 ms', 'data-test': 'time' });
  private stop = h('span', { class: 'dim' });
  private reached = h('span', { class: 'dim reached', title: 'Simulated seconds for each second' });
  private buttons: Record<'loop' | 'newest' | 'from' | 'to', HTMLButtonElement>;
  private speeds = h('select', { title: 'Speed (− and +)', 'aria-label': 'Speed', 'data-test': 'speed' });
  private watch = h('button', { title: 'Watch again what was recorded from here on (Shift + space)', 'aria-label': 'Watch again', hidden: true, 'data-test': 'replay', onclick: () => this.player.replay() }, icon(ICONS.again));
  private scrubbing = false;

  constructor(private player: Player, private source: Source, private say: (text: string) => void) {
    this.marks = new ImpactMarks(source);
    for (const speed of SPEEDS) this.speeds.append(h('option', { value: String(speed), selected: speed === 1 }, speedName(speed)));
    this.speeds.onchange = () => player.setSpeed(Number(this.speeds.value));
    this.slider.oninput = () => { this.scrubbing = true; void player.seek(this.timeOf(Number(this.slider.value))); };
    this.slider.onchange = () => { this.scrubbing = false; };
    const button = (name: keyof typeof ICONS, title: string, test: string, action: () => void) =>
      h('button', { title, 'aria-label': title, 'data-test': test, onclick: action }, icon(ICONS[name]));
    this.buttons = {
      loop: button('loop', 'Repeat (l)', 'loop', () => this.toggleLoop()),
      from: button('from', 'Repeat from here ([)', 'loop-from', () => player.markRange('start')),
      to: button('to', 'Repeat up to here (])', 'loop-to', () => player.markRange('end')),
      newest: button('newest', source.live ? 'Newest instant (End)' : 'End (End)', 'newest', () => player.toNewest()),
    };
    this.time.onfocus = () => this.time.select();
    this.time.onkeydown = (event) => this.typeTime(event);
    this.time.onblur = () => this.update();
    const way = h('div', { class: 'way' }, this.marks.element, this.band, this.slider);
    this.element = h('footer', { class: 'timeline' },
      button('back', 'One step back (←)', 'back', () => void player.step(-1)), this.playButton,
      this.watch, button('forward', 'One step (→)', 'step', () => void player.step(1)),
      button('previous', 'Previous impact (I)', 'previous-impact', () => void this.toImpact(-1)),
      button('next', 'Next impact (i)', 'impact', () => void this.toImpact(1)),
      this.buttons.loop, this.buttons.from, this.buttons.to, this.buttons.newest, this.speeds,
      this.time, way, this.stop, this.reached);
    this.update();
  }

  async toImpact(direction: 1 | -1): Promise<void> {
    const found = await this.player.toImpact(direction).catch(() => true);  // the connection is gone, which is said elsewhere
    if (!found) this.say(`There is no impact ${direction === 1 ? 'after' : 'before'} this instant.`);
  }

  toggleLoop(): void {
    if (this.player.loop) this.player.setRange(null);
    else this.player.setLoop(true);
  }

  /** Another client may have chosen a speed that is not in the list. */
  private showSpeed(speed: number): void {
    const value = String(speed);
    if (![...this.speeds.options].some((option) => option.value === value)) this.speeds.append(h('option', { value }, speedName(speed)));
    this.speeds.value = value;
  }

  private typeTime(event: KeyboardEvent): void {
    if (event.key === 'Enter') {
      const time = parseTime(this.time.value);
      if (time === null) return this.say(`'${this.time.value}' is no time. Examples: 1.55, 1.55 s, 200 ms`);
      void this.player.seek(time);
    }
    if (event.key === 'Enter' || event.key === 'Escape') this.time.blur();
  }

  private timeOf(position: number): number {
    const { start, stop } = this.source.extent;
    return start + ((stop - start) * position) / PLACES;
  }

  update(): void {
    const { start, stop } = this.source.extent, span = stop - start, { player } = this;
    const playing = player.playing;
    if (this.playButton.dataset.state !== String(playing)) {
      this.playButton.dataset.state = String(playing);
      this.playButton.replaceChildren(icon(playing ? ICONS.pause : ICONS.play));
    }
    for (const [name, on] of [['loop', player.loop], ['newest', player.following]] as const) {
      this.buttons[name].classList.toggle('on', on);
      this.buttons[name].setAttribute('aria-pressed', String(on));
    }
    this.watch.hidden = !player.looksBack || playing;
    this.playButton.title = playing ? 'Pause (space)' : player.looksBack ? 'Go on from here (space)' : 'Play (space)';
    this.buttons.from.hidden = this.buttons.to.hidden = !player.loop;
    if (document.activeElement !== this.time) this.time.value = `${player.time.toFixed(3)} s`;
    this.stop.textContent = `${stop.toFixed(2)} s`;
    this.showSpeed(player.speed);
    const pace = this.source.pace;
    this.reached.textContent = this.source.live && pace.playing ? `${format(pace.reached, 2)} ×` : '';
    if (!this.scrubbing) this.slider.value = String(span > 0 ? Math.round(((player.time - start) / span) * PLACES) : 0);
    this.slider.setAttribute('aria-valuetext', `${player.time.toFixed(3)} s`);
    this.showBand(start, span);
    this.marks.update();
  }

  private showBand(start: number, span: number): void {
    const { range, loop } = this.player;
    this.band.hidden = !loop || range === null || !(span > 0);
    if (!range || this.band.hidden) return;
    this.band.style.left = `${(100 * (range[0] - start)) / span}%`;
    this.band.style.width = `${(100 * (range[1] - range[0])) / span}%`;
  }
}
