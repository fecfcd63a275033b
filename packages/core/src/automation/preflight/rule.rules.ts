import type { AppError } from '../../base/kernel/errors.ts';
import type { FactName, Facts } from './facts.rules.ts';

/** How much a finding matters: an error should not be sent, a warning looked at; a hint makes it better. */
export const findingLevels = ['error', 'warning', 'hint'] as const;
export type FindingLevel = (typeof findingLevels)[number];

/** What a rule has found. */
export interface Found {
  /** the field of the campaign; null for what no field of it decides */
  field: string | null;
  /** where in the text of the field, in UTF-16 units from 0; null for all of it */
  offset?: number;
  /** the problem, and what solves it */
  message: string;
  details?: Record<string, unknown>;
  /** what sending is refused with; of a rule that blocks */
  refusal?: AppError;
}

/** A rule of the checks before sending (behaviour B13.2): one file, and one entry in `preflightRules`. */
export interface Rule<Name extends string = string> {
  readonly name: Name;
  readonly level: FindingLevel;
  /** refuses a send whatever the project and the caller decide */
  readonly blocks: boolean;
  readonly needs: readonly FactName[];
  /** Pure: the facts that it needs → what is wrong. */
  check(facts: Facts): readonly Found[];
}

interface RuleDefinition<Name extends string, Needs extends FactName> {
  name: Name;
  level: FindingLevel;
  needs: readonly Needs[];
  check(facts: Pick<Facts, Needs>): readonly Found[];
}

/** Defines a rule whose findings a person may accept. */
export const defineRule = <const Name extends string, const Needs extends FactName>(
  rule: RuleDefinition<Name, Needs>,
): Rule<Name> => ({ ...rule, blocks: false });

interface BlockDefinition<Name extends string, Needs extends FactName> {
  name: Name;
  field: string | null;
  needs: readonly Needs[];
  refusal(facts: Pick<Facts, Needs>): AppError | null;
}

/** Defines a rule that refuses a send, with an error of its own. */
export const defineBlock = <const Name extends string, const Needs extends FactName>({
  name,
  field,
  needs,
  refusal: refusalOf,
}: BlockDefinition<Name, Needs>): Rule<Name> => ({
  name,
  level: 'error',
  blocks: true,
  needs,
  check(facts) {
    const refusal = refusalOf(facts);
    if (refusal === null) return [];
    const { code, message, details } = refusal;
    return [{ field, message, details: { code, ...details }, refusal }];
  },
});
