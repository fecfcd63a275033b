import { expect, it } from 'vitest';
import { placeRowFailures, rowKeys, UnreadableField } from './step-input.rules.ts';
import { stepInputOf } from './step-views.ts';

it('a wait sends its timeout in seconds, or no timeout', () => {
  const values = { name: 'Wait', 'config.eventName': 'paid', timeoutUnit: 'hours' };
  expect(stepInputOf('WAIT_FOR_EVENT', { ...values, 'config.timeout': '2' }).config).toEqual({
    eventName: 'paid',
    timeout: 7_200,
  });
  expect(stepInputOf('WAIT_FOR_EVENT', { ...values, 'config.timeout': ' ' }).config).toEqual({
    eventName: 'paid',
  });
});

it.each([
  ['text', '5', '5'],
  ['number', '5', 5],
  ['boolean', 'false', false],
  ['nothing', '', null],
])('a condition compares with a %s', (type, text, value) => {
  const values = { name: 'If', 'config.field': 'data.x', 'config.operator': 'equals', 'config.type': type };
  expect(stepInputOf('CONDITION', { ...values, 'config.value': text }).config).toEqual({
    field: 'data.x',
    operator: 'equals',
    value,
  });
});

it('branches keep their order and ids', () => {
  const values = {
    name: 'Which',
    mode: 'multi',
    'config.field': 'data.plan',
    'config.branches.0.id': 'way-2',
    'config.branches.0.name': 'Pro',
    'config.branches.0.operator': 'equals',
    'config.branches.0.type': 'text',
    'config.branches.0.value': 'pro',
    'config.branches.1.id': 'way-1',
    'config.branches.1.name': 'Any',
    'config.branches.1.operator': 'exists',
  };
  expect(stepInputOf('CONDITION', values).config).toEqual({
    mode: 'multi',
    field: 'data.plan',
    branches: [
      { id: 'way-2', name: 'Pro', operator: 'equals', value: 'pro' },
      { id: 'way-1', name: 'Any', operator: 'exists' },
    ],
  });
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
  [
    'CONDITION',
    { 'config.operator': 'equals', 'config.type': 'number', 'config.value': 'x' },
    'config.value',
  ],
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
  };
  expect(stepInputOf('UPDATE_CONTACT', values).config).toEqual({
    data: { plan: 'pro', trial: null },
    subscriptionAction: 'subscribe',
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
