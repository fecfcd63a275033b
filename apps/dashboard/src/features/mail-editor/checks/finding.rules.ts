import type { Finding as RuleFinding, RuleName } from '@postrider/core/automation/preflight/contract';

/** How much a finding matters: an error spoils the email for its recipients, a warning for some of them, a hint improves it. */
export const severities = ['error', 'warning', 'hint'] as const;
export type Severity = (typeof severities)[number];

/** The fields that a finding can be about, in the order of the form. */
export const checkedFields = [
  'audienceType',
  'segmentId',
  'topic',
  'from',
  'subject',
  'preheader',
  'type',
  'body',
] as const;
export type CheckedField = (typeof checkedFields)[number];

export interface Finding {
  severity: Severity;
  /** One sentence: the problem, and how to solve it. */
  text: string;
  /** null for what no field of the form decides */
  field: CheckedField | null;
  /** Where it is in the text of the field, in UTF-16 units from 0; null for the whole field. */
  offset: number | null;
  /** the rule of the checks before sending that found it; null for what only this editor checks */
  rule: RuleName | null;
}

/** What this editor alone has found. */
export type OwnFinding = Omit<Finding, 'rule'>;

/** A finding of the checks before sending, which the API makes as well. */
export const ofRule = ({ rule, level, field, offset, message }: RuleFinding): Finding => ({
  severity: level,
  text: message,
  field: checkedFields.find((name) => name === field) ?? null,
  offset,
  rule,
});

const place = ({ field }: Finding): number =>
  field === null ? checkedFields.length : checkedFields.indexOf(field);

/** Errors first; among equals, in the order of the form and of the text. */
export const inOrder = (findings: readonly Finding[]): Finding[] =>
  findings.toSorted(
    (one, other) =>
      severities.indexOf(one.severity) - severities.indexOf(other.severity) ||
      place(one) - place(other) ||
      (one.offset ?? -1) - (other.offset ?? -1),
  );

/** What should be seen before sending; hints need no decision. */
export const problemsOf = (findings: readonly Finding[]): Finding[] =>
  findings.filter(({ severity }) => severity !== 'hint');

/**
 * The findings of this editor with those of the API in the place of what it found by the same rules.
 *
 * @param ruled null while they are not known
 */
export const withRuled = (findings: readonly Finding[], ruled: readonly Finding[] | null): Finding[] =>
  inOrder(ruled === null ? findings : [...findings.filter(({ rule }) => rule === null), ...ruled]);

/** Pages of the project where something is mended that no field of the form decides. */
const pages: { readonly [Rule in RuleName]?: { page: string; label: string } } = {
  postal_address_missing: { page: 'settings#brand', label: 'Enter it under Brand' },
  sender: { page: 'domains', label: 'Open the domains' },
  cap: { page: 'billing', label: 'Open billing' },
};

export const pageOf = ({ rule }: Finding) => (rule === null ? undefined : pages[rule]);

/** The line and column of an offset, from 1. */
export function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
