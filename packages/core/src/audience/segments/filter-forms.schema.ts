import { z } from 'zod';
import { typeNames } from '../../base/kernel/schemas.ts';
import { activities, listOperators, logics, maxListValue, operatorsOf, units } from './filters.rules.ts';

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

const dateField = z.enum(['createdAt', 'updatedAt']).describe('A date of the contact.');
const dataField = fieldNamed('A custom field, `data.<key>`.', '^data\\.[\\s\\S]{1,200}$', 'data.plan');
const eventField = fieldNamed('An event, `event.<name>`.', '^event\\.[\\s\\S]{1,510}$', 'event.signed_up');
const activityField = z
  .enum(Object.keys(activities).map((activity) => `email.${activity}`) as [string, ...string[]])
  .describe('An activity of the emails of the contact.');
const segmentField = fieldNamed(
  'A segment of the project, `segment.<id>`.',
  '^segment\\.[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
  'segment.0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90',
);

const dateRange = operatorsAmong(['within', 'olderThan']);
const everOrNever = operatorsAmong(['triggered', 'notTriggered']);
const inPeriod = operatorsAmong(['triggeredWithin', 'triggeredOlderThan', 'notTriggeredWithin']);
const compared = <Operator extends string>(operators: readonly Operator[], ...others: readonly string[]) =>
  operatorsAmong(operators.filter((each) => !others.includes(each)) as [Operator, ...Operator[]]);

const filter = z.xor([
  form('DataFilter', {
    field: dataField,
    operator: compared(operatorsOf.data, 'exists', 'notExists', 'within', 'olderThan', ...listOperators),
    value: anyValue('pro'),
  }),
  form('DataExistsFilter', { field: dataField, operator: operatorsAmong(['exists', 'notExists']) }),
  form('DataRangeFilter', { field: dataField, operator: dateRange, ...range }),
  form('DataListFilter', {
    field: dataField,
    operator: operatorsAmong(listOperators),
    value: z
      .array(z.string().min(1).max(maxListValue))
      .min(1)
      .max(maxListValue)
      .meta({ description: 'Items of the list, 1 to 100.', examples: [['vip', 'beta']] }),
  }),
  form('AddressFilter', {
    field: z.literal('email').describe('The address of the contact.'),
    operator: compared(operatorsOf.email),
    value: anyValue('@example.com'),
  }),
  form('SubscribedFilter', {
    field: z.literal('subscribed').describe('Whether the contact is subscribed.'),
    operator: compared(operatorsOf.subscribed),
    value: anyValue(true),
  }),
  form('DateFilter', {
    field: dateField,
    operator: compared(operatorsOf.date, 'within', 'olderThan'),
    value: z.union([z.iso.datetime(), z.iso.date()]).describe('The date to compare with.'),
  }),
  form('DateRangeFilter', { field: dateField, operator: dateRange, ...range }),
  form('EventFilter', { field: eventField, operator: everOrNever }),
  form('EventPeriodFilter', { field: eventField, operator: inPeriod, ...range }),
  form('ActivityFilter', { field: activityField, operator: everOrNever }),
  form('ActivityPeriodFilter', { field: activityField, operator: inPeriod, ...range }),
  form('SegmentFilter', {
    field: segmentField,
    operator: operatorsAmong(['memberOfSegment', 'notMemberOfSegment']),
  }),
]);

const nested: z.ZodType = z.lazy(() => filterTreeForm);

const group = z.union([
  z
    .object({
      filters: z.array(filter).min(1).describe('Filters that must all hold.'),
      conditions: nested.nullish().describe('A nested tree that must hold too.'),
    })
    .register(typeNames, { name: 'FilterGroup' }),
  z
    .object({
      filters: z.array(filter).max(0).nullish().describe('No filters of its own.'),
      conditions: nested.describe('A nested tree that must hold.'),
    })
    .register(typeNames, { name: 'NestedFilterGroup' }),
]);

export const filterTreeForm = z
  .object({
    logic: z.enum(logics).describe('How the groups are joined: all of them, or any.'),
    groups: z.array(group).min(1).describe('The groups, at least one.'),
  })
  .meta({
    description: 'A filter tree: at most 10 levels and 200 filters in all.',
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
  .register(typeNames, { name: 'FilterTree' });
