/** The grammar of filter trees and the references a tree reads (behaviour B2.5). Pure: the dashboard's filter builder uses it too. */

import {
  calendarDays,
  comparisons,
  dateWindows,
  emptiness,
  equality,
  membership,
  substring,
  type Unit,
  type ValueForm,
  type ValueOperator,
  valueFormOf,
  valueOperators,
} from '../../base/lib/value-operators.rules.ts';
import { topicKeyForm } from '../topics/topics.rules.ts';

export { type Unit, units } from '../../base/lib/value-operators.rules.ts';

export const logics = ['AND', 'OR'] as const;

const occurrence = [
  'triggered',
  'triggeredWithin',
  'triggeredOlderThan',
  'notTriggered',
  'notTriggeredWithin',
] as const;

/** How often something occurred. */
export const countOperators = ['occurred', 'notOccurred'] as const;
/** Figures over the occurrences of an event. */
export const figureOperators = ['total', 'average', 'smallest', 'largest', 'distinct'] as const;
export type FigureOperator = (typeof figureOperators)[number];
/** The earliest and the latest occurrence. */
export const edgeOperators = ['first', 'last'] as const;
/** What a figure can be compared by. */
export const figureComparisons = [...equality, ...comparisons] as const;

/** The operators of each kind of field. */
export const operatorsOf = {
  email: [...equality, ...membership, ...substring, ...emptiness],
  subscribed: equality,
  topic: equality,
  date: [...equality, ...comparisons, ...dateWindows, ...calendarDays],
  data: valueOperators,
  event: [...occurrence, ...countOperators, ...figureOperators, ...edgeOperators],
  activity: [...occurrence, ...countOperators, ...edgeOperators],
  segment: ['memberOfSegment', 'notMemberOfSegment'],
  // Of executions of workflows.
  context: valueOperators,
  step: [...valueOperators, ...countOperators],
} as const satisfies Record<string, readonly string[]>;

export type FieldKind = keyof typeof operatorsOf;
export type Operator = (typeof operatorsOf)[FieldKind][number];
export const operators: ReadonlySet<string> = new Set(Object.values(operatorsOf).flat());

/** The form of the value of each operator; occurrences within a period have a number of units. */
export const formOf: Readonly<Record<Operator, ValueForm>> = {
  ...valueFormOf,
  triggered: 'none',
  notTriggered: 'none',
  triggeredWithin: 'age',
  notTriggeredWithin: 'age',
  triggeredOlderThan: 'age',
  occurred: 'none',
  notOccurred: 'none',
  // Of `first` and `last`, what they compare with is that of their `compare`.
  total: 'any',
  average: 'any',
  smallest: 'any',
  largest: 'any',
  distinct: 'any',
  first: 'any',
  last: 'any',
  memberOfSegment: 'none',
  notMemberOfSegment: 'none',
};

export const needsValue = (operator: Operator): boolean => formOf[operator] !== 'none';
/** These operators also need a number as their value. */
export const needsUnit = (operator: Operator): boolean => formOf[operator] === 'age';

/** Both spellings of an email's activity, mapped to the stored name. */
export const activities = {
  sent: 'sent',
  delivery: 'delivery',
  delivered: 'delivery',
  open: 'open',
  opened: 'open',
  click: 'click',
  clicked: 'click',
  bounce: 'bounce',
  bounced: 'bounce',
  complaint: 'complaint',
  complained: 'complaint',
  unsubscribed: 'unsubscribed',
  cancelled: 'cancelled',
} as const;
export type EmailActivity = (typeof activities)[keyof typeof activities];

/** Activities without a time, which refuse `window` and the operators that need one. */
export const timelessActivities: ReadonlySet<EmailActivity> = new Set(['unsubscribed', 'cancelled']);
const timelessOperators: ReadonlySet<Operator> = new Set([
  'triggered',
  'notTriggered',
  'occurred',
  'notOccurred',
]);

/** What became of the email of a SEND_EMAIL step: `step.<key>.opened`. */
export const stepActivities = ['sent', 'delivered', 'opened', 'clicked', 'bounced', 'skipped'] as const;
export type StepActivity = (typeof stepActivities)[number];
export const isStepActivity = (path: string): path is StepActivity =>
  (stepActivities as readonly string[]).includes(path);

/** Whether an operator asks whether something occurred, and not for a value. */
export const isCount = (operator: Operator): operator is (typeof countOperators)[number] =>
  (countOperators as readonly string[]).includes(operator);

