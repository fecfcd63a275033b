import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../src/app.ts';
import { startApp, type TestApp } from './harness.ts';

/** The documentation as the api serves it (behaviour B4.21). */
let test: TestApp;
let folder: string;
let app: FastifyInstance;

const files = {
  '/docs': ['index.html', 'text/html; charset=utf-8', '<!doctype html><title>Documentation</title>'],
  '/docs/first-email': ['first-email.html', 'text/html; charset=utf-8', `<p>${'Send. '.repeat(200)}</p>`],
  '/docs/first-email.md': ['first-email.txt', 'text/markdown; charset=utf-8', '# First email'],
  '/docs/assets/site-1.css': ['assets/site-1.css', 'text/css; charset=utf-8', 'p { color: red }'],
  '/docs/assets/inter-1.woff2': ['assets/inter-1.woff2', 'font/woff2', 'bytes'],
  '/docs/404': ['404.html', 'text/html; charset=utf-8', '<p>No such page</p>'],
  '/llms.txt': ['llms.txt', 'text/plain; charset=utf-8', '# Postrider'],
  '/llms-full.txt': ['llms-full.txt', 'text/plain; charset=utf-8', '# Everything'],
} as const;

beforeAll(async () => {
  test = await startApp();
  folder = await mkdtemp(join(tmpdir(), 'postrider-docs-'));
  await mkdir(join(folder, 'assets'));
  const manifest: Record<string, object> = {};
  for (const [address, [file, type, text]] of Object.entries(files)) {
    const compressed = type !== 'font/woff2';
    await writeFile(join(folder, file), text);
    if (compressed) await writeFile(join(folder, `${file}.br`), brotliCompressSync(text));
    if (compressed) await writeFile(join(folder, `${file}.gz`), gzipSync(text));
    manifest[address] = {
      file,
      type,
      hash: `hash-of-${file}`,
      immutable: address.includes('/assets/'),
      compressed,
    };
  }
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
  // Without a dashboard, which would answer browsers for any other path.
  app = createApp(test.services, { docsDir: folder, dashboardDir: join(folder, 'nothing') });
});
afterAll(async () => {
  await app.close();
  await test.close();
  await rm(folder, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

describe('the documentation', () => {
  it.each(Object.keys(files).filter((address) => address !== '/docs/404'))(
    '%s is served as its type',
    async (url) => {
      const [, type, text] = files[url as keyof typeof files];
      const answer = await get(url);
      expect([answer.statusCode, answer.headers['content-type'], answer.body]).toEqual([200, type, text]);
      expect((await app.inject({ method: 'HEAD', url })).statusCode).toBe(200);
    },
  );

  it('comes compressed, and not again to those who have it', async () => {
    const [, , text] = files['/docs/first-email'];
    for (const [accept, unpack] of [
      ['gzip, br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const answer = await get('/docs/first-email', { 'accept-encoding': accept });
      expect(unpack(answer.rawPayload).toString()).toBe(text);
      expect(answer.rawPayload.length).toBeLessThan(text.length / 2);
      expect(String(answer.headers['vary']).toLowerCase()).toContain('accept-encoding');
      const again = { 'accept-encoding': accept, 'if-none-match': String(answer.headers['etag']) };
      expect([
        (await get('/docs/first-email', again)).statusCode,
        (await get('/docs', again)).statusCode,
      ]).toEqual([304, 200]);
    }
  });

  it('is asked for again, but for what has its hash in its address', async () => {
    expect((await get('/docs/first-email')).headers['cache-control']).toBe('no-cache');
    for (const url of ['/docs/assets/site-1.css', '/docs/assets/inter-1.woff2'])
      expect((await get(url)).headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  it('may load nothing from other servers and run nothing inline', async () => {
    for (const url of ['/docs', '/docs/first-email']) {
      const policy = String((await get(url)).headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
    }
  });

  it('has a page for browsers and an error for programs where there is none', async () => {
    for (const url of [
      '/docs/nothing',
      '/docs/404',
      '/docs/api/no.such',
      '/docs/../package.json',
      '/docs/%2e%2e/manifest.json',
      '/docs/manifest.json',
    ]) {
      const page = await get(url, { accept: 'text/html,*/*' });
      expect([url, page.statusCode]).toEqual([url, url.includes('..') ? page.statusCode : 404]);
      expect(page.body).not.toContain('hash-of');
      const answer = await get(url);
      expect([url, answer.statusCode, answer.json().error.message]).toEqual([url, 404, 'Unknown route']);
    }
    expect((await get('/docs/nothing', { accept: 'text/html' })).body).toBe('<p>No such page</p>');
  });

  it('has the console beside it', async () => {
    expect((await get('/docs/console/')).body).toContain('scalar.js');
    expect((await get('/docs/')).headers['location']).toBe('/docs');
  });
});

it('without a build /docs leads to the console', async () => {
  const bare = createApp(test.services, { docsDir: join(folder, 'nothing') });
  const answer = await bare.inject({ url: '/docs' });
  await bare.close();
  expect([answer.statusCode, answer.headers['location']]).toEqual([302, '/docs/console']);
});

it('every refusal names the page about its code, at the public address of the API', async () => {
  const secure = await startApp({ API_URL: 'https://api.sender.test' });
  const answers = await Promise.all([
    secure.anyone('GET', '/contacts'),
    secure.anyone('GET', '/no-such-route'),
    secure.withKey(secure.project.secretKey)('POST', '/v1/send', {}),
    secure.anyone('GET', '/%zz'),
  ]);
  await secure.close();
  for (const { body } of answers)
    expect(body.error.docs).toBe(`https://api.sender.test/docs/errors/${body.error.code}`);
});
