import { z } from 'zod';
import { typeNames } from '../../base/kernel/schemas.ts';
import {
  dayLimits,
  maxListValue,
  maxListValues,
  maxValueLength,
  type ValueForm,
  type ValueOperator,
  valueFormOf,
  valueOperators,
} from '../../base/lib/value-operators.rules.ts';
import {
  activities,
  countOperators,
  emailProperties,
  figureComparisons,
  figureOperators,
  idOperators,
  linkOperators,
  logics,
  longestKey,
  operatorsOf,
  stepActivities,
  timelessActivities,
  units,
} from './filters.rules.ts';
import { maxConditions, maxTimes } from './occurrences.schema.ts';

/**
 * Filter trees as the API reference shows them (behaviour B2.5): one form for each kind of field and of operator. Requests are read
 * by `readFilterTree`, which names every problem at its own path.
 */

const range = {
  value: z
    .number()
    .min(0)
    .meta({ description: 'Number of units, at least 0.', examples: [30] }),
  unit: z.enum(units).describe('Unit of `value`.'),
};

const anyValue = (example: unknown) =>
  z.unknown().meta({ description: 'The value to compare with.', examples: [example] });

const fieldNamed = (description: string, pattern: string, example: string) =>
  z.string().meta({ description, pattern, examples: [example] });

const operatorsAmong = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words).describe('The comparison.');

const form = <Shape extends z.core.$ZodShape>(name: string, shape: Shape) =>
  z.object(shape).describe('One filter of a group.').register(typeNames, { name });

const addressField = z.literal('email').describe('The address of the contact.');
const dateField = z.enum(['createdAt', 'updatedAt']).describe('A date of the contact.');
const dataField = fieldNamed('A custom field, `data.<key>`.', '^data\\.[\\s\\S]{1,200}$', 'data.plan');
const eventField = fieldNamed('An event, `event.<name>`.', '^event\\.[\\s\\S]{1,510}$', 'event.signed_up');
const segmentField = fieldNamed(
  'A segment of the project, `segment.<id>`.',
  '^segment\\.[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
  'segment.0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90',
);

const topicField = fieldNamed(
  'Whether the contact receives a topic, `topic.<key>`.',
  '^topic\\.[a-z0-9][a-z0-9_-]{0,49}$',
  'topic.product-news',
);

const ofForm = <Operator extends ValueOperator>(operators: readonly Operator[], form: ValueForm) =>
  operatorsAmong(operators.filter((each) => valueFormOf[each] === form) as [Operator, ...Operator[]]);
const dateRange = ofForm(valueOperators, 'age');
const listed = ofForm(valueOperators, 'list');
const partial = ofForm(valueOperators, 'text');
const present = ofForm(valueOperators, 'none');
const list = {
  value: z
    .array(z.union([z.string().max(maxValueLength), z.number(), z.boolean()]))
    .min(1)
    .max(maxListValues)
    .meta({ description: 'The values, 1 to 500.', examples: [['pro', 'team']] }),
};
const part = {
  value: z
    .string()
    .min(1)
    .max(maxValueLength)
    .meta({ description: 'How the text begins or ends.', examples: ['pro-'] }),
};
const daysAhead = (field: z.ZodType, name: string) => [
  form(`${name}DayFilter`, {
    field,
    operator: operatorsAmong(['onDay']),
    value: z
      .int()
      .min(dayLimits.onDay.min)
      .max(dayLimits.onDay.max)
      .meta({ description: 'The day, counted from today in the time zone of the project.', examples: [-1] }),
  }),
  form(`${name}AnniversaryFilter`, {
    field,
    operator: operatorsAmong(['anniversaryWithinNext']),
    value: z
      .int()
      .min(dayLimits.anniversaryWithinNext.min)
      .max(dayLimits.anniversaryWithinNext.max)
      .meta({ description: 'Number of days from today, in any year.', examples: [7] }),
  }),
];
const named = <Shape extends z.core.$ZodShape>(name: string, description: string, shape: Shape) =>
  z.object(shape).describe(description).register(typeNames, { name });

const comparedWith = {
  value: z
    .unknown()
    .optional()
    .meta({
      description: 'What the operator compares with, as of `data.<key>`.',
      examples: [100],
    }),
  unit: z.enum(units).optional().describe('Unit of a `value` that is a number of units.'),
};
const property = z
  .string()
  .min(1)
  .max(longestKey)
  .meta({
    description: "A key of the event's data, else a dotted path into it.",
    examples: ['amount'],
  });

const eventConditions = z
  .array(
    named('EventCondition', 'A condition on the data of an event.', {
      property,
      operator: operatorsAmong(valueOperators),
      ...comparedWith,
    }),
  )
  .min(1)
  .max(maxConditions);