/** The operators of a field. */
export function operatorsOfField(ref: FieldRef): readonly Operator[] {
  const all: readonly Operator[] = operatorsOf[ref.kind];
  if (ref.kind === 'step') return isStepActivity(ref.path) ? all : valueOperators;
  return ref.kind === 'activity' && timelessActivities.has(ref.activity)
    ? all.filter((each) => timelessOperators.has(each))
    : all;
}

/** What the `where` of an email activity can ask for. */
export const emailProperties = ['campaignId', 'workflowId', 'templateId', 'topic', 'type', 'link'] as const;
export type EmailProperty = (typeof emailProperties)[number];
export const linkOperators = [...equality, ...membership, 'contains', 'startsWith'] as const;
export const idOperators = [...equality, ...membership] as const;
/** The properties of an email that are ids of records, and their names in `reads`. */
export const referencesOfProperty = {
  campaignId: 'campaign',
  workflowId: 'workflow',
  templateId: 'template',
} as const satisfies Partial<Record<EmailProperty, string>>;
export type ReferringProperty = keyof typeof referencesOfProperty;
export const isReferring = (property: string): property is ReferringProperty =>
  Object.hasOwn(referencesOfProperty, property);

/** A condition on an occurrence: a property of the event's data, or of the email. */
export interface WhereCondition {
  property: string;
  operator: ValueOperator;
  value?: unknown;
  unit?: Unit;
}

/** When occurrences count: from now − `last` to now − `olderThan`, or from `from` to `to`. */
export interface OccurrenceWindow {
  last?: number;
  olderThan?: number;
  unit?: Unit;
  from?: string;
  to?: string;
}

export interface OccurrenceTimes {
  min?: number;
  max?: number;
}

export interface Filter {
  field: string;
  operator: Operator;
  value?: unknown;
  unit?: Unit;
  where?: WhereCondition[];
  window?: OccurrenceWindow;
  times?: OccurrenceTimes;
  property?: string;
  compare?: ValueOperator;
}

/** How often something must occur, both included; no `max` means any number. */
export function timesOf({ operator, times }: Filter): { min: number; max: number | null } {
  if (operator === 'notOccurred') return { min: 0, max: 0 };
  const max = times?.max ?? null;
  return { min: times?.min ?? (max === null ? 1 : 0), max };
}

/** Whether a contact matches a filter at present, and the value that decides it. */
export interface FilterFact {
  path: string;
  field: string;
  operator: Operator;
  /** what the filter compares with; absent for operators without a value */
  value?: unknown;
  unit?: Unit;
  matches: boolean;
  /** of the contact: a value, or the time of the last occurrence; null for none */
  actual: unknown;
}

export interface FilterGroup {
  filters: Filter[];
  conditions?: FilterTree | null;
}

export interface FilterTree {
  logic: (typeof logics)[number];
  groups: FilterGroup[];
}

export type FieldRef =
  | { kind: 'email' | 'subscribed' }
  /** whether the contact receives it */
  | { kind: 'topic'; key: string }
  | { kind: 'date'; column: 'createdAt' | 'updatedAt' }
  | { kind: 'data'; key: string }
  | { kind: 'event'; name: string }
  | { kind: 'activity'; activity: EmailActivity }
  | { kind: 'segment'; id: string }
  /** of an execution: its context, and the output of a step or what became of its email. Only trees of workflows have them. */
  | { kind: 'context'; path: string }
  | { kind: 'step'; key: string; path: string };

/** Whether a field is of an execution, which segments and audiences know nothing of. */
export const isOfExecution = (ref: FieldRef): boolean => ref.kind === 'context' || ref.kind === 'step';

const stepField = /^([a-z0-9-]{1,60})\.(.+)$/s;

/** Longer keys and names cannot be stored (behaviour B2.1, B2.9). Counted in UTF-16 units; a character has one or two. */
export const longestKey = 200;
const longestEventName = 510;

/** The reference that a filter's `field` names, or an error message when it names none. */
export function readField(field: string): FieldRef | 'unsupported_field' | 'invalid_enum_value' {
  if (field === 'email' || field === 'subscribed') return { kind: field };
  if (field === 'createdAt' || field === 'updatedAt') return { kind: 'date', column: field };
  const dot = field.indexOf('.');
  const rest = field.slice(dot + 1);
  if (dot < 0 || rest === '') return 'unsupported_field';
  switch (field.slice(0, dot)) {
    case 'data':
      return rest.length > longestKey ? 'unsupported_field' : { kind: 'data', key: rest };
    case 'event':
      return rest.length > longestEventName ? 'unsupported_field' : { kind: 'event', name: rest };
    case 'segment':
      return { kind: 'segment', id: rest.toLowerCase() };
    case 'topic':
      return topicKeyForm.test(rest) ? { kind: 'topic', key: rest } : 'unsupported_field';
    case 'email':
      return Object.hasOwn(activities, rest)
        ? { kind: 'activity', activity: activities[rest as keyof typeof activities] }
        : 'invalid_enum_value';
    case 'context':
      return rest.length > longestKey ? 'unsupported_field' : { kind: 'context', path: rest };
    case 'step': {
      const [, key = '', path = ''] = stepField.exec(rest) ?? [];
      return path === '' || path.length > longestKey ? 'unsupported_field' : { kind: 'step', key, path };
    }
    default:
      return 'unsupported_field';
  }
}

