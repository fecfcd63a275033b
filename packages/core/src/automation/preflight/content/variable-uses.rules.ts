import type { LiquidTag } from './liquid-tags.rules.ts';

/** Names that are read as a whole, whatever characters they have. */
type Known = Pick<ReadonlySet<string>, 'has'>;

/** A variable that a template needs from outside. */
export interface VariableUse {
  /** The key of the contact's data, or a system name. */
  name: string;
  /** Where the tag begins. */
  offset: number;
  /** Whether the email also reads well without a value: a fallback, or a condition about the variable around it. */
  isSafe: boolean;
}

interface Reading {
  uses: VariableUse[];
  /** names that the template makes itself */
  local: Set<string>;
  /** the keys of the contacts' data, which may contain dots */
  known: Known;
  /** the names that each open block asks about, and how many of them ask about a name */
  open: { tag: string; names: string[] }[];
  asked: Map<string, number>;
}

/** The variables of a template. Names that it assigns or loops over are not among them. */
export function variableUses(tags: readonly LiquidTag[], known: Known): VariableUse[] {
  const reading: Reading = {
    uses: [],
    local: new Set(['forloop', 'tablerowloop']),
    known,
    open: [],
    asked: new Map(),
  };
  for (const tag of tags) {
    if (tag.isOutput) readOutput(tag, reading);
    else readTag(tag, reading);
  }
  return reading.uses.filter(({ name }) => !reading.local.has(name));
}

function readOutput({ inside, start }: LiquidTag, { uses, known, asked }: Reading): void {
  const name = nameOf(withoutTexts(inside).split(/\?\?|\|/)[0] ?? '', known);
  if (name === null) return;
  const hasFallback = /\?\?|\|\s*default\b/.test(withoutTexts(inside));
  uses.push({ name, offset: start, isSafe: hasFallback || (asked.get(name) ?? 0) > 0 });
}

/** `for item in items`: what it makes and what it reads. */
const loop = /^(\S+)\s+in\s+(\S+)/;

function readTag({ inside, start }: LiquidTag, reading: Reading): void {
  const [tag = '', ...words] = inside.split(/\s+/);
  const rest = words.join(' ');
  const { known } = reading;
  const read = (names: string[]): void => {
    for (const name of names) reading.uses.push({ name, offset: start, isSafe: true });
  };
  if (tag === 'if' || tag === 'unless' || tag === 'case') {
    const names = namesIn(rest, known);
    read(names);
    reading.open.push({ tag, names });
    ask(reading, names, 1);
  } else if (tag === 'elsif') {
    const names = namesIn(rest, known);
    read(names);
    const block = reading.open.at(-1);
    if (!block) return;
    for (const name of names) block.names.push(name);
    ask(reading, names, 1);
  } else if (tag === 'for' || tag === 'tablerow') {
    const [, made = '', from = ''] = loop.exec(rest) ?? [];
    reading.local.add(made);
    read(namesIn(withoutTexts(from), known));
  } else if (tag === 'assign' || tag === 'capture' || tag === 'increment' || tag === 'decrement') {
    reading.local.add(/^[\w-]+/.exec(rest)?.[0] ?? '');
    if (tag === 'assign')
      read(namesIn(withoutTexts(rest.slice(rest.indexOf('=') + 1)).split(/\?\?|\|/)[0] ?? '', known));
  } else if (tag === `end${reading.open.at(-1)?.tag}`) {
    ask(reading, reading.open.pop()?.names ?? [], -1);
  }
}

function ask({ asked }: Reading, names: readonly string[], by: 1 | -1): void {
  for (const name of names) asked.set(name, (asked.get(name) ?? 0) + by);
}

/** The names in a condition such as `plan == "pro" and total > 3`. */
const namesIn = (condition: string, known: Known): string[] =>
  withoutTexts(condition)
    .split(/\s(?:and|or|not|contains)\s|[=!<>]=?|,/)
    .flatMap((operand) => nameOf(operand.replace(/^not\s/, ''), known) ?? []);

/** Texts in quotes become a number, which no name is, but not the key in `data["first name"]`. */
const withoutTexts = (expression: string): string =>
  expression.replace(/\[\s*(["'])([^"'\]]*)\1\s*\]/g, '.$2').replace(/"[^"]*"|'[^']*'/g, '0');

const literals = new Set(['true', 'false', 'nil', 'null', 'empty', 'blank', 'data']);

/** A key as a whole, else the first name of a path, after a leading `data.`; null for a literal. */
function nameOf(path: string, known: Known): string | null {
  const whole = path
    .trim()
    .replace(/^data\./, '')
    .replace(/\s+/g, ' ');
  if (known.has(whole)) return whole;
  // A path has no empty name, so this is a key.
  const isKey = /\.\s*(\.|$)/.test(whole) && !/[[(]/.test(whole);
  const clean = isKey ? whole : (whole.split(/[.[]/)[0] ?? '').trim();
  return clean === '' || literals.has(clean) || /^[-+\d("']/.test(clean) ? null : clean;
}
