import { verifiedDomain } from '@postrider/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, type Send, startApp, type TestApp } from './harness.ts';

/** Dates in requests are ISO 8601 and exist in the calendar (behaviour B1.1), on every endpoint that accepts one. */
let test: TestApp;
let send: Send;
let campaign: string;
beforeAll(async () => {
  test = await startApp();
  send = test.withKey(test.project.secretKey);
  await verifiedDomain(test.services, test.project.id, 'dates.example.com');
  const { body } = await send('POST', '/campaigns', {
    name: 'n',
    subject: 's',
    body: '<p>b</p>',
    from: 'hello@dates.example.com',
    audienceType: 'ALL',
  });
  campaign = body.data.id;
  await send('POST', '/contacts', { email: 'ada@example.com', subscribed: true });
});
afterAll(() => test.close());

const createdAfter = (value: unknown) => ({
  logic: 'AND',
  groups: [{ filters: [{ field: 'createdAt', operator: 'greaterThan', value }] }],
});
const segment = (value: unknown) => ({ name: 'n', type: 'DYNAMIC', condition: createdAfter(value) });
const refusedForms = ['0.5', '2026-02-30', '2099-02-30T00:00:00Z', 'Tue Mar 1 2026'];

describe.each(refusedForms)('%s', (date) => {
  it.each(['from', 'to'])('is refused as %s of GET /emails', async (name) => {
    const answer = await send('GET', `/emails?${name}=${encodeURIComponent(date)}`);
    expect([answer.status, codeOf(answer)]).toEqual([422, 'VALIDATION_ERROR']);
    expect(answer.body.error.errors[0]).toMatchObject({ field: name, code: 'invalid_date' });
  });

  it.each(['startDate', 'endDate'])('is refused as %s of GET /events/stats', async (name) => {
    const answer = await send('GET', `/events/stats?${name}=${encodeURIComponent(date)}`);
    expect(answer.body.error.errors[0]).toMatchObject({ field: name, code: 'invalid_date' });
  });

  it('is refused in a filter', async () => {
    const answer = await send('POST', '/segments', segment(date));
    expect(answer.status).toBe(422);
    expect(answer.body.error.errors[0]).toMatchObject({
      field: 'condition.groups.0.filters.0.value',
      code: 'invalid_date',
    });
  });

  it('is refused as scheduledFor', async () => {
    const answer = await send('POST', `/campaigns/${campaign}/send`, { scheduledFor: date });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'BAD_REQUEST']);
  });
});

it('a number of epoch milliseconds is a date where a body allows numbers', async () => {
  const at = Date.UTC(2099, 2, 1);
  expect((await send('POST', '/segments', segment(at))).status).toBe(201);
  const scheduled = await send('POST', `/campaigns/${campaign}/send`, { scheduledFor: at });
  expect(scheduled.body.data.scheduledFor).toBe('2099-03-01T00:00:00.000Z');
});
