// Data from `footfall view`: JSON and meshes by HTTP, everything else by one WebSocket.

import { STRANGER, withKey } from './access';
import { RefusedEdit } from './diagram_client';
import { Kind, MessageReader, type Extent, type Pace, type Row, type Series } from './messages';
import type { SceneDescription } from './scene_types';
import type { Difference, Source, SourceEvents } from './source';

type Json = Record<string, unknown>;
type Handler = { resolve: (data: Float64Array | Json) => void; reject: (error: Error) => void };

/** The one connection that all sources of a page share; it comes back when the server does. */
export class Connection {
  private socket: WebSocket | null = null;
  private waiting = new Map<number, Handler>();
  private nextId = 1;
  onBinary: (data: Float64Array) => void = () => {};
  onJson: (message: Record<string, unknown>) => void = () => {};
  onChange: (connected: boolean) => void = () => {};
  onStranger: (stranger: boolean) => void = () => {};

  open(): void {
    const socket = new WebSocket(withKey(`ws://${location.host}/ws`));
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => { this.socket = socket; this.onChange(true); };
    socket.onmessage = (event) => this.receive(event.data as ArrayBuffer | string);
    socket.onclose = () => this.lost();
  }

  private lost(): void {
    const wasConnected = this.socket !== null;
    this.socket = null;
    for (const handler of this.waiting.values()) handler.reject(new Error('the connection was lost'));
    this.waiting.clear();
    if (wasConnected) this.onChange(false);
    setTimeout(() => void this.openAgain(), 700);
  }

  /** Only once the server is there: it may be another one, that does not know this browser yet. */
  private async openAgain(): Promise<void> {
    try {
      const { status } = await fetch(withKey('/scene/0'), { method: 'HEAD' });
      this.onStranger(status === 401);
      if (status === 200) return this.open();
    } catch { /* there is no server */ }
    setTimeout(() => void this.openAgain(), 700);
  }

  private receive(message: ArrayBuffer | string): void {
    if (typeof message === 'string') {
      const json = JSON.parse(message);
      const handler = this.waiting.get(json.id);
      if (!handler) return this.onJson(json);
      this.waiting.delete(json.id);
      return json.type === 'error' ? handler.reject(new RefusedEdit(String(json.problem ?? json.text), String(json.where ?? ''))) : handler.resolve(json);
    }
    const data = new Float64Array(message);
    if (data[0] === Kind.frame) return this.onBinary(data);
    const handler = this.waiting.get(data[1]);
    this.waiting.delete(data[1]);
    handler?.resolve(data);
  }

  send(message: Record<string, unknown>): void {
    this.socket?.send(JSON.stringify(message));
  }

  ask<T extends Float64Array | Json>(message: Record<string, unknown>): Promise<T> {
    if (!this.socket) return Promise.reject(new Error('there is no connection'));
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as Handler['resolve'], reject });
      this.send({ ...message, id });
    });
  }
}

export async function fetchScene(session: number): Promise<SceneDescription> {
  const response = await fetch(withKey(`/scene/${session}`));
  if (response.status === 401) throw new Error(STRANGER);
  if (!response.ok) throw new Error(`the scene could not be read: ${response.status}`);
  return response.json();
}

export class ServerSource implements Source {
  extent: Extent = { epoch: 0, first: 0, end: 0, start: 0, stop: 0 };
  pace: Pace = { playing: false, speed: 1, reached: 0 };
  private reader: MessageReader;
  private subscribed: number[] = [];
  private client = -1;  // number of this page
  private formerSource: ServerSource | null = null;

  /** @param which more that questions say: what is asked for are the rows that were taken back */
  constructor(private connection: Connection, private session: number, public scene: SceneDescription,
              private events: SourceEvents, private which: Json = {}) {
    this.reader = new MessageReader(scene);
    if (session !== 0 || 'former' in which) return;
    connection.onBinary = (data) => this.receiveFrame(data);
    connection.onJson = (json) => void this.receiveJson(json);
    connection.onChange = (connected) => void this.changeConnection(connected).catch(() => { /* it is gone again, which is said by itself */ });
    connection.onStranger = (stranger) => this.events.stranger(stranger);
  }

  get live(): boolean { return this.scene.live === true; }

