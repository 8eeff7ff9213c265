// Which contact is meant: one with the ground by the number of its candidate, those between two links by the pair, whose points come and go.

import type { Contact } from './messages';
import type { Robot } from './scene_types';

/** From 0 on: the number of a candidate; below: a pair of frames. */
export type ContactId = number;

export function contactId({ candidate, frame, other }: Pick<Contact, 'candidate' | 'frame' | 'other'>, { frames }: Robot): ContactId {
  return candidate >= 0 ? candidate : -1 - (frame * frames.length + other);
}

function framesOf(id: ContactId, { frames, candidates }: Robot): number[] {
  if (id >= 0) return candidates[id] ? [candidates[id].frame] : [];
  return [Math.floor((-1 - id) / frames.length), (-1 - id) % frames.length];
}

/** One link at the ground, both of a pair. */
export function linksOfContact(id: ContactId, robot: Robot): number[] { return framesOf(id, robot).map((frame) => robot.frames[frame].link); }

export function nameOfContact(id: ContactId, robot: Robot): string {
  return id >= 0 ? robot.candidates[id]?.name ?? '' : framesOf(id, robot).map((frame) => robot.frames[frame].name).join(' – ');
}

/** Others are between two links, and carry nothing. */
export function isAtGround({ other }: Pick<Contact, 'other'>): boolean { return other < 0; }
