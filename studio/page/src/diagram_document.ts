// The document of the diagram editor, and what can be done to it. studio/server/diagram_document.cpp reads and writes the same JSON.
// Values are texts in YAML. Every operation changes the document that it is given; the server decides whether the result counts.

export interface DocumentBlock {
  name: string; kind: string; sample: string; when: string; for: string;
  parameters: [string, string][];
  /** Where it is shown [px]. */
  at?: [number, number];
}
/** `from` and `to` are "block", "block.port", "block.bus.field", the name of an input of the diagram, or "<name>". */
export interface DocumentLine { from: string; to: string; for: string }
export interface DocumentPort { name: string; help: string; from: string; type: string; unit: string; size: string; for: string }
export interface DocumentParameter { name: string; help: string; unit: string; default: string }

/** A diagram, or a sub-diagram that is a kind of block for the diagram around it. */
export interface DiagramDocument {
  name: string; about: string; step: string; solver: string; tolerance: string; algebraic_loops: string; log: string[];
  parameters: DocumentParameter[]; inputs: DocumentPort[]; outputs: DocumentPort[];
  blocks: DocumentBlock[]; lines: DocumentLine[]; subdiagrams: DiagramDocument[];
}

/** What cannot be done, in words. */
export class Impossible extends Error {}

// ---- names ----

/** "robot.state.nu" → "robot" and "state.nu" */
export function splitEnd(end: string): { block: string; rest: string } {
  const dot = end.startsWith('<') ? -1 : end.indexOf('.');
  return dot < 0 ? { block: end, rest: '' } : { block: end.slice(0, dot), rest: end.slice(dot + 1) };
}

const blockOf = (end: string) => splitEnd(end).block;
const withBlock = (end: string, block: string) => { const { rest } = splitEnd(end); return rest ? `${block}.${rest}` : block; };

/** `wanted`, or with a number behind it. */
export function freeName(wanted: string, taken: (name: string) => boolean): string {
  if (!taken(wanted)) return wanted;
  for (let k = 2; ; ++k) if (!taken(`${wanted}${k}`)) return `${wanted}${k}`;
}

function isTaken(level: DiagramDocument, name: string): boolean {
  return level.blocks.some((block) => block.name === name) || level.inputs.some((port) => port.name === name);
}

