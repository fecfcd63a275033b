/** How much a finding matters: an error spoils the email for its recipients, a warning for some of them, a hint improves it. */
export const severities = ['error', 'warning', 'hint'] as const;
export type Severity = (typeof severities)[number];

/** The fields that a finding can be about, in the order of the form. */
export const checkedFields = ['subject', 'preheader', 'type', 'body'] as const;
export type CheckedField = (typeof checkedFields)[number];

export interface Finding {
  severity: Severity;
  /** One sentence: the problem, and how to solve it. */
  text: string;
  field: CheckedField;
  /** Where it is in the text of the field, in UTF-16 units from 0; null for the whole field. */
  offset: number | null;
}

/** Errors first; among equals, in the order of the form and of the text. */
export const inOrder = (findings: readonly Finding[]): Finding[] =>
  findings.toSorted(
    (one, other) =>
      severities.indexOf(one.severity) - severities.indexOf(other.severity) ||
      checkedFields.indexOf(one.field) - checkedFields.indexOf(other.field) ||
      (one.offset ?? -1) - (other.offset ?? -1),
  );

/** What should be seen before sending; hints need no decision. */
export const problemsOf = (findings: readonly Finding[]): Finding[] =>
  findings.filter(({ severity }) => severity !== 'hint');

/** The line and column of an offset, from 1. */
export function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
