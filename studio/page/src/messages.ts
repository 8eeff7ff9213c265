// Binary messages of the server: lists of doubles. studio/server/messages.cpp is the other side.

import type { SceneDescription, Vec3 } from './scene_types';

export interface Contact {
  /** Number of its candidate, -1: two bodies touch; what touches what, -1: the ground. */
  candidate: number; frame: number; other: number; mode: 0 | 1 | 2; gap: number; friction: number;
  point: Vec3; normal: Vec3; force: Vec3; impulse: Vec3; slip: Vec3;
}

/** Something that pushes at a link from outside, in world axes, at a point of the link. */
export interface Push { mouse: boolean; link: number; point: Vec3; force: Vec3; moment: Vec3 }

/** A joint that is made and released while it runs, and holds now. */
export interface Tie {
  /** Number among the ties of the scene, -1: made by code; number in TIE_KINDS; links, -1: the world. */
  name: number; kind: number; link_a: number; link_b: number;
  /** Where it sits in either link; what it carries, in axes of its own: not a number where no step followed. */
  p_A: Vec3; p_B: Vec3; force: Vec3; moment: Vec3;
}

/** One instant: values of all columns, poses of moving grounds (7 numbers each), contacts, pushes, ties. */
export interface Row { index: number; time: number; values: Float64Array; grounds: Float64Array; contacts: Contact[]; pushes: Push[]; ties: Tie[] }

export interface Extent { epoch: number; first: number; end: number; start: number; stop: number }
export interface Pace { playing: boolean; speed: number; reached: number }

export interface Frame {
  extent: Extent; pace: Pace; row: Row;
  /** Of the subscribed columns, with the time in front; from row number `from` on. */
  fresh: { from: number; width: number; count: number; values: Float64Array };
}

/** Values between two times; when there are too many rows, lowest and highest of each bucket. */
export interface Series { epoch: number; complete: boolean; times: Float64Array; columns: { values: Float64Array; statistics: Statistics }[] }
export interface Statistics { low: number; high: number; mean: number; rms: number }

export const enum Kind { frame = 1, rows = 2, columns = 3 }
export const CONTACT_NUMBERS = 21;
export const PUSH_NUMBERS = 11;
export const TIE_NUMBERS = 16;
export const TIE_KINDS = ['ball', 'hinge', 'slider', 'weld'] as const;

function readContact(data: Float64Array, at: number): Contact {
  const vec = (k: number): Vec3 => [data[at + k], data[at + k + 1], data[at + k + 2]];
  return {
    candidate: data[at], frame: data[at + 1], other: data[at + 2], mode: data[at + 3] as 0 | 1 | 2, gap: data[at + 4], friction: data[at + 5],
    point: vec(6), normal: vec(9), force: vec(12), impulse: vec(15), slip: vec(18),
  };
}

function readPush(data: Float64Array, at: number): Push {
  const vec = (k: number): Vec3 => [data[at + k], data[at + k + 1], data[at + k + 2]];
  return { mouse: data[at] === 1, link: data[at + 1], point: vec(2), force: vec(5), moment: vec(8) };
}

function readTie(data: Float64Array, at: number): Tie {
  const vec = (k: number): Vec3 => [data[at + k], data[at + k + 1], data[at + k + 2]];
  return { name: data[at], kind: data[at + 1], link_a: data[at + 2], link_b: data[at + 3], p_A: vec(4), p_B: vec(7), force: vec(10), moment: vec(13) };
}

/** Reads messages of a scene whose number of columns is known. */
export class MessageReader {
  private readonly columns: number;
  private readonly groundNumbers: number;

  constructor(scene: SceneDescription) {
    this.columns = scene.columns.length;
    this.groundNumbers = 7 * scene.moving_grounds;
  }

  private row(data: Float64Array, at: number): { row: Row; end: number } {
    const count = data[at + 1];
    const values = data.slice(at + 2, at + 2 + this.columns);
    let next = at + 2 + this.columns;
    const grounds = data.slice(next, next + this.groundNumbers);
    next += this.groundNumbers;
    const contacts: Contact[] = [];
    for (let k = 0; k < count; ++k, next += CONTACT_NUMBERS) contacts.push(readContact(data, next));
    const pushes: Push[] = [];
    for (let left = data[next++]; left > 0; --left, next += PUSH_NUMBERS) pushes.push(readPush(data, next));
    const ties: Tie[] = [];
    for (let left = data[next++]; left > 0; --left, next += TIE_NUMBERS) ties.push(readTie(data, next));
    return { row: { index: data[at], time: values[0], values, grounds, contacts, pushes, ties }, end: next };
  }

  /** Null: it has other columns. */
  frame(data: Float64Array): Frame | null {
    if (data[12] !== this.columns) return null;
    const { row, end } = this.row(data, 13);
    const width = data[9] + 1;
    return {
      extent: { epoch: data[1], first: data[2], end: data[3], start: data[4], stop: data[5] },
      pace: { playing: data[6] === 1, speed: data[7], reached: data[8] },
      row,
      fresh: { from: data[11], width, count: data[10], values: data.subarray(end) },
    };
  }

  rows(data: Float64Array): Row[] {
    const rows: Row[] = [];
    if (data[4] !== this.columns) return rows;  // of another diagram
    for (let at = 5, k = 0; k < data[3]; ++k) {
      const { row, end } = this.row(data, at);
      rows.push(row);
      at = end;
    }
    return rows;
  }

  series(data: Float64Array): Series {
    const columns = data[3], points = data[4];
    let at = 6;
    const take = (count: number) => data.slice(at, (at += count));
    const series: Series = { epoch: data[2], complete: data[5] === 1, times: take(points), columns: [] };
    if (points === 0) {
      const nothing = { low: NaN, high: NaN, mean: NaN, rms: NaN };
      for (let c = 0; c < columns; ++c) series.columns.push({ values: new Float64Array(), statistics: nothing });
      return series;
    }
    for (let c = 0; c < columns; ++c) {
      const [low, high, mean, rms] = take(4);
      series.columns.push({ values: take(points), statistics: { low, high, mean, rms } });
    }
    return series;
  }
}
