import { type ConditionOperator, conditionOperators } from '@postrider/core/automation/workflows/contract';
import { type Unit, units, valueFormOf } from '@postrider/core/base/lib/contract';
import type { FormValues } from '../../../ui/form.tsx';
import { listItems } from '../../common/filters/list-items.rules.ts';
import { operatorNames, unitNames, withValue } from '../../common/filters/words.ts';
import { oneOf, typedValue } from './step-input.rules.ts';

/** The comparison of a CONDITION, or of one of its branches. */
export interface Comparison {
  operator: ConditionOperator;
  value?: unknown;
  unit?: Unit | undefined;
}

/** A comparison, worded to follow the name of a field. */
export function comparisonInWords({ operator, value, unit = 'days' }: Comparison): string {
  const name = operatorNames[operator];
  switch (valueFormOf[operator]) {
    case 'none':
      return name;
    case 'age':
      return withValue(name, `${String(value)} ${unitNames[unit]}`);
    case 'days':
      return withValue(name, `${String(value)} ${unitNames.days}`);
    default:
      return withValue(name, value === null || value === undefined ? 'not set' : JSON.stringify(value));
  }
}

/** The comparison in the fields below `path` of a form. @throws UnreadableField */
export function readComparison(values: FormValues, path: string): Comparison {
  const operator = oneOf(conditionOperators, values[`${path}.operator`]);
  const at = `${path}.value`;
  const text = values[at] ?? '';
  const type = values[`${path}.type`];
  switch (valueFormOf[operator]) {
    case 'none':
      return { operator };
    case 'age':
      return { operator, value: typedValue('number', text, at), unit: oneOf(units, values[`${path}.unit`]) };
    case 'days':
      return { operator, value: typedValue('number', text, at) };
    case 'list':
      return { operator, value: linesOf(text).map((line) => typedValue(type, line, at)) };
    case 'items':
      return { operator, value: listItems(text) };
    case 'text':
      return { operator, value: text };
    case 'any':
      return { operator, value: typedValue(type, text, at) };
  }
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
