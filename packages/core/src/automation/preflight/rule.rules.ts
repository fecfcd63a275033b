import type { AppError } from '../../base/kernel/errors.ts';
import type { ContentRuleName } from './content/reading.rules.ts';
import type { FactName, Facts } from './facts.rules.ts';
import type { FindingLevel, Found } from './found.rules.ts';

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

/** Defines a rule that reads the texts of an email. What it finds is found for all such rules together, in `content`. */
export const defineContentRule = <const Name extends ContentRuleName>({
  name,
  level,
}: Pick<Rule<Name>, 'name' | 'level'>): Rule<Name> => ({
  name,
  level,
  blocks: false,
  needs: ['reading'],
  check: ({ reading: { problems } }) => problems.filter(({ rule }) => rule === name),
});

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
