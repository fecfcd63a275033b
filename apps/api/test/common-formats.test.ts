import { verifiedDomain } from '@postrider/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, type Send, startApp, type TestApp } from './harness.ts';

/** Each row of B1.1 with an example; dates, cursors and routes have tests of their own (dates, cursors, shell). */
let test: TestApp;
let send: Send;
let contact: { id: string; createdAt: string };
beforeAll(async () => {
  test = await startApp();
  await verifiedDomain(test.services, test.project.id, 'shop.test');
  send = test.withKey(test.project.secretKey);
  ({ body: contact } = await send('POST', '/contacts', {
    email: ' First@People.TEST ',
    data: { plan: 'Gold_1' },
  }));
});
afterAll(() => test.close());

const json = { 'content-type': 'application/json' };
const template = { name: '  Welcome  ', subject: 's', body: 'b', from: 'team@shop.test' };

it('date: ISO 8601 in UTC with milliseconds', () => {
  expect(contact.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

it('id: a lower-case UUID of version 7, found in either case', async () => {
  expect(contact.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const { status, body } = await send('GET', `/contacts/${contact.id.toUpperCase()}`);
  expect([status, body.id]).toEqual([200, contact.id]);
});

it('email address: trimmed and lower-cased before it is stored and compared', async () => {
  const { body } = await send('POST', '/contacts', { email: 'FIRST@people.test' });
  expect([body.id, body.email]).toEqual([contact.id, 'first@people.test']);
});

describe('JSON body', () => {
  it('an optional field that is null counts as not given', async () => {
    const body = { email: 'null@people.test', subscribed: null, data: null };
    const answer = await send('POST', '/contacts', body);
    expect([answer.status, answer.body.subscribed, answer.body.data]).toEqual([201, true, {}]);
  });

  it('an empty body counts as {}', async () => {
    const answer = await send('PATCH', `/contacts/${contact.id}`);
    expect([answer.status, answer.body.data]).toEqual([200, { plan: 'Gold_1' }]);
  });

  it.each(['[]', '"text"', '5', 'null', '{'])('%s is no object: 400', async (payload) => {
    const answer = await send('POST', '/contacts', payload, json);
    expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_REQUEST_BODY']);
  });
});

describe('strings', () => {
  it('names are trimmed', async () => {
    const { status, body } = await send('POST', '/templates', template);
    expect([status, body.name ?? body.data?.name]).toEqual([201, 'Welcome']);
  });

  it.each([
    ['U+0000', '"\\u0000"', 'data.a'],
    ['an unpaired surrogate', '"\\ud800"', 'data.a'],
  ])('%s is 422 at its field', async (_what, text, field) => {
    const answer = await send('POST', '/contacts', `{"email":"a@people.test","data":{"a":${text}}}`, json);
    expect([answer.status, answer.body.error.errors]).toEqual([
      422,
      [expect.objectContaining({ field, code: 'custom' })],
    ]);
  });
});

describe('queries', () => {
  it.each([
    ['booleans: neither true nor false', '/contacts?subscribed=yes', 400],
    ['booleans: false', '/contacts?subscribed=false', 200],
    ['enum filters: an unknown value', '/campaigns?status=NONE', 400],
    ['enum filters: an unknown type', '/templates?type=NONE', 400],
    ['sort: an unknown column and direction', '/campaigns?sort=none&dir=none', 200],
  ])('%s', async (_what, url, status) => {
    const answer = await send('GET', url);
    expect([answer.status, codeOf(answer)]).toEqual([status, status === 400 ? 'BAD_REQUEST' : undefined]);
  });

  it.each([
    ['0', 1],
    ['-5', 1],
    ['100000', 100],
    ['2.5', 20],
    ['many', 20],
  ])('numbers: pageSize=%s is %i', async (given, pageSize) => {
    const { status, body } = await send('GET', `/templates?pageSize=${given}`);
    expect([status, body.pageSize ?? body.data?.pageSize]).toEqual([200, pageSize]);
  });

  it('ids: not a UUID is 422, and the field is the parameter', async () => {
    const answer = await send('GET', '/emails?campaignId=x');
    expect([answer.status, answer.body.error.errors?.[0].field]).toEqual([422, 'campaignId']);
  });

  it('search: a substring in any case, and no pattern', async () => {
    const found = async (url: string) => (await send('GET', url)).text.includes('first@people.test');
    expect(await found('/contacts?search=IRST@PEO')).toBe(true);
    expect(await found('/contacts?search=f%25t@people')).toBe(false);
    expect(await found('/contacts?search=f_rst')).toBe(false);
  });
});

it('array bodies: limits count the given elements, including duplicates', async () => {
  const answer = await send('POST', '/contacts/lookup', {
    emails: Array.from({ length: 501 }, () => 'first@people.test'),
  });
  expect([answer.status, typeof answer.body.error]).toEqual([400, 'string']);
});

it('X-Request-Id: echoed, and equal to that of the error', async () => {
  const answer = await send('GET', '/campaigns?status=NONE', undefined, {
    'x-request-id': 'order_42.retry-1',
  });
  expect([answer.headers['x-request-id'], answer.body.error.requestId]).toEqual([
    'order_42.retry-1',
    'order_42.retry-1',
  ]);
});