export function checkName(level: DiagramDocument, name: string): void {
  if (!/^[^\s.,<>$"'{}[\]()#&*!|:%@`\\-][^\s.,<>"'[\]#&*!|:%@`\\]*$/.test(name) || name.includes('->')) throw new Impossible(`“${name}” cannot be a name: letters, digits and _`);
  if (isTaken(level, name)) throw new Impossible(`the name “${name}” is taken`);
}

/** "Sine" → "sine", "PID" → "pid", "CenterOfMass" → "center_of_mass" */
function nameFor(kind: string): string {
  return kind.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

// ---- levels ----

/** A sub-diagram that is open: by the names of the blocks that lead to it. */
export type Path = string[];

/** The diagrams from the outermost to the one that is open; null: there is no such block any more. */
export function levelsAt(root: DiagramDocument, path: Path): DiagramDocument[] | null {
  const levels = [root];
  for (const name of path) {
    const kind = levels[levels.length - 1].blocks.find((block) => block.name === name)?.kind;
    const inside = [...levels].reverse().flatMap((level) => level.subdiagrams).find((each) => each.name === kind);
    if (!inside) return null;
    levels.push(inside);
  }
  return levels;
}

export function levelAt(root: DiagramDocument, path: Path): DiagramDocument {
  const levels = levelsAt(root, path);
  if (!levels) throw new Impossible('this sub-diagram is not there any more');
  return levels[levels.length - 1];
}

/** Where the errors of a level begin: "subdiagrams/0/". */
export function placeOf(root: DiagramDocument, wanted: DiagramDocument, at = ''): string | null {
  if (root === wanted) return at;
  for (let k = 0; k < root.subdiagrams.length; ++k) {
    const place = placeOf(root.subdiagrams[k], wanted, `${at}subdiagrams/${k}/`);
    if (place !== null) return place;
  }
  return null;
}

function everyLevel(root: DiagramDocument): DiagramDocument[] { return [root, ...root.subdiagrams.flatMap(everyLevel)]; }

/** Signals of the log are named from the outermost diagram on. */
function renameInLog(root: DiagramDocument, path: Path, change: (signal: string) => string | null): void {
  const prefix = path.map((name) => `${name}.`).join('');
  root.log = root.log.flatMap((signal) => {
    if (!signal.startsWith(prefix)) return [signal];
    const changed = change(signal.slice(prefix.length));
    return changed === null ? [] : [prefix + changed];
  });
}

// ---- blocks and lines ----

export function addBlock(level: DiagramDocument, kind: string, at: [number, number]): string {
  const name = freeName(nameFor(kind), (each) => isTaken(level, each));
  level.blocks.push({ name, kind, sample: '', when: '', for: '', parameters: [], at });
  return name;
}

export function removeBlocks(root: DiagramDocument, path: Path, names: Set<string>): void {
  const level = levelAt(root, path), gone = (end: string) => names.has(blockOf(end));
  level.blocks = level.blocks.filter((block) => !names.has(block.name));
  level.lines = level.lines.filter((line) => !gone(line.from) && !gone(line.to));
  level.outputs = level.outputs.filter((port) => !gone(port.from));
  renameInLog(root, path, (signal) => (gone(signal) ? null : signal));
}

/** A sub-diagram goes when no block is of it any more. */
function forgetUnused(root: DiagramDocument, kind: string): void {
  const levels = everyLevel(root), used = levels.some((level) => level.blocks.some((block) => block.kind === kind));
  if (!used) for (const level of levels) level.subdiagrams = level.subdiagrams.filter((each) => each.name !== kind);
}

export function removeLines(level: DiagramDocument, lines: Set<number>): void { level.lines = level.lines.filter((_, k) => !lines.has(k)); }

/** An input has one source: a line that was there before goes. */
export function connect(level: DiagramDocument, from: string, to: string, sameInput: (other: string) => boolean): void {
  level.lines = level.lines.filter((line) => line.for !== '' || !sameInput(line.to));
  level.lines.push({ from, to, for: '' });
}

export function setParameter(block: DocumentBlock, name: string, value: string): void {
  const known = block.parameters.find(([key]) => key === name), text = value.trim();
  if (text === '') block.parameters = block.parameters.filter(([key]) => key !== name);
  else if (known) known[1] = text;
  else block.parameters.push([name, text]);
}

const SIGNAL_BEFORE = '(^|[\\s{:])';
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const mentions = (when: string, block: string) => new RegExp(`${SIGNAL_BEFORE}${escaped(block)}(\\.|[\\s},]|$)`).test(when);

export function renameBlock(root: DiagramDocument, path: Path, old: string, name: string): void {
  if (name === old) return;
  const level = levelAt(root, path), block = level.blocks.find((each) => each.name === old)!;
  checkName(level, name);
  block.name = name;
  const changed = (end: string) => (blockOf(end) === old ? withBlock(end, name) : end);
  for (const line of level.lines) { line.from = changed(line.from); line.to = changed(line.to); }
  for (const port of level.outputs) port.from = changed(port.from);
  for (const each of level.blocks) each.when = each.when.replace(new RegExp(`${SIGNAL_BEFORE}${escaped(old)}(?=\\.|[\\s},]|$)`, 'g'), `$1${name}`);
  renameInLog(root, path, changed);
}

export function renameKind(root: DiagramDocument, old: string, name: string, taken: (name: string) => boolean): void {
  if (name === old) return;
  if (!/^[A-Za-z_]\w*$/.test(name)) throw new Impossible(`“${name}” cannot be a kind of block: letters, digits and _`);
  if (taken(name) || everyLevel(root).some((level) => level.subdiagrams.some((each) => each.name === name))) throw new Impossible(`there is a block “${name}” already`);
  for (const level of everyLevel(root)) {
    for (const block of level.blocks) if (block.kind === old) block.kind = name;
    for (const each of level.subdiagrams) if (each.name === old) each.name = name;
  }
}

// ---- ports of a sub-diagram ----

/** All blocks that are this diagram, with the diagram that each of them is in. */
function usesOf(root: DiagramDocument, kind: string): { level: DiagramDocument; name: string }[] {
  return everyLevel(root).flatMap((level) => level.blocks.filter((block) => block.kind === kind).map(({ name }) => ({ level, name })));
}

/** A line from nowhere to a port makes an input of the diagram, one from a port to nowhere an output. */
export function addInput(level: DiagramDocument, to: string): string {
  const { block, rest } = splitEnd(to), name = freeName(rest || block, (each) => isTaken(level, each));
  level.inputs.push(emptyPort(name));
  return name;
}

export function addOutput(level: DiagramDocument, from: string): void {
  const { block, rest } = splitEnd(from), wanted = rest === '' || rest === 'out' ? block : last(from);
  level.outputs.push(emptyPort(freeName(wanted, (each) => level.outputs.some((port) => port.name === each)), from));
}

export function removePort(root: DiagramDocument, level: DiagramDocument, side: 'inputs' | 'outputs', name: string): void {
  level[side] = level[side].filter((port) => port.name !== name);
  if (side === 'inputs') level.lines = level.lines.filter((line) => blockOf(line.from) !== name);
  for (const use of usesOf(root, level.name)) {
    const gone = (end: string) => end === `${use.name}.${name}` || end.startsWith(`${use.name}.${name}.`);
    use.level.lines = use.level.lines.filter((line) => !gone(side === 'inputs' ? line.to : line.from));
  }
}

export function renamePort(root: DiagramDocument, level: DiagramDocument, side: 'inputs' | 'outputs', old: string, name: string): void {
  if (name === old) return;
  if (side === 'inputs') checkName(level, name);
  else if (!/^\w+$/.test(name) || level.outputs.some((port) => port.name === name)) throw new Impossible(`“${name}” cannot be a name here`);
  level[side].find((port) => port.name === old)!.name = name;
  if (side === 'inputs') for (const line of level.lines) if (blockOf(line.from) === old) line.from = withBlock(line.from, name);
  for (const use of usesOf(root, level.name)) {
    const changed = (end: string) => { const before = `${use.name}.${old}`; return end === before || end.startsWith(`${before}.`) ? `${use.name}.${name}${end.slice(before.length)}` : end; };
    for (const line of use.level.lines) if (side === 'inputs') line.to = changed(line.to); else line.from = changed(line.from);
    if (side === 'outputs') for (const port of use.level.outputs) port.from = changed(port.from);
  }
}

/** Again, with new names, a little beside; lines between them too. Returns their names. */
export function duplicate(level: DiagramDocument, names: Set<string>): Set<string> {
  const copies = new Map<string, string>();
  for (const block of level.blocks.filter(({ name }) => names.has(name))) {
    const name = freeName(block.name.replace(/\d+$/, ''), (each) => isTaken(level, each));
    level.blocks.push({ ...structuredClone(block), name, at: block.at && [block.at[0] + 24, block.at[1] + 24] });
    copies.set(block.name, name);
  }
  for (const line of [...level.lines]) {
    const from = copies.get(blockOf(line.from)), to = copies.get(blockOf(line.to));
    if (from && to) level.lines.push({ ...line, from: withBlock(line.from, from), to: withBlock(line.to, to) });
  }
  return new Set(copies.values());
}

// ---- groups ----

const emptyDiagram = (name: string): DiagramDocument => ({ name, about: '', step: '', solver: '', tolerance: '', algebraic_loops: '', log: [], parameters: [], inputs: [], outputs: [], blocks: [], lines: [], subdiagrams: [] });
const emptyPort = (name: string, from = ''): DocumentPort => ({ name, help: '', from, type: '', unit: '', size: '', for: '' });
const REFERENCE = /\$(?:(\w+)|\{(\w+)\}|\((\w+)\))/g;
const last = (end: string) => end.slice(end.lastIndexOf('.') + 1).replace(/\W/g, '') || 'signal';

function checkGroup(level: DiagramDocument, inside: DocumentBlock[], names: Set<string>): void {
  if (inside.length === 0) throw new Impossible('select the blocks first');
  const touches = (line: DocumentLine) => names.has(blockOf(line.from)) || names.has(blockOf(line.to));
  if (inside.some((block) => block.for !== '') || level.lines.some((line) => line.for !== '' && touches(line)))
    throw new Impossible('blocks that are there once for each value (`for`) cannot be grouped here');
  for (const block of level.blocks)
    for (const other of level.blocks)
      if (block.when && names.has(block.name) !== names.has(other.name) && mentions(block.when, other.name))
        throw new Impossible(`the condition of “${block.name}” would cross the border of the group`);
}

/** Makes a sub-diagram of some blocks, with a block of it in their place. Returns the name of that block. */
export function group(root: DiagramDocument, path: Path, names: Set<string>, takenKind: (name: string) => boolean): string {
  const level = levelAt(root, path), inside = level.blocks.filter((block) => names.has(block.name));
  checkGroup(level, inside, names);
  const isKind = (name: string) => takenKind(name) || everyLevel(root).some((each) => each.subdiagrams.some((sub) => sub.name === name));
  const diagram = emptyDiagram(freeName('Group', isKind));
  const name = freeName('group', (each) => isTaken(level, each));
  const inner = (end: string) => names.has(blockOf(end)), outer: DocumentLine[] = [];
  const portTaken = (each: string) => isTaken(diagram, each) || names.has(each);
  const inputs = new Map<string, string>(), outputs = new Map<string, string>();
  const inputFor = (line: DocumentLine) => {
    let port = inputs.get(line.from);
    if (port === undefined) {
      inputs.set(line.from, (port = freeName(last(line.to) === blockOf(line.to) ? 'in' : last(line.to), portTaken)));
      diagram.inputs.push(emptyPort(port));
      outer.push({ from: line.from, to: `${name}.${port}`, for: '' });
    }
    return port;
  };
  const outputFor = (source: string) => {
    let port = outputs.get(source);
    if (port === undefined) {
      outputs.set(source, (port = freeName(last(source) === 'out' || !source.includes('.') ? blockOf(source) : last(source), (each) => [...outputs.values()].includes(each))));
      diagram.outputs.push(emptyPort(port, source));
    }
    return `${name}.${port}`;
  };
  for (const line of level.lines) {
    if (inner(line.to)) diagram.lines.push(inner(line.from) || line.from.startsWith('<') ? line : { ...line, from: inputFor(line) });
    else outer.push(inner(line.from) ? { ...line, from: outputFor(line.from) } : line);
  }
  for (const port of level.outputs) if (inner(port.from)) port.from = outputFor(port.from);
  const parameters = new Set(inside.flatMap((block) => [...block.parameters.map(([, value]) => value), block.sample, block.when])
    .flatMap((text) => [...text.replaceAll('$$', '').matchAll(REFERENCE)].map(([, a, b, c]) => a ?? b ?? c)));
  diagram.parameters = [...parameters].map((each) => ({ name: each, help: '', unit: '', default: '' }));
  diagram.blocks = inside;
  level.blocks = level.blocks.filter((block) => !names.has(block.name));
  level.blocks.push({ name, kind: diagram.name, sample: '', when: '', for: '', parameters: [...parameters].map((each) => [each, `$${each}`]), at: middle(inside) });
  level.lines = outer;
  level.subdiagrams.push(diagram);
  renameInLog(root, path, (signal) => (inner(signal) ? `${name}.${signal}` : signal));
  return name;
}

function middle(blocks: DocumentBlock[]): [number, number] {
  const places = blocks.flatMap(({ at }) => (at ? [at] : [])), count = Math.max(places.length, 1);
  return [0, 1].map((k) => Math.round(places.reduce((sum, at) => sum + at[k], 0) / count)) as [number, number];
}

/** The contents of a sub-diagram in place of its block. Returns the names of what came out. */
export function ungroup(root: DiagramDocument, path: Path, name: string): Set<string> {
  const levels = levelsAt(root, path)!, level = levels[levels.length - 1], block = level.blocks.find((each) => each.name === name);
  const diagram = block && levelsAt(root, [...path, name])?.at(-1);
  if (!block || !diagram) throw new Impossible('only a sub-diagram can be ungrouped');
  if (block.when || block.for || diagram.blocks.some((each) => each.for) || diagram.lines.some((line) => line.for) || [...diagram.inputs, ...diagram.outputs].some((port) => port.for))
    throw new Impossible('a sub-diagram with a condition (`when`) or with `for` cannot be ungrouped here');
  if (level.blocks.some((each) => mentions(each.when, name))) throw new Impossible(`a condition comes from “${name}”`);
  const copy = structuredClone(diagram), names = new Map<string, string>();
  for (const each of copy.blocks) {
    const taken = (wanted: string) => wanted !== name && (isTaken(level, wanted) || [...names.values()].includes(wanted));
    names.set(each.name, freeName(taken(each.name) ? `${name}_${each.name}` : each.name, taken));
  }
  const values = new Map(copy.parameters.map((each) => [each.name, block.parameters.find(([key]) => key === each.name)?.[1] ?? each.default]));
  const filled = (text: string) => fill(text, values);
  const sources = new Map(copy.inputs.map((port) => [port.name, level.lines.find((line) => line.to === `${name}.${port.name}` || (line.to === name && copy.inputs.length === 1))?.from]));
  /** Null: nothing is connected to it outside. */
  const moved = (end: string): string | null => {
    const { block: first, rest } = splitEnd(end);
    if (sources.has(first)) { const source = sources.get(first); return source === undefined ? null : rest ? `${source}.${rest}` : source; }
    return names.has(first) ? withBlock(end, names.get(first)!) : end;
  };
  const outwards = (end: string): string | null => {
    const { block: first, rest } = splitEnd(end);
    if (first !== name) return end;
    const port = copy.outputs.find((each) => rest === each.name || rest.startsWith(`${each.name}.`)) ?? (rest === '' && copy.outputs.length === 1 ? copy.outputs[0] : undefined);
    const source = port && moved(port.from), field = port && rest.startsWith(`${port.name}.`) ? rest.slice(port.name.length) : '';
    return source ? source + field : null;
  };
  const lines = level.lines.filter((line) => blockOf(line.to) !== name);
  for (const line of lines) line.from = outwards(line.from) ?? '';
  for (const line of copy.lines) lines.push({ ...line, from: moved(line.from) ?? '', to: moved(line.to) ?? '' });
  level.lines = lines.filter((line) => line.from !== '' && line.to !== '');
  for (const port of level.outputs) port.from = outwards(port.from) ?? port.from;
  const [dx, dy] = block.at ? [block.at[0] - middle(copy.blocks)[0], block.at[1] - middle(copy.blocks)[1]] : [0, 0];
  level.blocks = level.blocks.filter((each) => each !== block);
  for (const each of copy.blocks)
    level.blocks.push({ ...each, name: names.get(each.name)!, sample: filled(each.sample), when: filled(each.when), parameters: each.parameters.map(([key, value]) => [key, filled(value)]),
      at: each.at && [each.at[0] + dx, each.at[1] + dy] });
  level.subdiagrams.push(...copy.subdiagrams.filter((each) => !level.subdiagrams.some((known) => known.name === each.name)));
  forgetUnused(root, diagram.name);
  renameInLog(root, path, (signal) => {
    const { block: first, rest } = splitEnd(signal);
    if (first !== name) return signal;
    const port = outwards(signal);
    return names.has(blockOf(rest)) ? moved(rest) : port;
  });
  return new Set(names.values());
}

/** Values in place of `$name`. */
function fill(text: string, values: Map<string, string>): string {
  const references = [...text.replaceAll('$$', '').matchAll(REFERENCE)];
  if (references.length === 0) return text;
  const [whole, a, b, c] = references[0], value = values.get(a ?? b ?? c);
  if (references.length === 1 && whole === text && value) return value;
  throw new Impossible(`“${text}” is made of parameters of the sub-diagram`);
}
