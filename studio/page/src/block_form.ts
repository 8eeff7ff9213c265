// What can be said about a block, a line, or the diagram itself.

import type { DocumentNode, PaletteKind, Problem } from './diagram_client';
import type { DiagramDocument, DocumentBlock, DocumentLine } from './diagram_document';
import { h } from './dom';

export interface FormEvents {
  rename(block: string, name: string): void;
  renameKind(kind: string, name: string): void;
  set(block: string, parameter: string, value: string): void;
  /** `sample` or `when`. */
  setField(block: string, field: 'sample' | 'when', value: string): void;
  setDiagram(field: 'about' | 'step' | 'solver' | 'tolerance' | 'algebraic_loops' | 'log', value: string): void;
  /** Of the sub-diagram that is open. An empty name: remove it. */
  renamePort(side: 'inputs' | 'outputs', old: string, name: string): void;
  /** A problem was clicked: show where it is. */
  goTo(problem: Problem): void;
}

/** What was refused, to be shown at its field. */
export interface Refusal { where: string; text: string; value: string }

interface FieldOptions {
  label: string; value: string; placeholder?: string; unit?: string; help?: string; required?: boolean; problem?: string; test: string; choices?: string[];
  change(value: string): void;
}

function field(options: FieldOptions): HTMLElement {
  const { label, value, placeholder = '', unit, help, required, problem, test, choices } = options;
  const input = choices ? h('select', { 'data-field': test }, ...choices.map((choice) => h('option', { value: choice, selected: choice === value }, choice || 'default'))) : h('input', { value, placeholder, 'data-field': test, spellcheck: false });
  input.onchange = () => options.change(input.value);
  if (problem) input.setAttribute('aria-invalid', 'true');
  return h('label', { class: `form-field${problem ? ' wrong' : ''}`, title: help ?? '' },
    h('span', {}, label, required ? h('b', { class: 'required', title: 'must be given' }, ' *') : null), h('span', { class: 'form-input' }, input, unit && unit !== '-' ? h('small', {}, unit) : null),
    problem ? h('em', { role: 'alert', 'data-problem': test }, problem) : help ? h('small', { class: 'dim' }, help) : null);
}

const said = ({ text, hint }: Problem) => (hint ? `${text} (${hint})` : text);
/** At the field it is known which block and parameter is meant. */
const short = (text: string) => text.replace(/^block .*?\): /, '').replace(/^parameter '[^']*' /, '');

export function blockForm(block: DocumentBlock, place: string, kind: PaletteKind | undefined, diagram: DiagramDocument | undefined, node: DocumentNode | undefined, problems: Problem[], refusal: Refusal | null, events: FormEvents): HTMLElement[] {
  const known = diagram ? diagram.parameters.map((each) => ({ name: each.name, help: each.help, unit: each.unit, fallback: each.default, required: each.default === '' })) : kind?.parameters ?? [];
  const others = block.parameters.map(([name]) => name).filter((name) => !known.some((each) => each.name === name)).map((name) => ({ name, help: '', unit: '', fallback: '', required: false }));
  const own = problems.filter(({ where }) => where === place), about = (name: string) => problems.find(({ where, text }) => where === `${place}/${name}` || (where === place && text.includes(`parameter '${name}'`)));
  const at = (name: string) => (refusal?.where === `${place}/${name}` ? refusal : null);
  const fields = [...known, ...others].filter(({ name }) => name !== 'sample').map(({ name, help, unit, fallback, required }) => {
    const problem = about(name), refused = at(name);
    return field({ label: name, value: refused?.value ?? block.parameters.find(([key]) => key === name)?.[1] ?? '', placeholder: fallback, unit, help, required, test: name,
      problem: refused ? short(refused.text) : problem ? short(said(problem)) : undefined, change: (value) => events.set(block.name, name, value) });
  });
  const general = own.filter(({ text }) => ![...known, ...others].some(({ name }) => text.includes(`parameter '${name}'`)));
  const more = (['sample', 'when'] as const).map((name) => field({ label: name, value: at(name)?.value ?? block[name], test: name, change: (value) => events.setField(block.name, name, value),
    problem: at(name)?.text ?? problems.filter(({ where }) => where === `${place}/${name}`).map(said)[0],
    placeholder: name === 'sample' ? 'as its inputs' : 'always', help: name === 'sample' ? 'when it is evaluated: 10 ms, continuous …' : 'runs only while this signal is true: contact.out' }));
  const ports = (title: string, list: DocumentNode['inputs']) => (list.length === 0 ? [] : [h('h4', {}, title), h('ul', { class: 'form-ports' }, ...list.map((port) => h('li', {}, h('b', {}, port.name), ` ${port.type}`)))]);
  return [h('h3', {}, block.kind), h('p', { class: 'dim' }, diagram?.about || (kind?.summary ?? 'A sub-diagram: a double click opens it.')),
    field({ label: 'name', value: block.name, test: 'name', change: (name) => events.rename(block.name, name.trim()) }),
    ...(diagram ? [field({ label: 'kind', value: diagram.name, test: 'kind', help: 'of all blocks that are this sub-diagram', change: (name) => events.renameKind(diagram.name, name.trim()) })] : []),
    ...general.map((problem) => h('p', { class: 'wrong', role: 'alert' }, short(said(problem)))), ...fields,
    h('details', { open: block.sample !== '' || block.when !== '' }, h('summary', {}, 'When it runs'), ...more),
    ...(node ? [h('details', {}, h('summary', {}, 'Ports'), ...ports('Inputs', node.inputs), ...ports('Outputs', node.outputs))] : []),
    ...(kind?.details ? [h('details', {}, h('summary', {}, 'About it'), h('p', { class: 'dim' }, kind.details))] : [])];
}

