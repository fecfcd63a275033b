import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../src/app.ts';
import { startApp, type TestApp } from './harness.ts';

/** What is the same for every caller is sent compressed, and not again to those who have it. */
let test: TestApp;
let folder: string;
let app: FastifyInstance;
const script = `export const words = ${JSON.stringify(Array.from({ length: 500 }, (_, n) => `word ${n}`))};`;
const page = '<!doctype html><title>Postrider</title>';
beforeAll(async () => {
  test = await startApp();
  folder = await mkdtemp(join(tmpdir(), 'postrider-dashboard-'));
  const write = (name: string, content: string | Buffer) => writeFile(join(folder, name), content);
  await write('index.html', page);
  await write('app.js', script);
  await write('app.js.br', brotliCompressSync(script));
  await write('app.js.gz', gzipSync(script));
  await write('small.js', 'export {};');
  app = createApp(test.services, { dashboardDir: folder });
});
afterAll(async () => {
  await app.close();
  await test.close();
  await rm(folder, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });
const plain = (raw: Buffer, encoding: unknown): string => {
  if (encoding === 'br') return brotliDecompressSync(raw).toString();
  return (encoding === 'gzip' ? gunzipSync(raw) : raw).toString();
};

describe.each(['/app.js', '/openapi.json'])('%s', (url) => {
  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['identity', undefined],
    ['', undefined],
  ])('with Accept-Encoding %j comes as %s, and is the same text', async (accept, encoding) => {
    const whole = await get(url);
    const answer = await get(url, { 'accept-encoding': accept });
    expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([200, encoding]);
    expect(String(answer.headers['vary']).toLowerCase()).toContain('accept-encoding');
    expect(plain(answer.rawPayload, encoding)).toBe(whole.body);
    if (encoding) expect(answer.rawPayload.length).toBeLessThan(whole.rawPayload.length / 2);
  });

  it('is 304 for those who have it, in each encoding', async () => {
    for (const encoding of ['br', 'gzip', 'identity']) {
      const { etag } = (await get(url, { 'accept-encoding': encoding })).headers;
      const again = await get(url, { 'accept-encoding': encoding, 'if-none-match': String(etag) });
      expect([again.statusCode, again.body]).toEqual([304, '']);
      const other = await get(url, { 'accept-encoding': encoding, 'if-none-match': '"another"' });
      expect(other.statusCode).toBe(200);
    }
  });
});

it('a file without a compressed copy comes as it is', async () => {
  const { statusCode, headers, body } = await get('/small.js', { 'accept-encoding': 'br, gzip' });
  expect([statusCode, headers['content-encoding'], body]).toEqual([200, undefined, 'export {};']);
});

it('the copies have no address of their own', async () => {
  for (const url of ['/app.js.br', '/app.js.gz']) expect((await get(url)).statusCode).toBe(404);
});

it('the page of the dashboard is asked for each time, and is 304 while it is the same', async () => {
  const headers = { accept: 'text/html' };
  const first = await get('/p/42/campaigns', headers);
  expect([first.statusCode, first.headers['cache-control'], first.body]).toEqual([200, 'no-cache', page]);
  const again = await get('/', { ...headers, 'if-none-match': String(first.headers['etag']) });
  expect([again.statusCode, again.headers['cache-control'], again.body]).toEqual([304, 'no-cache', '']);
});

it('replies of the API are not compressed: their length would reveal what they hold', async () => {
  const { headers } = await test.withKey(test.project.secretKey)('GET', '/contacts', undefined, {
    'accept-encoding': 'gzip, br',
  });
  expect(headers['content-encoding']).toBeUndefined();
});
