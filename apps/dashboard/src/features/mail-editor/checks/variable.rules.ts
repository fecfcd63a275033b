import { systemNames } from '../variables/variables.rules.ts';
import type { CheckedField, Finding } from './finding.rules.ts';
import type { LiquidTag } from './liquid-tags.rules.ts';
import { variableUses } from './variable-uses.rules.ts';

interface CheckedVariables {
  field: CheckedField;
  tags: readonly LiquidTag[];
  /** keys of the contacts' data; null while they are not known */
  known: ReadonlySet<string> | null;
  /** Values come with each request, so a missing one is the caller's decision. */
  isTransactional: boolean;
}

/** Names that no contact has, and names without a fallback; each once. */
export function checkVariables({ field, tags, known, isTransactional }: CheckedVariables): Finding[] {
  const severity = isTransactional ? 'hint' : 'warning';
  const seen = new Set<string>();
  const findings: Finding[] = [];
  for (const { name, offset, isSafe } of variableUses(tags, known ?? new Set())) {
    const isUnknown = known !== null && name !== 'name' && !known.has(name);
    if (systemNames.has(name) || seen.has(name) || (isSafe && !isUnknown)) continue;
    seen.add(name);
    const at = { field, offset };
    if (isUnknown) findings.push({ ...at, severity, text: unknown(name, isTransactional) });
    else if (!isTransactional)
      findings.push({
        ...at,
        severity: 'hint',
        text: `{{${name}}} is empty for contacts without a value; add a fallback such as {{${name} ?? …}}.`,
      });
  }
  return findings;
}

const unknown = (name: string, isTransactional: boolean): string =>
  isTransactional
    ? `No contact has the field “${name}”; send it in the data of each request, or correct the name.`
    : `No contact has the field “${name}”, so {{${name}}} is empty in every email; correct the name or remove it.`;