  get former(): Source | null {
    if (!this.scene.former?.shown) return null;
    return (this.formerSource ??= new ServerSource(this.connection, this.session, this.scene, this.events, { former: true }));
  }

  ask<T>(question: Json): Promise<T> { return this.question<Json>(question) as Promise<T>; }

  private question<T extends Float64Array | Json>(question: Json): Promise<T> {
    return this.connection.ask<T>({ ...question, ...this.which, session: this.session });
  }

  private receiveFrame(data: Float64Array): void {
    const frame = this.reader.frame(data);
    if (!frame) return;  // of another diagram, whose channels are asked for just now
    this.extent = frame.extent;
    this.pace = frame.pace;
    this.events.frame(frame);
  }

  private async receiveJson(json: Record<string, unknown>): Promise<void> {
    const byAnother = json.by !== undefined && json.by !== this.client;
    if (json.type === 'described') await this.describeAnew().catch((problem: Error) => this.events.message(problem.message, true));  // the server may end just now
    else if (json.type === 'welcome') this.client = Number(json.client);
    else if (json.type === 'pages') this.events.pages(Number(json.count));
    else if (json.type === 'done' && byAnother) this.events.done(String(json.text));
    else if (json.type === 'edited' && byAnother) this.events.edited();
    else if (json.type === 'note') this.events.message(String(json.text), false);
    else if (json.type === 'error' && !byAnother) this.events.message(String(json.text), true, json.do as string | undefined);
  }

  private async describeAnew(): Promise<void> {
    const scene = await fetchScene(this.session);
    const shape = ({ robot, columns }: SceneDescription) => JSON.stringify([robot.name, robot.links.length, columns]);
    // Another robot, or other channels: nothing that is drawn fits any more.
    if (shape(scene) !== shape(this.scene)) return location.reload();
    for (const source of [this, this.formerSource]) {
      if (!source) continue;
      source.scene = scene;
      source.reader = new MessageReader(scene);
    }
    this.events.described();
  }

  private async changeConnection(connected: boolean): Promise<void> {
    if (connected) {
      this.subscribe(this.subscribed);  // first: rows that come until the scene is here would have no columns
      await this.describeAnew();
    } else {
      this.pace = { ...this.pace, playing: false };  // nobody knows, and nothing comes
    }
    this.events.connection(connected);
  }

  /** Of a log: it does not change, so it is asked for once. */
  async readExtent(): Promise<void> {
    const rows = await this.rows(-Number.MAX_VALUE, Number.MAX_VALUE, 2);
    const [first, last] = [rows[0], rows[rows.length - 1]];
    if (first && last)
      this.extent = { epoch: 1, first: first.index, end: last.index + 1, start: first.time, stop: last.time };
  }

  async rowAt(time: number): Promise<Row | null> { return (await this.rows(time, time, 1))[0] ?? null; }

  async rowByIndex(index: number): Promise<Row | null> {
    const data = await this.question<Float64Array>({ ask: 'row', index });
    return this.reader.rows(data)[0] ?? null;
  }

  async rows(from: number, to: number, most: number): Promise<Row[]> {
    const data = await this.question<Float64Array>({ ask: 'rows', from, to, most });
    return this.reader.rows(data);
  }

  async series(columns: number[], from: number, to: number, buckets: number): Promise<Series> {
    return this.reader.series(await this.question<Float64Array>({ ask: 'columns', columns, from, to, buckets }));
  }

  nextImpact(after: number): Promise<number | null> { return this.impact({ after }); }
  previousImpact(before: number): Promise<number | null> { return this.impact({ before }); }
  private async impact(where: Json): Promise<number | null> { return (await this.question<Json>({ ask: 'impact', ...where })).time as number | null; }

  async difference(): Promise<Difference> { return (await this.question<Json>({ ask: 'difference' })) as unknown as Difference; }

  async mesh(index: number): Promise<ArrayBuffer> {
    const response = await fetch(withKey(`/mesh/${this.session}/${index}`));
    if (!response.ok) throw new Error(`mesh ${index} could not be read: ${response.status}`);
    return response.arrayBuffer();
  }

  subscribe(columns: number[]): void {
    this.subscribed = columns;
    if (this.live) this.connection.send({ ask: 'subscribe', session: this.session, columns });
  }

  command(message: Record<string, unknown>): void { this.connection.send({ ...message, session: this.session }); }
}
