import { formOf, type Operator } from '@postrider/core/audience/segments/contract';
import type { Unit } from '@postrider/core/base/lib/contract';
import { operatorNames, unitNames, withValue } from '../../common/filters/words.ts';

/** The comparison of a CONDITION, of one of its branches, or of a filter. */
export interface Comparison {
  operator: Operator;
  value?: unknown;
  unit?: Unit | undefined;
}

/** A comparison, worded to follow the name of a field. */
export function comparisonInWords({ operator, value, unit = 'days' }: Comparison): string {
  const name = operatorNames[operator];
  switch (formOf[operator]) {
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
