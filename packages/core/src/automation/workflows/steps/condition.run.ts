import type { SqlDb } from '../../../base/db/index.ts';
import { type FieldKind, kindOf, matchesContactField, readField } from '../runtime/condition.rules.ts';
import { matchesValue } from '../runtime/condition.store.ts';
import type { StepRun } from '../runtime/step-result.ts';
import { type ConditionOperator, isMultiCondition } from './condition.step.ts';
import type { StepConfigs } from './steps.schema.ts';

interface Comparison {
  operator: ConditionOperator;
  value?: unknown;
}

export const conditionRun: StepRun<StepConfigs['CONDITION']> = {
  async run({ config, state: { contact, context } }, { db }) {
    const { field } = config;
    const kind = kindOf(field);
    const actual = readField(field, { contact, context });
    const actualValue = actual ?? null;
    const holds = (comparison: Comparison) => matches(db, kind, actual, comparison);
    if (isMultiCondition(config)) {
      let branch = 'default';
      for (const each of config.branches) {
        if (!(await holds(each))) continue;
        branch = each.id;
        break;
      }
      return { kind: 'completed', output: { field, actualValue, branch }, outcome: { branch } };
    }
    const { operator, value: expectedValue = null } = config;
    const result = await holds(config);
    const branch = result ? 'yes' : 'no';
    return {
      kind: 'completed',
      output: { field, operator, expectedValue, actualValue, result, branch },
      outcome: { branch },
    };
  },
};

async function matches(
  db: SqlDb,
  kind: FieldKind,
  actual: unknown,
  { operator, value }: Comparison,
): Promise<boolean> {
  if (kind !== 'value') return matchesContactField(kind, actual, operator, value);
  return matchesValue(db, actual, operator, value);
}
