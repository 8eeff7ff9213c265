// The bar at the bottom: play, step, speed, and the way through time.

import { format, h } from './dom';
import { SPEEDS, type Player } from './player';
import type { Source } from './source';

const icon = (path: string) => {
  const holder = h('span', { class: 'icon' });
  holder.innerHTML = `<svg viewBox="0 0 24 24" width="18" height="18"><path fill="currentColor" d="${path}"/></svg>`;
  return holder;
};
const ICONS = {
  play: 'M8 5v14l11-7z', pause: 'M6 5h4v14H6zM14 5h4v14h-4z', back: 'M6 5h3v14H6zM20 5v14l-9-7z', forward: 'M15 5h3v14h-3zM4 5v14l9-7z',
  loop: 'M7 7h10v3l4-4-4-4v3H5v6h2zM17 17H7v-3l-4 4 4 4v-3h12v-6h-2z', impact: 'M11 2h2v9h4l-5 6-5-6h4zM4 19h16v2H4z',
  newest: 'M4 5v14l8-7zM12 5v14l8-7zM20 5h2v14h-2z',
};

function speedName(speed: number): string {
  if (speed === 0) return 'max';
  return speed < 1 ? `1/${Math.round(1 / speed)}` : `${speed}×`;
}

export class Timeline {
  readonly element: HTMLElement;
  private playButton = h('button', { class: 'round', title: 'Play or pause (space)', 'data-test': 'play', onclick: () => this.player.toggle() });
  private slider = h('input', { type: 'range', min: '0', max: '10000', step: '1', 'data-test': 'scrub', 'aria-label': 'Time' });
  private time = h('span', { class: 'time', 'data-test': 'time' });
  private stop = h('span', { class: 'dim' });
  private reached = h('span', { class: 'dim', title: 'Simulated seconds for each second' });
  private loopButton: HTMLButtonElement;
  private newestButton: HTMLButtonElement;
  private speeds = h('select', { title: 'Speed', 'data-test': 'speed' });
  private scrubbing = false;

  constructor(private player: Player, private source: Source, say: (text: string) => void) {
    for (const speed of SPEEDS) this.speeds.append(h('option', { value: String(speed), selected: speed === 1 }, speedName(speed)));
    this.speeds.onchange = () => player.setSpeed(Number(this.speeds.value));
    this.slider.oninput = () => { this.scrubbing = true; void player.seek(this.timeOf(Number(this.slider.value))); };
    this.slider.onchange = () => { this.scrubbing = false; };
    const button = (name: keyof typeof ICONS, title: string, test: string, action: () => void) =>
      h('button', { title, 'data-test': test, onclick: action }, icon(ICONS[name]));
    this.loopButton = button('loop', 'Begin again at the end', 'loop', () => { player.loop = !player.loop; this.update(); });
    this.newestButton = button('newest', source.live ? 'Newest instant' : 'End', 'newest', () => player.toNewest());
    const impact = button('impact', 'Next impact (i)', 'impact', async () => {
      if (!(await player.toNextImpact())) say('No impact after this instant.');
    });
    this.element = h('footer', { class: 'timeline' },
      button('back', 'One step back (←)', 'back', () => void player.step(-1)), this.playButton,
      button('forward', 'One step (→)', 'step', () => void player.step(1)), impact, this.loopButton, this.newestButton, this.speeds,
      this.time, this.slider, this.stop, this.reached);
    this.update();
  }

  private timeOf(position: number): number {
    const { start, stop } = this.source.extent;
    return start + ((stop - start) * position) / 10000;
  }

  update(): void {
    const { start, stop } = this.source.extent, span = stop - start;
    this.playButton.replaceChildren(icon(this.player.playing ? ICONS.pause : ICONS.play));
    this.playButton.classList.toggle('on', this.player.playing);
    this.loopButton.classList.toggle('on', this.player.loop);
    this.newestButton.classList.toggle('on', this.player.following);
    this.time.textContent = `${this.player.time.toFixed(3)} s`;
    this.stop.textContent = `${stop.toFixed(2)} s`;
    const { playing, reached } = this.source.pace;
    this.reached.textContent = this.source.live && playing ? `${format(reached, 3)} ×` : '';
    if (!this.scrubbing) this.slider.value = String(span > 0 ? Math.round(((this.player.time - start) / span) * 10000) : 0);
  }

  /** Space, arrows, i: unless somebody is typing. */
  listenToKeys(): void {
    window.addEventListener('keydown', (event) => {
      if (event.target instanceof HTMLInputElement && event.target.type !== 'range') return;
      if (event.target instanceof HTMLSelectElement) return;
      const actions: Record<string, () => void> = {
        ' ': () => this.player.toggle(), ArrowRight: () => void this.player.step(1), ArrowLeft: () => void this.player.step(-1),
        i: () => void this.player.toNextImpact(),
      };
      if (!actions[event.key]) return;
      event.preventDefault();
      actions[event.key]();
    });
  }
}
