// What the 3D view can show, what each part is called, and the colors that mean something.

export interface Layers {
  body: boolean; transparent: boolean; collision: boolean; ground: boolean; contacts: boolean; forces: boolean; impulses: boolean;
  pushes: boolean; cones: boolean; com: boolean; support: boolean; zmp: boolean; frames: boolean; inertia: boolean; loops: boolean;
  traces: boolean; ghosts: boolean; follow: boolean; shadows: boolean;
}

export const DEFAULT_LAYERS: Layers = {
  body: true, transparent: false, collision: false, ground: true, contacts: true, forces: true, impulses: true, pushes: true, cones: false,
  com: true, support: true, zmp: true, frames: false, inertia: false, loops: true, traces: true, ghosts: true, follow: true, shadows: true,
};

/** Name, and what it is. */
export const LAYER_TITLES: Record<keyof Layers, [string, string]> = {
  body: ['Robot', 'Its meshes, or simple shapes where it has none'],
  transparent: ['See-through', 'Look into the robot'],
  collision: ['Collision shapes', 'What touches the ground'],
  ground: ['Ground', ''],
  contacts: ['Contact points', 'Green sticks, orange slides, grey is open'],
  forces: ['Forces', 'Contact forces: one as large as the weight is nearly as long as the robot'],
  impulses: ['Impulses', 'Of impacts; while time runs they stay for a moment'],
  pushes: ['Pushes', 'Forces from outside: pushes of the scene and its diagram, and pulls with the mouse'],
  cones: ['Friction cones', 'Forces inside stick, forces on the border slide'],
  com: ['Centre of mass', 'With its projection on the ground'],
  support: ['Support polygon', 'Around the contacts that carry'],
  zmp: ['Zero-moment point', 'Where the contact forces have no horizontal moment'],
  frames: ['Frames', 'Of links and soles, and all of the picked link: x red, y green, z blue'],
  inertia: ['Inertia ellipsoids', 'Rings around bodies of even density with the same mass and inertia; only that of the picked link when there is one'],
  loops: ['Loops and ties', 'Where loops are closed, and where joints that are made while it runs hold'],
  traces: ['Traces', 'Of frames: the tab Link adds them'],
  ghosts: ['Other runs', 'Robots of the runs that this one is compared with'],
  follow: ['Follow the robot', 'The camera goes along'],
  shadows: ['Shadows', ''],
};

export const COLORS = {
  open: '#8b95a5', sticking: '#2f9e44', sliding: '#f08c00', force: '#e03131', impulse: '#be4bdb', pull: '#f783ac', moment: '#e599f7', com: '#fab005',
  zmp: '#e64980', support: '#339af0', loop: '#22b8cf', inertia: '#7950f2',
};

export const MODE_NAMES = ['open', 'sticking', 'sliding'] as const;

/** What the colors mean that can be seen now. */
export function legendOf(layers: Layers, has: { loops: string; pushes: boolean; ghosts: [string, string][] }): [string, string][] {
  const shown: [boolean, string, string][] = [
    [layers.contacts || layers.cones, COLORS.sticking, 'sticking'], [layers.contacts || layers.cones, COLORS.sliding, 'sliding'],
    [layers.contacts || layers.cones, COLORS.open, 'open'], [layers.forces, COLORS.force, 'force'], [layers.impulses, COLORS.impulse, 'impulse'],
    [layers.pushes && has.pushes, COLORS.pull, 'push'],
    [layers.com, COLORS.com, 'centre of mass'], [layers.support, COLORS.support, 'support'], [layers.zmp, COLORS.zmp, 'ZMP'],
    [layers.inertia, COLORS.inertia, 'inertia'], [layers.loops && has.loops !== '', COLORS.loop, has.loops],
  ];
  return [...shown.filter(([on]) => on).map(([, color, text]): [string, string] => [color, text]), ...(layers.ghosts ? has.ghosts : [])];
}