const eventWhere = {
  where: eventConditions
    .optional()
    .describe('Only events whose data meets all of these conditions, 1 to 10.'),
};
const emailWhere = {
  where: z
    .array(
      named('EmailCondition', 'A condition on an email.', {
        property: z
          .enum(emailProperties)
          .describe('What of the email; `link`, one that was clicked, is for `email.clicked` only.'),
        operator: operatorsAmong([...new Set([...idOperators, ...linkOperators])] as [
          (typeof linkOperators)[number],
          ...(typeof linkOperators)[number][],
        ]),
        value: z
          .union([
            z.string().max(maxValueLength),
            z.array(z.string().max(maxValueLength)).min(1).max(maxListValues),
          ])
          .meta({
            description: 'The id, type, link or key of the topic; a list for `isAnyOf` and `isNoneOf`.',
            examples: ['0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90'],
          }),
      }),
    )
    .min(1)
    .max(maxConditions)
    .optional()
    .describe('Only emails that meet all of these conditions, 1 to 10.'),
};
const amountOf = (description: string) => z.number().min(0).optional().describe(description);
const window = {
  window: named(
    'OccurrenceWindow',
    'When occurrences count: `{last?, olderThan?, unit}` or `{from?, to?}`.',
    {
      last: amountOf('From this many units ago.'),
      olderThan: amountOf('To this many units ago.'),
      unit: z.enum(units).optional().describe('Unit of `last` and `olderThan`.'),
      from: z.string().optional().describe('From this date, included.'),
      to: z
        .string()
        .optional()
        .describe('To this date: a day is its whole day, a date with a time is excluded.'),
    },
  )
    .optional()
    .describe('When occurrences count. Default: always.'),
};
const times = {
  times: named('OccurrenceTimes', 'How often; without it at least once.', {
    min: z.int().min(0).max(maxTimes).optional().describe('At least this often; 0 if only `max` is given.'),
    max: z.int().min(0).max(maxTimes).optional().describe('At most this often.'),
  })
    .optional()
    .describe('How often. Default: at least once.'),
};
const compare = { compare: operatorsAmong(valueOperators), ...comparedWith };

const everOrNever = operatorsAmong(['triggered', 'notTriggered']);
const inPeriod = operatorsAmong(['triggeredWithin', 'triggeredOlderThan', 'notTriggeredWithin']);
const often = operatorsAmong(['occurred']);
const not = operatorsAmong(['notOccurred']);
const edge = operatorsAmong(['first', 'last']);
const untimed = (timed: boolean) =>
  z
    .enum(
      Object.entries(activities).flatMap(([name, activity]) =>
        timelessActivities.has(activity) === timed ? [] : [`email.${name}`],
      ) as [string, ...string[]],
    )
    .describe(
      timed ? 'An activity of the emails of the contact.' : 'What became of an email, without a time.',
    );
const activityField = untimed(true);
const outcomeField = untimed(false);

/** A filter on any JSON value, by each form of its operators. */
const valueForms = (field: z.ZodType, name: string) =>
  [
    form(`${name}Filter`, { field, operator: ofForm(operatorsOf.data, 'any'), value: anyValue('pro') }),
    form(`${name}ListFilter`, { field, operator: listed, ...list }),
    form(`${name}ItemsFilter`, {
      field,
      operator: ofForm(operatorsOf.data, 'items'),
      value: z
        .array(z.string().min(1).max(maxListValue))
        .min(1)
        .max(maxListValue)
        .meta({ description: 'Items of the list, 1 to 100.', examples: [['vip', 'beta']] }),
    }),
    form(`${name}PartFilter`, { field, operator: partial, ...part }),
    form(`${name}ExistsFilter`, { field, operator: present }),
    form(`${name}RangeFilter`, { field, operator: dateRange, ...range }),
    ...daysAhead(field, name),
  ] as const;

