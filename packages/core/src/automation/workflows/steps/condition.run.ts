import { kindOf, matchesComparison, readField } from '../runtime/condition.rules.ts';
import type { StepRun } from '../runtime/step-result.ts';
import { type ConditionComparison, isMultiCondition } from './condition.step.ts';
import type { StepConfigs } from './steps.schema.ts';

export const conditionRun: StepRun<StepConfigs['CONDITION']> = {
  async run({ config, now, state: { contact, context, timeZone } }) {
    const { field } = config;
    const kind = kindOf(field);
    const actual = readField(field, { contact, context });
    const actualValue = actual ?? null;
    const clock = { now: new Date(now), timeZone };
    const holds = (comparison: ConditionComparison) => matchesComparison(kind, actual, comparison, clock);
    if (isMultiCondition(config)) {
      const branch = config.branches.find(holds)?.id ?? 'default';
      return { kind: 'completed', output: { field, actualValue, branch }, outcome: { branch } };
    }
    const { operator, value: expectedValue = null } = config;
    const result = holds(config);
    const branch = result ? 'yes' : 'no';
    return {
      kind: 'completed',
      output: { field, operator, expectedValue, actualValue, result, branch },
      outcome: { branch },
    };
  },
};