export function lineForm(line: DocumentLine, type: string, problem: string): HTMLElement[] {
  return [h('h3', {}, 'Line'), h('p', {}, h('b', {}, line.from), ' → ', h('b', {}, line.to)), h('p', { class: 'dim' }, type), ...(problem ? [h('p', { class: 'wrong' }, problem)] : [])];
}

export function diagramForm(level: DiagramDocument, outermost: boolean, problems: Problem[], events: FormEvents): HTMLElement[] {
  const text = (name: 'about' | 'step' | 'tolerance', placeholder: string, help: string) => field({ label: name, value: level[name], placeholder, help, test: name, change: (value) => events.setDiagram(name, value) });
  const settings = outermost ? [text('step', 'as physics.step', 'base step; sample times are multiples of it'),
    field({ label: 'solver', value: level.solver, choices: ['', 'rk4', 'euler', 'rk45'], test: 'solver', change: (value) => events.setDiagram('solver', value) }),
    ...(level.solver === 'rk45' ? [text('tolerance', '1e-6', 'error of a state in one of its steps')] : []),
    field({ label: 'loops', value: level.algebraic_loops, choices: ['', 'refuse', 'solve'], help: 'values that need themselves at the same instant', test: 'algebraic_loops', change: (value) => events.setDiagram('algebraic_loops', value) }),
    field({ label: 'log', value: level.log.join(', '), placeholder: 'controller.torque, …', help: 'signals that the log of a run holds too', test: 'log', change: (value) => events.setDiagram('log', value) })] : [];
  const ports = (title: string, side: 'inputs' | 'outputs') => [h('h4', {}, title), ...level[side].map(({ name }) => h('div', { class: 'form-port' }, h('input', { value: name, 'aria-label': `name of ${name}`, 'data-field': `${side}.${name}`,
    onchange: (event: Event) => events.renamePort(side, name, (event.target as HTMLInputElement).value.trim() || name) }), h('button', { class: 'small', title: 'Remove it', 'aria-label': `Remove ${name}`, onclick: () => events.renamePort(side, name, '') }, '✕')))];
  if (!outermost) settings.push(...ports('Inputs', 'inputs'), ...ports('Outputs', 'outputs'), h('p', { class: 'dim' }, 'A line from or to + at the border makes a new one.'));
  return [h('h3', {}, outermost ? 'Diagram' : `Sub-diagram ${level.name}`), text('about', 'one line', 'what it does'), ...settings, ...problemList(problems, events)];
}

export function problemList(problems: Problem[], events: FormEvents): HTMLElement[] {
  if (problems.length === 0) return [h('p', { class: 'good', 'data-test': 'no-problems' }, 'Nothing is wrong with it: it can run.')];
  return [h('h4', {}, problems.length === 1 ? 'One thing is missing' : `${problems.length} things are missing or wrong`),
    h('ul', { class: 'problems', 'data-test': 'problems' }, ...problems.map((problem) => h('li', {}, h('button', { title: problem.hint, onclick: () => events.goTo(problem) }, problem.text))))];
}