/** Every filter of a tree, nested ones included. */
export function filtersOf(tree: FilterTree): Filter[] {
  return tree.groups.flatMap(({ filters, conditions }) => [
    ...filters,
    ...(conditions ? filtersOf(conditions) : []),
  ]);
}

/** Every filter of a tree with its path below that of the tree, in the order of `filtersOf`. */
export const placedFilters = (tree: FilterTree, path: string): { filter: Filter; at: string }[] =>
  tree.groups.flatMap(({ filters, conditions }, group) => [
    ...filters.map((filter, index) => ({ filter, at: `${path}.groups.${group}.filters.${index}` })),
    ...(conditions ? placedFilters(conditions, `${path}.groups.${group}.conditions`) : []),
  ]);

/** The keys of the steps whose outputs or emails a tree reads. */
export const stepsReadBy = (tree: FilterTree): string[] => [
  ...new Set(
    filtersOf(tree).flatMap(({ field }) => {
      const ref = readField(field);
      return typeof ref !== 'string' && ref.kind === 'step' ? [ref.key] : [];
    }),
  ),
];

/** The references a tree reads, each once, as stored in the `reads` columns. */
export function readsOf(tree: FilterTree): string[] {
  const reads = filtersOf(tree).flatMap((filter) => [
    ...referencesOf(filter.field),
    ...recordsOf(filter).map(({ reference }) => reference),
    ...topicsOf(filter).map(({ key }) => `topic.${key}`),
  ]);
  return [...new Set(reads)].sort();
}

/** A campaign, workflow or template that a filter refers to, with its place in the filter. */
export interface RecordReference {
  /** as in the `reads` columns, such as `campaign.<id>` */
  reference: string;
  property: ReferringProperty;
  id: string;
  path: (string | number)[];
}

export function recordsOf({ field, where = [] }: Filter): RecordReference[] {
  const ref = readField(field);
  if (typeof ref === 'string' || ref.kind !== 'activity') return [];
  return where.flatMap(({ property, value }, index) => {
    if (!isReferring(property)) return [];
    const at = ['where', index, 'value'];
    const ids = Array.isArray(value)
      ? value.map((id: unknown, place) => ({ id, path: [...at, place] }))
      : [{ id: value, path: at }];
    return ids.map(({ id, path }) => {
      const lower = String(id).toLowerCase();
      return { reference: `${referencesOfProperty[property]}.${lower}`, property, id: lower, path };
    });
  });
}

/** A topic that a filter names, with its place in the filter. */
export interface TopicReference {
  key: string;
  path: (string | number)[];
}

export function topicsOf({ field, where = [] }: Filter): TopicReference[] {
  const ref = readField(field);
  if (typeof ref === 'string') return [];
  if (ref.kind === 'topic') return [{ key: ref.key, path: ['field'] }];
  if (ref.kind !== 'activity') return [];
  return where.flatMap(({ property, value }, index) => {
    if (property !== 'topic') return [];
    const at = ['where', index, 'value'];
    return Array.isArray(value)
      ? value.map((key: unknown, place) => ({ key: String(key), path: [...at, place] }))
      : [{ key: String(value), path: at }];
  });
}

/** None where a field is of an execution, which nothing else knows. */
function referencesOf(field: string): string[] {
  const ref = readField(field);
  if (typeof ref === 'string') return [field];
  if (isOfExecution(ref)) return [];
  if (ref.kind === 'activity') return [`email.${ref.activity}`];
  return [ref.kind === 'segment' ? `segment.${ref.id}` : field];
}

/** Ids of the segments among references. */
export const segmentsAmong = (reads: readonly string[]): string[] =>
  reads.filter((each) => each.startsWith('segment.')).map((each) => each.slice('segment.'.length));

/** Names of the events that can change the result of a condition with these references. */
export const eventsAmong = (reads: readonly string[]): string[] =>
  reads.flatMap((each) => {
    if (each.startsWith('event.')) return [each.slice('event.'.length)];
    return each.startsWith('email.') ? [each] : [];
  });