const ofContacts = [
  ...valueForms(dataField, 'Data'),
  form('AddressFilter', {
    field: addressField,
    operator: ofForm(operatorsOf.email, 'any'),
    value: anyValue('@example.com'),
  }),
  form('AddressListFilter', { field: addressField, operator: ofForm(operatorsOf.email, 'list'), ...list }),
  form('AddressPartFilter', { field: addressField, operator: ofForm(operatorsOf.email, 'text'), ...part }),
  form('AddressExistsFilter', { field: addressField, operator: ofForm(operatorsOf.email, 'none') }),
  form('SubscribedFilter', {
    field: z.literal('subscribed').describe('Whether the contact is subscribed.'),
    operator: ofForm(operatorsOf.subscribed, 'any'),
    value: anyValue(true),
  }),
  form('TopicFilter', {
    field: topicField,
    operator: ofForm(operatorsOf.topic, 'any'),
    value: z.boolean().meta({ description: 'Whether it does.', examples: [true] }),
  }),
  form('DateFilter', {
    field: dateField,
    operator: ofForm(operatorsOf.date, 'any'),
    value: z.union([z.iso.datetime(), z.iso.date()]).describe('The date to compare with.'),
  }),
  form('DateRangeFilter', { field: dateField, operator: dateRange, ...range }),
  ...daysAhead(dateField, 'Date'),
  form('EventFilter', { field: eventField, operator: everOrNever, ...eventWhere }),
  form('EventPeriodFilter', { field: eventField, operator: inPeriod, ...range, ...eventWhere }),
  form('EventCountFilter', { field: eventField, operator: often, ...eventWhere, ...window, ...times }),
  form('EventAbsenceFilter', { field: eventField, operator: not, ...eventWhere, ...window }),
  form('EventFigureFilter', {
    field: eventField,
    operator: operatorsAmong(figureOperators),
    property,
    compare: operatorsAmong(figureComparisons),
    value: z.number().meta({ description: 'The number to compare the figure with.', examples: [100] }),
    ...eventWhere,
    ...window,
  }),
  form('EventEdgeFilter', {
    field: eventField,
    operator: edge,
    property: property.optional(),
    ...compare,
    ...eventWhere,
    ...window,
  }),
  form('ActivityFilter', { field: activityField, operator: everOrNever, ...emailWhere }),
  form('ActivityPeriodFilter', { field: activityField, operator: inPeriod, ...range, ...emailWhere }),
  form('ActivityCountFilter', { field: activityField, operator: often, ...emailWhere, ...window, ...times }),
  form('ActivityAbsenceFilter', { field: activityField, operator: not, ...emailWhere, ...window }),
  form('ActivityEdgeFilter', { field: activityField, operator: edge, ...compare, ...emailWhere, ...window }),
  form('OutcomeFilter', { field: outcomeField, operator: everOrNever, ...emailWhere }),
  form('OutcomeCountFilter', { field: outcomeField, operator: often, ...emailWhere, ...times }),
  form('OutcomeAbsenceFilter', { field: outcomeField, operator: not, ...emailWhere }),
  form('SegmentFilter', {
    field: segmentField,
    operator: operatorsAmong(['memberOfSegment', 'notMemberOfSegment']),
  }),
] as const;

const executionField = fieldNamed(
  'A value of the execution: `context.<path>`, or of the output of an earlier step, `step.<key>.<path>`.',
  '^(context\\.|step\\.[a-z0-9-]{1,60}\\.)[\\s\\S]{1,200}$',
  'step.crm.response.tier',
);
const stepEmailField = fieldNamed(
  'The email of an earlier SEND_EMAIL step, `step.<key>.<activity>`.',
  `^step\\.[a-z0-9-]{1,60}\\.(${stepActivities.join('|')})$`,
  'step.welcome.opened',
);
const ofExecutions = [
  ...valueForms(executionField, 'Execution'),
  form('StepEmailFilter', { field: stepEmailField, operator: operatorsAmong(countOperators) }),
] as const;

interface FormNames {
  tree: string;
  group: string;
  nested: string;
}

/** A tree of these filters, by names of its own. */
function treeOf(filters: readonly z.ZodType[], names: FormNames) {
  const filter = z.xor(filters as [z.ZodType, ...z.ZodType[]]);
  const nested: z.ZodType = z.lazy((): z.ZodType => tree);
  const group = z.union([
    z
      .object({
        filters: z.array(filter).min(1).describe('Filters that must all hold.'),
        conditions: nested.nullish().describe('A nested tree that must hold too.'),
      })
      .register(typeNames, { name: names.group }),
    z
      .object({
        filters: z.array(filter).max(0).nullish().describe('No filters of its own.'),
        conditions: nested.describe('A nested tree that must hold.'),
      })
      .register(typeNames, { name: names.nested }),
  ]);
  const tree = z
    .object({
      logic: z.enum(logics).describe('How the groups are joined: all of them, or any.'),
      groups: z.array(group).min(1).describe('The groups, at least one.'),
    })
    .meta({
      description:
        'A filter tree: at most 10 levels and 200 filters in all, 20 of them with `where`, `window`, `times` or `compare`.',
      examples: [
        {
          logic: 'AND',
          groups: [
            {
              filters: [
                { field: 'data.plan', operator: 'equals', value: 'pro' },
                { field: 'event.signed_up', operator: 'triggeredWithin', value: 30, unit: 'days' },
              ],
            },
          ],
        },
      ],
    })
    .register(typeNames, { name: names.tree });
  return tree;
}

export const filterTreeForm = treeOf(ofContacts, {
  tree: 'FilterTree',
  group: 'FilterGroup',
  nested: 'NestedFilterGroup',
});

/** A tree of a workflow, which may also name what an execution has. */
export const workflowTreeForm = treeOf([...ofContacts, ...ofExecutions], {
  tree: 'WorkflowFilterTree',
  group: 'WorkflowFilterGroup',
  nested: 'NestedWorkflowFilterGroup',
});

/** The `where` of an event on its own. */
export const eventWhereForm = eventWhere.where;
export const storedEventWhereForm = z.array(eventConditions.element).max(maxConditions);
