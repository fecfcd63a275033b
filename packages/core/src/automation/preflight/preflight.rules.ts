import type { FactName, FactReader, Facts } from './facts.rules.ts';
import type { FindingLevel, Found, Rule } from './rule.rules.ts';
import { approvalRule } from './rules/approval.rules.ts';
import { basisUnknownRule } from './rules/basis-unknown.rules.ts';
import { capRule } from './rules/cap.rules.ts';
import { postalAddressMissingRule } from './rules/postal-address-missing.rules.ts';
import { recipientsRule } from './rules/recipients.rules.ts';
import { referenceRule } from './rules/reference.rules.ts';
import { senderRule } from './rules/sender.rules.ts';
import { smallSampleRule } from './rules/small-sample.rules.ts';
import { topicMissingRule } from './rules/topic-missing.rules.ts';
import { transactionalAudienceRule } from './rules/transactional-audience.rules.ts';
import { unsubscribeMissingRule } from './rules/unsubscribe-missing.rules.ts';
import { variantEqualRule } from './rules/variant-equal.rules.ts';

/**
 * The checks before sending, in the order in which they are made and shown; there are no others beside them. What blocks comes first, in the
 * order of behaviour B3.1.
 */
export const preflightRules = [
  referenceRule,
  senderRule,
  capRule,
  recipientsRule,
  approvalRule,
  unsubscribeMissingRule,
  postalAddressMissingRule,
  variantEqualRule,
  transactionalAudienceRule,
  basisUnknownRule,
  topicMissingRule,
  smallSampleRule,
] as const;

export type RuleName = (typeof preflightRules)[number]['name'];

export interface Finding {
  rule: RuleName;
  level: FindingLevel;
  blocks: boolean;
  field: string | null;
  offset: number | null;
  message: string;
  details: Record<string, unknown>;
}

type AnyRule = Rule<RuleName>;

const rules: readonly AnyRule[] = preflightRules;

/** What `send` is refused by, whatever was accepted. */
export const blockingRules: readonly AnyRule[] = rules.filter(({ blocks }) => blocks);

/** Errors that a person may accept. */
export const errorRules: readonly AnyRule[] = rules.filter(
  ({ level, blocks }) => level === 'error' && !blocks,
);

const presentFinding = (
  { name, level, blocks }: AnyRule,
  { field, offset, message, details = {} }: Found,
): Finding => ({ rule: name, level, blocks, field, offset: offset ?? null, message, details });

/** What a rule finds with the facts that it asks for. */
export async function foundBy(rule: AnyRule, read: FactReader): Promise<readonly Found[]> {
  const facts: Partial<Record<FactName, unknown>> = {};
  for (const name of rule.needs) facts[name] = await read(name);
  return rule.check(facts as unknown as Facts);
}

/** The findings of rules, one rule after the other. */
export async function findingsOf(read: FactReader, asked: readonly AnyRule[] = rules): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const rule of asked)
    findings.push(...(await foundBy(rule, read)).map((found) => presentFinding(rule, found)));
  return findings;
}

const contentFacts = ['content', 'address'] as const satisfies readonly FactName[];

/** What is known while an email is written. */
export type ContentFacts = Pick<Facts, (typeof contentFacts)[number]>;

const contentRules = rules.filter(({ needs }) =>
  needs.every((name) => (contentFacts as readonly FactName[]).includes(name)),
);

/** The findings of the rules that need the email and its project alone, for templates and for the editor while it is typed in. */
export const checkContent = (facts: ContentFacts): Finding[] =>
  contentRules.flatMap((rule) => rule.check(facts as Facts).map((found) => presentFinding(rule, found)));

/** Whether nothing is wrong but what a warning says. */
export const isInOrder = (findings: readonly Finding[]): boolean =>
  findings.every(({ level }) => level !== 'error');
