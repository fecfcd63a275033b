import type { Operator, StepActivity, Unit } from '@postrider/core/audience/segments/contract';
import {
  type emailProperties,
  type FieldKind,
  type FilterDraft,
  isValueKind,
  type ValueType,
  type windowKinds,
} from './filter-tree.rules.ts';

export const kindNames: Readonly<Record<FieldKind, string>> = {
  email: 'Email address',
  subscribed: 'Subscribed',
  createdAt: 'Created',
  updatedAt: 'Updated',
  data: 'Contact field',
  topic: 'Topic',
  event: 'Event',
  activity: 'Email activity',
  segment: 'Segment',
  context: 'Context',
  step: 'Step',
  property: 'Property',
};

export const operatorNames: Readonly<Record<Operator, string>> = {
  equals: 'is',
  notEquals: 'is not',
  isAnyOf: 'is any of',
  isNoneOf: 'is none of',
  contains: 'contains',
  notContains: 'does not contain',
  startsWith: 'starts with',
  endsWith: 'ends with',
  greaterThan: 'is greater than',
  greaterThanOrEqual: 'is at least',
  lessThan: 'is less than',
  lessThanOrEqual: 'is at most',
  within: 'is within the last',
  olderThan: 'is more than … ago',
  withinNext: 'is within the next',
  laterThan: 'is more than … from now',
  onDay: 'is … from today',
  anniversaryWithinNext: 'has its anniversary within the next',
  hasAnyOf: 'has any of',
  hasAllOf: 'has all of',
  hasNoneOf: 'has none of',
  exists: 'exists',
  notExists: 'does not exist',
  isEmpty: 'is empty',
  isNotEmpty: 'is not empty',
  triggered: 'occurred',
  notTriggered: 'never occurred',
  triggeredWithin: 'occurred within the last',
  notTriggeredWithin: 'did not occur within the last',
  triggeredOlderThan: 'last occurred more than … ago',
  occurred: 'occurred, counted',
  notOccurred: 'did not occur',
  total: 'has a total of',
  average: 'has an average of',
  smallest: 'has a smallest value of',
  largest: 'has a largest value of',
  distinct: 'has different values of',
  first: 'occurred first',
  last: 'occurred last',
  memberOfSegment: 'includes the contact',
  notMemberOfSegment: 'does not include the contact',
};

const dateOperators: Partial<Record<Operator, string>> = {
  equals: 'is on',
  notEquals: 'is not on',
  greaterThan: 'is after',
  greaterThanOrEqual: 'is on or after',
  lessThan: 'is before',
  lessThanOrEqual: 'is on or before',
};

/** Whether the email of a step was opened is one answer, not a count. */
const stepOperators: Partial<Record<Operator, string>> = { occurred: 'is true', notOccurred: 'is not true' };

/** An operator as it follows the field of this filter: numbers are greater, dates are later. */
export const operatorName = (
  { kind, type }: Pick<FilterDraft, 'kind' | 'type'>,
  operator: Operator,
): string =>
  (kind === 'step' ? stepOperators[operator] : undefined) ??
  (kind === 'createdAt' || kind === 'updatedAt' || (isValueKind(kind) && type === 'date')
    ? dateOperators[operator]
    : undefined) ??
  operatorNames[operator] ??
  operator;

/** Puts a value in place of the ellipsis of an operator, or after the operator. */
export const withValue = (operator: string, value: string): string =>
  operator.includes('…') ? operator.replace('…', value) : `${operator} ${value}`.trimEnd();

export const activityNames: Readonly<Record<string, string>> = {
  sent: 'Sent',
  delivered: 'Delivered',
  opened: 'Opened',
  clicked: 'Clicked',
  bounced: 'Bounced',
  complained: 'Marked as spam',
  unsubscribed: 'Unsubscribed by its link',
  cancelled: 'Cancelled before sending',
};

/** What became of the email of a step. */
export const stepActivityNames: Readonly<Record<StepActivity, string>> = {
  sent: 'was sent',
  delivered: 'was delivered',
  opened: 'was opened',
  clicked: 'was clicked',
  bounced: 'bounced',
  skipped: 'was skipped',
};

export const propertyNames: Readonly<Record<(typeof emailProperties)[number], string>> = {
  campaignId: 'Campaign',
  workflowId: 'Workflow',
  templateId: 'Template',
  topic: 'Topic',
  type: 'Type of email',
  link: 'Clicked link',
};

export const windowNames: Readonly<Record<(typeof windowKinds)[number], string>> = {
  always: 'at any time',
  last: 'within the last',
  olderThan: 'more than … ago',
  between: 'between … and … ago',
  dates: 'between two dates',
};

export const typeNames: Readonly<Record<ValueType, string>> = {
  text: 'Text',
  number: 'Number',
  boolean: 'Yes or no',
  date: 'Date',
  list: 'List',
  nothing: 'No value',
};

export const unitNames: Readonly<Record<Unit, string>> = {
  days: 'days',
  hours: 'hours',
  minutes: 'minutes',
};
