// window.footfall: the state of the page for tests, and for people who like the console.

import { Vector3 } from 'three';
import type { App } from './app';

export function installHook(app: App): void {
  const column = (name: string) => app.source.scene.columns.findIndex(([each]) => each === name);
  const hook = {
    app,
    Vector3,
    get time() { return app.player.time; },
    get row() { return app.player.row; },
    get playing() { return app.player.playing; },
    get connected() { return app.connected; },
    get live() { return app.source.live; },
    get extent() { return app.source.extent; },
    get frames() { return app.viewport.framesDrawn; },
    get selected() { return app.viewport.selected; },
    get editor() { return app.diagram.editor?.summary(); },
    get plots() { return app.plots.summary(); },
    meshesReady: () => app.viewport.robot.ready.then(() => app.viewport.robot.bodyCount),
    value: (name: string) => app.player.row?.values[column(name)] ?? NaN,
    contacts: () => app.player.row?.contacts ?? [],
    seek: (time: number) => app.player.seek(time),
    plot: (...names: string[]) => app.plots.addPlot(names),
    project: (link: number) => app.viewport.project(link),
    link: (name: string) => app.source.scene.robot.links.findIndex((link) => link.name === name),
  };
  (window as unknown as { footfall: typeof hook }).footfall = hook;
}
