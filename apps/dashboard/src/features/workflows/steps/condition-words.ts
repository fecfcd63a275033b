import type { ConditionOperator } from '@postrider/core/automation/workflows/contract';

/** The operators of a CONDITION, worded to follow the name of a field. */
export const conditionOperatorNames: Readonly<Record<ConditionOperator, string>> = {
  equals: 'is',
  notEquals: 'is not',
  contains: 'contains',
  notContains: 'does not contain',
  greaterThan: 'is greater than',
  lessThan: 'is less than',
  greaterThanOrEqual: 'is at least',
  lessThanOrEqual: 'is at most',
  exists: 'exists',
  notExists: 'does not exist',
  hasAnyOf: 'has any of',
  hasAllOf: 'has all of',
  hasNoneOf: 'has none of',
};
