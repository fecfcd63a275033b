import {
  isContentRule,
  type Finding as RuleFinding,
  type RuleName,
} from '@postrider/core/automation/preflight/contract';

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
  'text',
  'pace',
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
  /** the rule of the checks before sending that found it */
  rule: RuleName;
  /** it is about a variant of a test, which the editor of the campaign does not read */
  isOfVariant?: true;
}

/** A finding of the checks before sending, made here or by the API. */
export const ofRule = ({ rule, level, field, offset, message, details }: RuleFinding): Finding => ({
  severity: level,
  text: message,
  field: checkedFields.find((name) => name === field) ?? null,
  offset,
  rule,
  ...(details['variant'] !== undefined && { isOfVariant: true as const }),
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
 * The findings of an email as it is written here, with those that the API alone can make.
 *
 * @param ruled null while they are not known
 */
export const withRuled = (findings: readonly Finding[], ruled: readonly Finding[] | null): Finding[] =>
  inOrder([
    ...findings,
    ...(ruled ?? []).filter(({ rule, isOfVariant }) => isOfVariant || !isContentRule(rule)),
  ]);

/** Pages of the project where something is mended that no field of the form decides. */
const pages: { readonly [Rule in RuleName]?: { page: string; label: string } } = {
  postal_address_missing: { page: 'settings#brand', label: 'Enter it under Brand' },
  sender: { page: 'domains', label: 'Open the domains' },
  cap: { page: 'billing', label: 'Open billing' },
  dmarc: { page: 'domains', label: 'Open the domains' },
  tracking_off: { page: 'settings', label: 'Open the settings' },
};

export const pageOf = ({ rule }: Finding) => pages[rule];

/** The line and column of an offset, from 1. */
export function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
