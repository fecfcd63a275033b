import { type ConditionConfig, type ConditionOperator, isMultiCondition } from '../../steps.schema.ts';
import { type FieldKind, kindOf, matchesContactField, readField } from '../condition.rules.ts';
import { matchesValue } from '../condition.store.ts';
import type { Step, StepWork } from '../step-result.ts';

interface Comparison {
  operator: ConditionOperator;
  value?: unknown;
}

export const conditionStep: Step = {
  prepare(context) {
    const config = context.standing.step.config as ConditionConfig;
    const { field } = config;
    const kind = kindOf(field);
    return async (db, execution) => {
      const contact = context.standing.contact;
      const actual = readField(field, { contact, context: execution.context });
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
      const result = await holds(config);
      const branch = result ? 'yes' : 'no';
      return {
        kind: 'completed',
        output: {
          field,
          operator: config.operator,
          expectedValue: config.value ?? null,
          actualValue,
          result,
          branch,
        },
        outcome: { branch },
      };
    };
  },
};

async function matches(
  db: Parameters<StepWork>[0],
  kind: FieldKind,
  actual: unknown,
  { operator, value }: Comparison,
): Promise<boolean> {
  if (kind !== 'value') return matchesContactField(kind, actual, operator, value);
  return matchesValue(db, actual, operator, value);
}
