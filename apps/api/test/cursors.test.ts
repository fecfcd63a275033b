import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, codeOf, type Send, startApp, type TestApp } from './harness.ts';

/** Cursors are bound to their list, its order and its filters (behaviour B1.1), through every door. */
let test: TestApp;
let key: Send;
let session: Send;
let cursor: string;
beforeAll(async () => {
  test = await startApp();
  key = test.withKey(test.project.secretKey);
  session = await test.withSession();
  for (const name of ['a', 'b', 'c']) await key('POST', '/contacts', { email: `${name}@example.com` });
  cursor = (await key('GET', '/contacts?limit=1')).body.cursor;
});
afterAll(() => test.close());

const contacts = (args: string) =>
  key('POST', '/graphql', { query: `{ contacts(first: 5, ${args}) { edges { node { email } } } }` });
const procedure = (name: string, input: object) =>
  session('GET', `/trpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}`);

it('a cursor works through every door, with another page size', async () => {
  const rest = await key('GET', `/contacts?limit=5&cursor=${cursor}`);
  expect(rest.body.data).toHaveLength(2);
  expect((await contacts(`after: "${cursor}"`)).body.data.contacts.edges).toHaveLength(2);
  expect((await procedure('contacts.list', { limit: 5, cursor })).body.result.data.data).toHaveLength(2);
});

describe('400 BAD_REQUEST', () => {
  it.each<[string, () => Promise<Answer>]>([
    ['another sort column', () => key('GET', `/contacts?sort=email&cursor=${cursor}`)],
    ['another direction', () => key('GET', `/contacts?dir=asc&cursor=${cursor}`)],
    ['another filter', () => key('GET', `/contacts?search=a&cursor=${cursor}`)],
    ['another list', () => key('GET', `/emails?cursor=${cursor}`)],
    ['another list with a cursor of its own kind', () => key('GET', `/suppressions?cursor=${cursor}`)],
    ['one that is too long', () => key('GET', `/contacts?cursor=${'A'.repeat(5_000)}`)],
    ['one that is cut off', () => key('GET', `/contacts?cursor=${cursor.slice(0, -2)}`)],
    ['another order by GraphQL', () => contacts(`sort: email, after: "${cursor}"`)],
    ['one that is too long by GraphQL', () => contacts(`after: "${'A'.repeat(5_000)}"`)],
    ['another filter by tRPC', () => procedure('contacts.list', { cursor, status: 'subscribed' })],
  ])('%s', async (_what, ask) => {
    expect(codeOf(await ask())).toBe('BAD_REQUEST');
  });
});
