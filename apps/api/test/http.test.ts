import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, startApp, type TestApp } from './harness.ts';

/** Refusals of the HTTP server itself have the same format as all others (behaviour B1.1, B7.1). */
let test: TestApp;
let port: number;
beforeAll(async () => {
  test = await startApp();
  port = Number(new URL(await test.app.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterAll(() => test.close());

/** Writes bytes to the server and reads until it closes the connection. */
const exchange = (bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('end', () => resolve(answer));
    socket.on('error', reject);
  });

describe('the envelope and X-Request-Id', () => {
  it.each([
    ['a URL that is too long', 431, `GET /emails?cursor=${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
    ['headers that are too large', 431, `GET / HTTP/1.1\r\nHost: a\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`],
    ['bytes that are not HTTP', 400, 'this is not HTTP\r\n\r\n'],
    [
      'two lengths',
      400,
      'POST /contacts HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
    ],
    [
      'a length and chunks',
      400,
      'POST /contacts HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a method that HTTP does not know', 404, 'FETCH /contacts HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('%s: %i', async (_what, status, bytes) => {
    const [head = '', body = ''] = (await exchange(bytes)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const { success, error, timestamp } = JSON.parse(body);
    expect([success, error.statusCode, typeof timestamp]).toEqual([false, status, 'string']);
    expect(error.code).toBe(status === 404 ? 'RESOURCE_NOT_FOUND' : 'BAD_REQUEST');
    expect(head).toContain(`X-Request-Id: ${error.requestId}`);
    expect(head).toContain(`Content-Length: ${Buffer.byteLength(body)}`);
  });
});

describe('400 INVALID_REQUEST_BODY', () => {
  const post = (body: string | Buffer, headers: Record<string, string>) =>
    test.withKey(test.project.secretKey)('POST', '/contacts', body, headers);
  const json = JSON.stringify({ email: 'ada@example.com' });

  it.each([
    ['another charset', Buffer.from(json), { 'content-type': 'application/json; charset=iso-8859-1' }],
    ['a quoted one', Buffer.from(json, 'utf16le'), { 'content-type': 'application/json;charset="UTF-16"' }],
    ['a compressed body', gzipSync(json), { 'content-type': 'application/json', 'content-encoding': 'gzip' }],
    [
      'an unknown encoding',
      Buffer.from(json),
      { 'content-type': 'application/json', 'content-encoding': 'x' },
    ],
  ])('%s', async (_what, body, headers) => {
    const answer = await post(body, headers);
    expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_REQUEST_BODY']);
    expect(answer.body.error.message).not.toBe('Invalid JSON in request body');
  });

  it.each<Record<string, string>>([
    { 'content-type': 'application/json; charset=utf-8' },
    { 'content-type': 'application/json; Charset="UTF-8"' },
    { 'content-type': 'application/json', 'content-encoding': 'identity' },
  ])('not for %j', async (headers) => {
    expect((await post(json, headers)).status).toBeLessThan(300);
  });
});
