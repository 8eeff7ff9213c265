// What the server says about a scene: studio/server/scene_description.cpp writes it.

export type Vec3 = [number, number, number];
/** Position, and quaternion (x, y, z, w). */
export interface Pose { p: Vec3; q: [number, number, number, number] }

export interface Link { name: string; mass: number; com: Vec3; inertia: number[] }
export interface Joint {
  name: string; kind: 'revolute' | 'prismatic' | 'ball' | 'free' | 'fixed'; parent: number; X_PJ: Pose; axis: Vec3;
  dof: number; multiplier: number; offset: number;
  /** Of a free joint: which of the further bodies it moves. */
  body: number;
}
export interface Dof { name: string; kind: string; lower: number | null; upper: number | null; max_effort: number | null }
export interface Frame { name: string; link: number; X_LF: Pose }
export interface Loop { name: string; kind: string; link_a: number; link_b: number; X_AF: Pose; X_BF: Pose }
export interface Candidate { name: string; link: number; frame: number; p_LC: Vec3; radius: number }

export interface Robot {
  name: string; floating_base: boolean; gravity: Vec3;
  links: Link[]; joints: Joint[]; dofs: Dof[]; frames: Frame[]; loops: Loop[]; candidates: Candidate[];
}

/** What the channels of a link's joint begin with; of a robot's or body's base, those of the base. */
export function motionName(robot: Robot, link: number): string {
  if (link === 0) return 'base';
  const joint = robot.joints[link - 1];
  return joint.parent < 0 ? joint.name : robot.dofs[joint.dof].name;
}

export interface Geometry {
  link: number; name: string; collision: boolean; shape: string; X_LG: Pose;
  color?: [number, number, number, number]; size?: Vec3; mesh?: number; radius?: number; length?: number;
}

export interface Ground {
  shape: string; friction: number; restitution: number; motion?: number; conveyor?: Vec3; incline?: number;
  pose?: Pose; boxes?: { pose: Pose; size: Vec3 }[];
  /** Heights: null where there is no ground. */
  field?: { columns: number; rows: number; size: [number, number]; origin: Vec3; heights: (number | null)[] };
}

export interface Parameter {
  key?: string; label: string; unit?: string; value?: number; low?: number; high?: number; refused?: string;
}

/** How the scene asks to be shown: `view` of its file. */
export interface View {
  camera: { from?: string; show?: 'robot' | 'scene'; position?: Vec3; target?: Vec3 };
  layers: Record<string, boolean>; plots: string[][]; tab?: string; speed?: number;
}

/** A value that is other than in the file; `page`: changed from a page, not by the command line. */
export interface Change { key: string; value: string; page: boolean }

export interface SceneDescription {
  source: string; live?: boolean; sessions: number; robot: Robot;
  /** Names of the joints that the scene makes and releases while it runs. */
  ties: string[];
  geometries: Geometry[]; grounds: Ground[];
  meshes: number; moving_grounds: number;
  physics: { engine: string; contact: string; solver: string; integrator: string; step: number; tolerance: number };
  columns: [string, string][];
  state: { q: number[]; nu: number[]; tau: number[] };
  /** Columns; −1: not in this log. `stages` of the contact solver: the steps of each. */
  solver: { iterations: number; residual: number; solves: number; stages: { name: string; column: number }[] };
  view: View;
  parameters?: Parameter[]; saved?: { name: string; time: number }[];
  /** Where each joint is held; null: nothing holds it. */
  targets?: (number | null)[];
  changes?: Change[];
  /** The scene file with the changes in it. */
  yaml?: string;
  /** Rows from this time on were taken back; shown: they can be had as those of the former run, which had the same channels. */
  former?: { time: number; shown: boolean };
  notes?: [string, string][];
  /** What is missing of a log that was cut off. */
  damage?: string;
  diagram?: Diagram;
  decimated?: string;
}

/** The way through a step: boxes in columns from left to right, and lines between them. */
export interface StepDiagram {
  blocks: { id: string; title: string; detail?: string; column: number; row: number; time?: number; values?: number[] }[];
  lines: { from: string; to: string; label?: string; values?: number[]; unit?: string }[];
}

/** A diagram of blocks as footfall::toJson() writes it; boxes are x, y, width, height. */
export interface Drawing {
  width: number; height: number; rates: string[]; categories: string[];
  blocks: { path: string; name: string; kind: string; category: string; sample: string; rate: number; box: Box; inputs: Port[]; outputs: Port[] }[];
  frames: { path: string; name: string; kind: string; depth: number; box: Box }[];
  pins: { name: string; at: Point; width: number; input: boolean }[];
  lines: { source: string; target: string; label: string; rate: number; arrives: boolean; room: number; points: Point[]; junctions: Point[] }[];
}
type Point = [number, number];
type Box = [number, number, number, number];
interface Port { name: string; at: Point; connected: boolean }

/** With the columns that hold the values of each signal and the time of each block: studio/server/diagram_description.cpp. */
export interface BlockDiagram {
  drawing: Drawing;
  signals: Record<string, { columns?: number[]; type?: string; numbers?: number }>;
  times: Record<string, number>;
  /** By the path of a block Scope: the signals that it sees. */
  scopes: Record<string, string[]>;
}
export type Diagram = Partial<BlockDiagram> & { step: StepDiagram; problem?: string };
