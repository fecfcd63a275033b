import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, type Send, startApp, type TestApp } from './harness.ts';

/** Request bodies (behaviour B1.1, B7.2, B8.3). */
let test: TestApp;
let send: Send;
beforeAll(async () => {
  test = await startApp({ MESSAGE_MAX_MB: '8' });
  send = test.withKey(test.project.secretKey);
});
afterAll(() => test.close());

const json = { 'content-type': 'application/json' };
const megabyte = 1024 * 1024;

describe('400 INVALID_REQUEST_BODY', () => {
  it.each([
    ['malformed JSON', '{"email": ', json],
    ['a list', '[]', json],
    ['a string', '"email"', json],
    ['null', 'null', json],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), json],
    ['a form', 'email=a%40example.com', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['plain text', '{"email":"a@example.com"}', { 'content-type': 'text/plain' }],
    ['no content type', Buffer.from('{"email":"a@example.com"}'), {}],
  ])('%s', async (_what, payload, headers) => {
    const answer = await send('POST', '/contacts', payload, headers as Record<string, string>);
    expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_REQUEST_BODY']);
  });

  it('has the specified message for malformed JSON', async () => {
    expect((await send('POST', '/contacts', '{', json)).body.error.message).toBe(
      'Invalid JSON in request body',
    );
  });
});

describe('413 INVALID_REQUEST_BODY', () => {
  it('above 5 MB', async () => {
    const answer = await send('POST', '/contacts', {
      email: 'a@example.com',
      note: 'x'.repeat(5 * megabyte),
    });
    expect([answer.status, codeOf(answer)]).toEqual([413, 'INVALID_REQUEST_BODY']);
  });

  it('above 1.5 times MESSAGE_MAX_MB for /v1/send, and not below', async () => {
    const body = (size: number) => ({ to: 'nobody', subject: 'S', body: 'x'.repeat(size) });
    const above = await send('POST', '/v1/send', body(12 * megabyte));
    expect([above.status, codeOf(above)]).toEqual([413, 'INVALID_REQUEST_BODY']);
    const below = await send('POST', '/v1/send', body(11 * megabyte));
    expect([below.status, codeOf(below)]).toEqual([422, 'VALIDATION_ERROR']);
  });
});

describe('taken', () => {
  it.each([
    ['no body', undefined, {}],
    ['an empty body', '', json],
    ['an empty body of another type', '', { 'content-type': 'text/plain' }],
  ])('%s counts as {}', async (_what, payload, headers) => {
    const answer = await send('POST', '/contacts', payload, headers as Record<string, string>);
    expect([answer.status, answer.body]).toEqual([400, { error: 'email is required' }]);
  });

  it('a charset beside the content type, a byte order mark', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    const answer = await send('POST', '/contacts', '\uFEFF{"email":"bom@example.com"}', headers);
    expect(answer.status).toBe(201);
  });

  it('a path parameter takes precedence over a field of the body or query with its name', async () => {
    const { body } = await send('POST', '/contacts', { email: 'path@example.com' });
    const answer = await send('GET', `/contacts/${body.id}?id=other`);
    expect([answer.status, answer.body.id]).toEqual([200, body.id]);
  });
});
