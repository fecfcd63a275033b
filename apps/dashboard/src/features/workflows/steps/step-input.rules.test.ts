import type { FilterTree } from '@postrider/core/audience/segments/contract';
import { expect, it } from 'vitest';
import { fromTree, newCondition, newTree, toTree } from '../../common/filters/filter-tree.rules.ts';
import { branchesIn } from './condition-draft.rules.ts';
import { placeRowFailures, rowKeys, UnreadableField } from './step-input.rules.ts';
import { stepInputOf } from './step-views.ts';
import { awaitedIn } from './wait-draft.rules.ts';

const condition = (name: string, value: unknown): FilterTree => ({
  logic: 'AND',
  groups: [{ filters: [{ field: `data.${name}`, operator: 'equals', value }] }],
});
const draftOf = (tree: FilterTree) => JSON.stringify(fromTree(tree));

it('a wait sends its timeout in seconds, or no timeout', () => {
  const events = [{ key: 1, name: 'paid', where: [] }];
  const values = { name: 'Wait', 'config.events': JSON.stringify(events), timeoutUnit: 'hours' };
  expect(stepInputOf('WAIT_FOR_EVENT', { ...values, 'config.timeout': '2' }).config).toEqual({
    eventName: 'paid',
    timeout: 7_200,
  });
  expect(stepInputOf('WAIT_FOR_EVENT', { ...values, 'config.timeout': ' ' }).config).toEqual({
    eventName: 'paid',
  });
});

it('a wait for one of several events, or for certain data, is the same after being opened for editing', () => {
  const config = {
    events: [
      {
        eventName: 'order.paid',
        where: [
          { property: 'orderId', operator: 'equals' as const, value: '{{event.orderId}}' },
          { property: 'total', operator: 'greaterThan' as const, value: 5 },
        ],
      },
      { eventName: 'order.cancelled' },
    ],
  };
  const values = { name: 'Wait', 'config.events': JSON.stringify(awaitedIn(config)) };
  expect(stepInputOf('WAIT_FOR_EVENT', values).config).toEqual(config);
  const [first] = awaitedIn(config);
  const unfinished = JSON.stringify([{ ...first, where: [newCondition()] }]);
  expect(() => stepInputOf('WAIT_FOR_EVENT', { ...values, 'config.events': unfinished })).toThrow(
    expect.objectContaining({ field: 'config.events.0.where.0.property' }),
  );
});

it('a condition sends its filters, and names what is missing in them', () => {
  const values = { name: 'If', mode: 'binary' };
  const tree = condition('plan', 'pro');
  expect(stepInputOf('CONDITION', { ...values, 'config.condition': draftOf(tree) }).config).toEqual({
    condition: tree,
  });
  const unfinished = JSON.stringify(newTree());
  expect(() => stepInputOf('CONDITION', { ...values, 'config.condition': unfinished })).toThrow(
    expect.objectContaining({ field: 'config.condition.groups.0.filters.0.field' }),
  );
});

it('branches keep their order and ids', () => {
  const values = {
    name: 'Which',
    mode: 'multi',
    'config.branches.0.id': 'way-2',
    'config.branches.0.name': 'Pro',
    'config.branches.0.condition': draftOf(condition('plan', 'pro')),
    'config.branches.1.id': 'way-1',
    'config.branches.1.name': 'Any',
    'config.branches.1.condition': draftOf(condition('seats', 3)),
  };
  expect(stepInputOf('CONDITION', values).config).toEqual({
    mode: 'multi',
    branches: [
      { id: 'way-2', name: 'Pro', condition: condition('plan', 'pro') },
      { id: 'way-1', name: 'Any', condition: condition('seats', 3) },
    ],
  });
});

it.each([
  ['contact.email', 'email'],
  ['contact.data.plan', 'data.plan'],
  ['data.plan', 'data.plan'],
  ['event.order.total', 'context.order.total'],
  ['workflow.n', 'context.n'],
  ['context.n', 'context.n'],
])('a condition by the field %s opens as a filter on %s', (field, filter) => {
  const [branch] = branchesIn({ field, operator: 'equals', value: 'x' } as never);
  expect(branch && toTree(branch.tree).groups[0]?.filters).toEqual([
    { field: filter, operator: 'equals', value: 'x' },
  ]);
});

it('a webhook reads headers from lines and the body from JSON, and has no body with GET', () => {
  const values = {
    name: 'Call',
    'config.url': 'https://example.com',
    'config.headers': 'X-One: 1\n\nAuthorization: Bearer a:b\n',
    'config.body': '{"a": [1]}',
  };
  expect(stepInputOf('WEBHOOK', { ...values, 'config.method': 'PUT' }).config).toEqual({
    url: 'https://example.com',
    method: 'PUT',
    headers: { 'X-One': '1', Authorization: 'Bearer a:b' },
    body: { a: [1] },
  });
  expect(stepInputOf('WEBHOOK', { ...values, 'config.method': 'GET' }).config).not.toHaveProperty('body');
});

it.each([
  ['WEBHOOK', { 'config.headers': 'nothing' }, 'config.headers'],
  ['WEBHOOK', { 'config.body': '{' }, 'config.body'],
  ['UPDATE_CONTACT', { 'row.0.key': 'a', 'row.0.type': 'number', 'row.0.value': '' }, 'row.0.value'],
] as const)('%s that cannot be read says so at its field', (type, values, field) => {
  const read = () => stepInputOf(type, { name: 'Step', ...values } as Record<string, string>);
  expect(read).toThrow(UnreadableField);
  expect(read).toThrow(expect.objectContaining({ field }));
});

it('an update sends typed values and removed keys, and shows the server’s messages at the row of their key', () => {
  const values = {
    name: 'Update',
    'row.0.key': 'plan',
    'row.0.type': 'text',
    'row.0.value': 'pro',
    'row.1.key': 'trial',
    'row.1.type': 'removed',
    'row.2.key': '',
    'row.2.type': 'text',
    'row.2.value': '',
    'config.subscriptionAction': 'subscribe',
    'config.topics.news': 'yes',
    'config.topics.offers': 'no',
    'config.topics.general': '',
  };
  expect(stepInputOf('UPDATE_CONTACT', values).config).toEqual({
    data: { plan: 'pro', trial: null },
    subscriptionAction: 'subscribe',
    topics: { news: true, offers: false },
  });
  const failure = {
    message: '',
    code: 'VALIDATION_ERROR',
    suggestion: null,
    requestId: null,
    position: null,
    fields: { 'config.data.trial': 'no', name: 'too long' },
  };
  expect(placeRowFailures(failure, rowKeys(values)).fields).toEqual({
    'row.1.value': 'no',
    name: 'too long',
  });
});
