import { readContent, type WrittenContent } from './content/reading.rules.ts';
import type { FactName, FactReader, Facts } from './facts.rules.ts';
import type { FindingLevel, Found } from './found.rules.ts';
import type { Rule } from './rule.rules.ts';
import { approvalRule } from './rules/approval.rules.ts';
import { audienceJumpRule } from './rules/audience-jump.rules.ts';
import { basisUnknownRule } from './rules/basis-unknown.rules.ts';
import { capRule } from './rules/cap.rules.ts';
import { coldAudienceRule } from './rules/cold-audience.rules.ts';
import {
  emptyRule,
  imageEmbeddedRule,
  imageSourceRule,
  imageTextRule,
  imageWidthRule,
  linkTargetRule,
  linkTextHostRule,
  linkTextRule,
  littleTextRule,
  mistakenVariableRule,
  placeholderRule,
  preheaderMissingRule,
  shortenedLinkRule,
  subjectMissingRule,
  subjectStyleRule,
  tooLargeRule,
  uncheckedRule,
  unknownVariableRule,
  variableFallbackRule,
} from './rules/content.rules.ts';
import { dmarcRule } from './rules/dmarc.rules.ts';
import { missingValuesRule } from './rules/missing-values.rules.ts';
import { postalAddressMissingRule } from './rules/postal-address-missing.rules.ts';
import { recipientsRule } from './rules/recipients.rules.ts';
import { referenceRule } from './rules/reference.rules.ts';
import { repeatedSubjectRule } from './rules/repeated-subject.rules.ts';
import { restoredRule } from './rules/restored.rules.ts';
import { senderRule } from './rules/sender.rules.ts';
import { smallSampleRule } from './rules/small-sample.rules.ts';
import { topicMissingRule } from './rules/topic-missing.rules.ts';
import { trackingOffRule } from './rules/tracking-off.rules.ts';
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
  subjectMissingRule,
  emptyRule,
  linkTargetRule,
  imageSourceRule,
  unknownVariableRule,
  uncheckedRule,
  transactionalAudienceRule,
  basisUnknownRule,
  topicMissingRule,
  smallSampleRule,
  placeholderRule,
  shortenedLinkRule,
  linkTextHostRule,
  linkTextRule,
  imageTextRule,
  imageEmbeddedRule,
  mistakenVariableRule,
  missingValuesRule,
  subjectStyleRule,
  littleTextRule,
  tooLargeRule,
  dmarcRule,
  repeatedSubjectRule,
  restoredRule,
  audienceJumpRule,
  coldAudienceRule,
  trackingOffRule,
  variableFallbackRule,
  imageWidthRule,
  preheaderMissingRule,
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
  { name, level: usual, blocks }: AnyRule,
  { field, offset = null, level = usual, message, details = {} }: Found,
): Finding => ({ rule: name, level, blocks, field, offset, message, details });

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

const contentFacts = ['content', 'reading', 'address'] as const satisfies readonly FactName[];

/** What is known while an email is written. */
export type ContentFacts = Pick<Facts, (typeof contentFacts)[number]>;

const contentRules = rules.filter(({ needs }) =>
  needs.every((name) => (contentFacts as readonly FactName[]).includes(name)),
);

const contentRuleNames: ReadonlySet<RuleName> = new Set(contentRules.map(({ name }) => name));

/** Whether a rule needs the email and its project alone, so that an editor makes it by itself. */
export const isContentRule = (name: RuleName): boolean => contentRuleNames.has(name);

/** The findings of the rules that need the email and its project alone. */
export const judgeContent = (facts: ContentFacts): Finding[] =>
  contentRules.flatMap((rule) => rule.check(facts as Facts).map((found) => presentFinding(rule, found)));

/** The same for an editor, while an email is typed in. The API reads texts on a thread. */
export const checkContent = ({
  content,
  address,
}: {
  content: Facts['content'] & WrittenContent;
  address: string | null;
}): Finding[] => judgeContent({ content, address, reading: readContent(content) });

/** Whether nothing is wrong but what a warning says. */
export const isInOrder = (findings: readonly Finding[]): boolean =>
  findings.every(({ level }) => level !== 'error');
