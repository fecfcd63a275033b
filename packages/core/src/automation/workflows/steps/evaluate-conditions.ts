import type { SqlDb } from '../../../base/db/index.ts';
import { kindOf, matchesComparison, readField } from '../runtime/condition.rules.ts';
import type { Member } from '../runtime/member.ts';
import { type ConditionComparison, isMultiCondition } from './condition.step.ts';
import type { StepConfigs } from './steps.schema.ts';

/** What a condition says of an execution. */
export interface Evaluated {
  branch: string;
  /** what the step records besides the branch */
  output: Record<string, unknown>;
}

/**
 * Evaluates a CONDITION for executions, whose contacts are as the set has them.
 *
 * @param _db for conditions that the database decides
 * @returns one result for each, in their order
 */
export async function evaluateConditions(
  _db: SqlDb,
  members: readonly Pick<Member, 'contact' | 'context'>[],
  config: StepConfigs['CONDITION'],
  { now, timeZone }: { now: Date; timeZone: string },
): Promise<Evaluated[]> {
  const { field } = config;
  const kind = kindOf(field);
  const clock = { now, timeZone };
  return members.map((member) => {
    const actual = readField(field, member);
    const actualValue = actual ?? null;
    const holds = (comparison: ConditionComparison) => matchesComparison(kind, actual, comparison, clock);
    if (isMultiCondition(config)) {
      const branch = config.branches.find(holds)?.id ?? 'default';
      return { branch, output: { field, actualValue } };
    }
    const { operator, value: expectedValue = null } = config;
    const result = holds(config);
    return {
      branch: result ? 'yes' : 'no',
      output: { field, operator, expectedValue, actualValue, result },
    };
  });
}
