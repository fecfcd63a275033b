import { nameLikeness } from '../../../base/lib/names.rules.ts';
import { systemNames } from '../../../content/templates/system-names.rules.ts';
import type { LiquidTag } from './liquid-tags.rules.ts';
import { type CheckedText, mostOfRule, type Problem } from './problem.rules.ts';
import { type VariableUse, variableUses } from './variable-uses.rules.ts';

/** The keys of the contacts' data, each with the percentage of contacts that have it; null while they are not known. */
export type KnownFields = ReadonlyMap<string, number>;

/** The fields of greetings: emails of starters and recipes have the first, a send gives the other with its recipient. */
const greetings: ReadonlySet<string> = new Set(['firstName', 'name']);

/** Where values come from: those of a campaign from contacts alone, those of a template also from requests or from events. */
export type ValueSource = 'contacts' | 'requests' | 'events';

interface Checked {
  tags: Readonly<Record<CheckedText, readonly LiquidTag[]>>;
  known: KnownFields | null;
  source: ValueSource;
}

type VariableRule = 'unknown_variable' | 'mistaken_variable' | 'variable_fallback';

export interface VariableProblems {
  problems: Problem<VariableRule>[];
  /** names without a fallback that are not unknown, each where it stands first */
  bare: { name: string; field: CheckedText; offset: number }[];
}

/** Names that no contact has, names that are probably meant as another, and names without a fallback; each once in a text. */
export function variableProblems({ tags, known, source }: Checked): VariableProblems {
  const alike = likenessesOf(known ?? noFields);
  const found: VariableProblems = { problems: [], bare: [] };
  const bareNames = new Set<string>();
  for (const field of ['subject', 'preheader', 'body', 'text'] as const) {
    const seen = new Set<string>();
    for (const use of variableUses(tags[field], known ?? noFields)) {
      const { name, offset, isSafe } = use;
      // No field of a contact has a longer name, which a person would not read either.
      if (name.length > longestName || systemNames.has(name) || seen.has(name)) continue;
      const problem = problemOf(use, { known, alike, source });
      if (!isSafe && problem?.rule !== 'unknown_variable' && !bareNames.has(name)) {
        bareNames.add(name);
        if (found.bare.length < mostOfRule) found.bare.push({ name, field, offset });
      }
      if (problem === null) continue;
      seen.add(name);
      if (found.problems.length < mostOfRule)
        found.problems.push({ ...problem, field, offset, details: { name, ...problem.details } });
    }
  }
  return found;
}

const longestName = 200;
const noFields: KnownFields = new Map();

interface Known {
  known: KnownFields | null;
  alike: Likenesses;
  source: ValueSource;
}

type NamedProblem = Omit<Problem<VariableRule>, 'field' | 'offset'>;

function problemOf({ name, isSafe }: VariableUse, { known, alike, source }: Known): NamedProblem | null {
  const meant = known && meantBy(name, known, alike, source);
  if (known !== null && !greetings.has(name) && !known.has(name))
    return unknown(name, { meant, isSafe, source });
  if (known && meant)
    return { rule: 'mistaken_variable', message: mistaken(name, meant, known), details: { meant } };
  if (isSafe || source === 'requests') return null;
  return {
    rule: 'variable_fallback',
    message: `{{${name}}} is empty for contacts without a value; add a fallback such as {{${name} ?? …}}.`,
  };
}

interface Unknown {
  meant: string | null;
  isSafe: boolean;
  source: ValueSource;
}

/** A campaign has no other values than those of contacts, so a name that none of them has is a mistake; with a fallback it does less harm. */
function unknown(name: string, { meant, isSafe, source }: Unknown): NamedProblem {
  const level = source === 'contacts' && !isSafe ? 'error' : 'warning';
  if (meant)
    return {
      rule: 'unknown_variable',
      level,
      message: `No contact has the field “${name}”; did you mean {{${meant}}}?`,
      details: { meant },
    };
  if (source === 'requests')
    return {
      rule: 'unknown_variable',
      level: 'hint',
      message: `No contact has the field “${name}”; send it in the data of each request, or correct the name.`,
    };
  return {
    rule: 'unknown_variable',
    level,
    message: `No contact has the field “${name}”, so {{${name}}} is empty in every email; correct the name or remove it.`,
  };
}

const mistaken = (name: string, meant: string, known: KnownFields): string =>
  known.has(name)
    ? `Contacts rather have the field “${meant}” (${known.get(meant)}%) than “${name}” (${known.get(name)}%); did you mean {{${meant}}}?`
    : `No contact has the field “${name}”; did you mean {{${meant}}}?`;

/** Of the fields with one likeness, that which most contacts have. */
type Likenesses = ReadonlyMap<string, string>;

function likenessesOf(known: KnownFields): Likenesses {
  const best = new Map<string, string>();
  for (const [field, coverage] of known) {
    const likeness = nameLikeness(field);
    const before = best.get(likeness);
    if (before === undefined || coverage > (known.get(before) ?? 0)) best.set(likeness, field);
  }
  return best;
}

/** The field that most contacts have of those whose names are like this one; null if it is the one that is named. */
function meantBy(name: string, known: KnownFields, alike: Likenesses, source: ValueSource): string | null {
  const like = alike.get(nameLikeness(name));
  const candidates = like === undefined ? [] : [like];
  // The recipient of a request may have a name.
  if (source !== 'requests' && !known.has(name) && greetings.has(name))
    candidates.push(...[...greetings].filter((field) => known.has(field)));
  let best = name;
  for (const field of candidates) if ((known.get(field) ?? 0) > (known.get(best) ?? 0)) best = field;
  return best === name ? null : best;
}
