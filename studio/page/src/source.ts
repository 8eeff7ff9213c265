// Where the page's data come from: a server, or the file itself (a report).

import type { Extent, Frame, Pace, Row, Series } from './messages';
import type { SceneDescription } from './scene_types';

export interface SourceEvents {
  /** A new instant of a live simulation. */
  frame(frame: Frame): void;
  /** The scene has changed: friction, ground, saved states. */
  described(): void;
  /** Something that the user should read. @param verb of the command that was refused */
  message(text: string, isError: boolean, verb?: string): void;
  /** Another page has done something to the simulation that both show. */
  done(text: string): void;
  /** Another page has edited the diagram. */
  edited(): void;
  /** So many pages show it. */
  pages(count: number): void;
  connection(connected: boolean): void;
  /** The server that is there now is another one, which does not know this browser. */
  stranger(stranger: boolean): void;
}

/** Where two runs part: the first instant of both at which something of the same name is not the same; null: never. */
export interface Difference { done: boolean; time: number | null; column?: string; a?: number; b?: number; problem?: string }

/** One run that can be looked at: a live simulation, or a log. */
export interface Source {
  readonly scene: SceneDescription;
  readonly extent: Extent;
  readonly pace: Pace;
  readonly live: boolean;
  /** The row at or before a time. */
  rowAt(time: number): Promise<Row | null>;
  rowByIndex(index: number): Promise<Row | null>;
  rows(from: number, to: number, most: number): Promise<Row[]>;
  series(columns: number[], from: number, to: number, buckets: number): Promise<Series>;
  /** Times of the first impact after a time and of the last one before it; null: there is none. */
  nextImpact(after: number): Promise<number | null>;
  previousImpact(before: number): Promise<number | null>;
  mesh(index: number): Promise<ArrayBuffer>;
  /** From the first run that the page shows. */
  difference(): Promise<Difference>;
  /** Rows that were taken back, by going on from an earlier instant; null: there are none. */
  readonly former: Source | null;
  /** Columns whose new rows come with every frame. */
  subscribe(columns: number[]): void;
  command(message: Record<string, unknown>): void;
  /** Something that only the server knows; refused questions are RefusedEdit. */
  ask<T>(question: Record<string, unknown>): Promise<T>;
}
