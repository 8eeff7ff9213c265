import { forgetToken } from './access';
import { App } from './app';
import { embeddedSources } from './embedded_source';
import { h } from './dom';
import { installHook } from './hook';
import { Connection, fetchScene, ServerSource } from './server_source';
import type { Source, SourceEvents } from './source';

/** What the sources tell goes to the page, once there is one. */
class Relay implements SourceEvents {
  app: App | null = null;
  frame: SourceEvents['frame'] = (frame) => this.app?.frame(frame);
  described: SourceEvents['described'] = () => this.app?.described();
  message: SourceEvents['message'] = (text, isError, verb) => this.app?.message(text, isError, verb);
  done: SourceEvents['done'] = (text) => this.app?.done(text);
  edited: SourceEvents['edited'] = () => this.app?.edited();
  // Said before there is a page, too.
  pageCount = 1;
  pages: SourceEvents['pages'] = (count) => { this.pageCount = count; this.app?.pages(count); };
  stranger: SourceEvents['stranger'] = (stranger) => this.app?.stranger(stranger);
  connection: SourceEvents['connection'] = (connected) => this.app?.connection(connected);
}

async function serverSources(relay: Relay): Promise<Source[]> {
  const connection = new Connection();
  const first = await fetchScene(0);
  const scenes = [first];
  for (let k = 1; k < first.sessions; ++k) scenes.push(await fetchScene(k));
  const sources = scenes.map((scene, k) => new ServerSource(connection, k, scene, relay));
  const told = connection.onChange;
  await new Promise<void>((resolve) => {
    connection.onChange = () => { connection.onChange = told; resolve(); };
    connection.open();
  });
  await Promise.all(sources.filter((source) => !source.live).map((source) => source.readExtent()));
  return sources;
}

async function start(): Promise<void> {
  forgetToken();
  const relay = new Relay();
  const sources = (await embeddedSources()) ?? (await serverSources(relay));
  document.title = `${sources[0].scene.robot.name} – Footfall`;
  const app = (relay.app = new App(sources[0], sources.slice(1)));
  app.pages(relay.pageCount);
  installHook(app);
  if (!sources[0].live) {
    if (sources[0].extent.end === sources[0].extent.first) app.message('This log has no rows.', true);
    await app.player.seek(sources[0].extent.start);
    app.openLink();
  }
}

start().catch((error: Error) => {
  document.body.append(h('p', { class: 'failure' }, `The page cannot be shown: ${error.message}`));
  console.error(error);
});
