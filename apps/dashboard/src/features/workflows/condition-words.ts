/** The operators of a CONDITION, worded to follow the name of a field. */
export const conditionOperatorNames = {
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
} as const;

export type ConditionOperator = keyof typeof conditionOperatorNames;

export const needsValue = (operator: string): boolean => operator !== 'exists' && operator !== 'notExists';
