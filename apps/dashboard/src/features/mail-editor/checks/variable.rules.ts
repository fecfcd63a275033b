import { nameLikeness } from '@postrider/core/base/lib/contract';
import { systemNames } from '../variables/variables.rules.ts';
import type { CheckedField, OwnFinding } from './finding.rules.ts';
import type { LiquidTag } from './liquid-tags.rules.ts';
import { variableUses } from './variable-uses.rules.ts';

/** The keys of the contacts' data, each with the percentage of contacts that have it; null while they are not known. */
export type KnownFields = ReadonlyMap<string, number>;

/** The fields of greetings: emails of starters and recipes have the first, a send gives the other with its recipient. */
const greetings: ReadonlySet<string> = new Set(['firstName', 'name']);

interface CheckedVariables {
  field: CheckedField;
  tags: readonly LiquidTag[];
  known: KnownFields | null;
  /** Values come with each request, so a missing one is the caller's decision. */
  isTransactional: boolean;
}

/** Names that no contact has, names that are probably meant as another, and names without a fallback; each once. */
export function checkVariables({ field, tags, known, isTransactional }: CheckedVariables): OwnFinding[] {
  const severity = isTransactional ? 'hint' : 'warning';
  const seen = new Set<string>();
  const findings: OwnFinding[] = [];
  for (const { name, offset, isSafe } of variableUses(tags, known ?? new Map())) {
    const isUnknown = known !== null && !greetings.has(name) && !known.has(name);
    if (systemNames.has(name) || seen.has(name)) continue;
    const meant = known && meantBy(name, known, isTransactional);
    if (isSafe && !isUnknown && !meant) continue;
    seen.add(name);
    const at = { field, offset };
    if (meant) findings.push({ ...at, severity: 'warning', text: mistaken(name, meant, known) });
    else if (isUnknown) findings.push({ ...at, severity, text: unknown(name, isTransactional) });
    else if (!isTransactional)
      findings.push({
        ...at,
        severity: 'hint',
        text: `{{${name}}} is empty for contacts without a value; add a fallback such as {{${name} ?? …}}.`,
      });
  }
  return findings;
}

/** The field that most contacts have of those whose names are like this one; null if it is the one that is named. */
function meantBy(name: string, known: KnownFields, isTransactional: boolean): string | null {
  const likeness = nameLikeness(name);
  const isOtherGreeting = (field: string): boolean =>
    !isTransactional && !known.has(name) && greetings.has(name) && greetings.has(field);
  const alike = [...known].filter(
    ([field]) => field === name || nameLikeness(field) === likeness || isOtherGreeting(field),
  );
  const [best] = alike.toSorted(([, one], [, other]) => other - one);
  return best && best[1] > (known.get(name) ?? 0) ? best[0] : null;
}

const mistaken = (name: string, meant: string, known: KnownFields): string =>
  known.has(name)
    ? `Contacts rather have the field “${meant}” (${known.get(meant)}%) than “${name}” (${known.get(name)}%); did you mean {{${meant}}}?`
    : `No contact has the field “${name}”; did you mean {{${meant}}}?`;

const unknown = (name: string, isTransactional: boolean): string =>
  isTransactional
    ? `No contact has the field “${name}”; send it in the data of each request, or correct the name.`
    : `No contact has the field “${name}”, so {{${name}}} is empty in every email; correct the name or remove it.`;
