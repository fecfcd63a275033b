import type { FieldKind, Operator, Unit, ValueType } from './filter-tree.rules.ts';

export const kindNames: Readonly<Record<FieldKind, string>> = {
  email: 'Email address',
  subscribed: 'Subscribed',
  createdAt: 'Created',
  updatedAt: 'Changed',
  data: 'Data',
  event: 'Event',
  activity: 'Emails',
  segment: 'Segment',
};

const operatorNames: Readonly<Record<Operator, string>> = {
  equals: 'is',
  notEquals: 'is not',
  contains: 'contains',
  notContains: 'does not contain',
  greaterThan: 'is greater than',
  greaterThanOrEqual: 'is at least',
  lessThan: 'is less than',
  lessThanOrEqual: 'is at most',
  within: 'is within the last',
  olderThan: 'is longer ago than',
  exists: 'is there',
  notExists: 'is not there',
  triggered: 'happened',
  notTriggered: 'never happened',
  triggeredWithin: 'happened within the last',
  notTriggeredWithin: 'did not happen within the last',
  triggeredOlderThan: 'happened, but not within the last',
  memberOfSegment: 'has the contact',
  notMemberOfSegment: 'does not have the contact',
};

const dateOperators: Partial<Record<Operator, string>> = {
  equals: 'is on',
  notEquals: 'is not on',
  greaterThan: 'is after',
  greaterThanOrEqual: 'is on or after',
  lessThan: 'is before',
  lessThanOrEqual: 'is at the latest',
};

export const operatorName = (kind: FieldKind, operator: Operator): string =>
  (kind === 'createdAt' || kind === 'updatedAt' ? dateOperators[operator] : undefined) ??
  operatorNames[operator] ??
  operator;

export const activityNames: Readonly<Record<string, string>> = {
  sent: 'sent to them',
  delivered: 'delivered',
  opened: 'opened',
  clicked: 'clicked',
  bounced: 'bounced',
  complained: 'reported as unwanted',
};

export const typeNames: Readonly<Record<ValueType, string>> = {
  text: 'text',
  number: 'number',
  boolean: 'yes or no',
  date: 'day',
  nothing: 'nothing',
};

export const unitNames: Readonly<Record<Unit, string>> = {
  days: 'days',
  hours: 'hours',
  minutes: 'minutes',
};
