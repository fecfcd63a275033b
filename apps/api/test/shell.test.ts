import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineWatch } from '@postrider/core/base/kernel';
import { routeId } from '@postrider/core/base/providers';
import { createTestServices } from '@postrider/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../src/app.ts';
import { codeOf, startApp, type TestApp } from './harness.ts';

/** Paths and headers without an operation: request ids, health, metrics, the API reference, the pages of the dashboard. */
let test: TestApp;
beforeAll(async () => {
  test = await startApp();
});
afterAll(() => test.close());

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('X-Request-Id', () => {
  it.each(['a', 'order_42.retry-1', 'x'.repeat(128)])('echoes %s', async (id) => {
    const { headers, body } = await test.anyone('GET', '/nothing', undefined, { 'x-request-id': id });
    expect([headers['x-request-id'], body.error.requestId]).toEqual([id, id]);
  });

  it.each(['', 'with space', 'ü', 'x'.repeat(129), '<script>'])('is generated instead of %j', async (id) => {
    const { headers } = await test.anyone('GET', '/config', undefined, { 'x-request-id': id });
    expect(headers['x-request-id']).toMatch(uuid);
  });

  it('is on every response', async () => {
    for (const [method, url] of [
      ['GET', '/%zz'],
      ['POST', '/graphql'],
      ['GET', '/trpc/users.me'],
      ['OPTIONS', '/v1/send'],
      ['GET', '/docs'],
    ] as const) {
      expect((await test.anyone(method, url)).headers['x-request-id']).toMatch(uuid);
    }
  });
});

describe('health', () => {
  it('live while the process runs', async () => {
    const { status, body } = await test.anyone('GET', '/health/live');
    expect([status, body]).toEqual([200, { status: 'ok' }]);
  });

  it('ready, and degraded, while the engine is not there', async () => {
    const { status, body } = await test.anyone('GET', '/health/ready');
    expect([status, body]).toEqual([
      200,
      { status: 'degraded', checks: { database: 'ok', temporal: 'starting', disk: 'ok' } },
    ]);
    expect((await test.anyone('GET', '/config')).body.engine).toEqual({
      state: 'starting',
      since: expect.stringMatching(/Z$/),
    });
  });

  it('an engine that has answered and is gone is away, and the process stays ready', async () => {
    const { services, close } = await createTestServices();
    let answers = true;
    const engine = new EngineWatch({ healthy: async () => answers });
    const app = createApp({ ...services, engine });
    const read = async (url: string) => (await app.inject({ url })).json();
    expect(await read('/health/ready')).toMatchObject({ status: 'ok', checks: { temporal: 'ok' } });
    expect((await read('/config')).engine).toEqual({ state: 'ok', since: null });
    answers = false;
    expect(await read('/health/ready')).toMatchObject({ status: 'degraded', checks: { temporal: 'failed' } });
    expect((await read('/config')).engine).toEqual({ state: 'away', since: expect.stringMatching(/Z$/) });
    answers = true;
    await expect.poll(() => read('/health/ready'), { timeout: 60_000 }).toMatchObject({ status: 'ok' });
    await app.close();
    await close();
  });

  it('ready when both answer, and not when the database fails', async () => {
    const { services, close } = await createTestServices();
    const engine = new EngineWatch({ healthy: async () => true });
    const ready = createApp({ ...services, engine });
    const answer = await ready.inject({ url: '/health/ready' });
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { status: 'ok', checks: { database: 'ok', temporal: 'ok', disk: 'ok' } },
    ]);
    await ready.close();
    const durable = {
      query: () => Promise.reject(new Error('down')),
    } as unknown as typeof services.database.durable;
    const broken = createApp({ ...services, engine, database: { ...services.database, durable } });
    const refused = await broken.inject({ url: '/health/ready' });
    expect([refused.statusCode, refused.json().checks]).toEqual([
      503,
      { database: 'failed', temporal: 'ok', disk: 'ok' },
    ]);
    await broken.close();
    await close();
  });
});

describe('metrics', () => {
  it('say for how long email has been waiting for the mail server', async () => {
    const id = routeId(test.services.config);
    const { route } = test.services.database.prisma;
    const seconds = async () =>
      Number(/^route_paused_seconds (.*)$/m.exec((await test.anyone('GET', '/metrics')).text)?.[1]);
    expect(await seconds()).toBe(0);
    await route.create({ data: { id, pausedAt: new Date(Date.now() - 60_000), reason: 'connect: refused' } });
    expect(await seconds()).toBeGreaterThanOrEqual(60);
    await route.delete({ where: { id } });
  });

  it('count requests by route and never by URL', async () => {
    await test.anyone('GET', '/contacts/secret-in-the-url');
    const { status, headers, text } = await test.anyone('GET', '/metrics');
    expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('text/plain')]);
    expect(text).toMatch(
      /http_request_duration_seconds_count\{method="GET",route="\/contacts\/:id",status="401"\} [1-9]/,
    );
    expect(text).toContain('nodejs_eventloop_lag_seconds');
    expect(text).not.toContain('secret-in-the-url');
  });
});

describe('with METRICS_TOKEN', () => {
  const token = 'a-token-of-the-metrics';
  let guarded: TestApp;
  beforeAll(async () => {
    guarded = await startApp({ METRICS_TOKEN: token });
  });
  afterAll(() => guarded.close());

  it.each<Record<string, string>>([{}, { authorization: 'Bearer wrong' }, { authorization: token }])(
    'the metrics refuse %j',
    async (headers) => {
      const answer = await guarded.anyone('GET', '/metrics', undefined, headers);
      expect([answer.status, codeOf(answer)]).toEqual([401, 'MISSING_AUTH']);
      expect(answer.text).not.toContain('http_request_duration');
    },
  );

  it('the metrics do not exist in production without it', async () => {
    const open = await startApp({}, { NODE_ENV: 'production' });
    const answer = await open.anyone('GET', '/metrics');
    await open.close();
    expect([answer.status, answer.body.error.message]).toEqual([404, 'Unknown route']);
  });

  it('the metrics are shown to who sends it', async () => {
    const answer = await guarded.anyone('GET', '/metrics', undefined, { authorization: `Bearer ${token}` });
    expect([answer.status, answer.text.includes('http_request_duration_seconds')]).toEqual([200, true]);
  });
});

describe('security headers', () => {
  it('keep every reply from being read as another type', async () => {
    for (const url of ['/config', '/nothing', '/health/live', '/docs', '/docs/console/'])
      expect((await test.anyone('GET', url)).headers['x-content-type-options']).toBe('nosniff');
  });

  it('keep browsers on https where the API has it, and only there', async () => {
    const secure = await startApp({ API_URL: 'https://api.sender.test' });
    const { headers } = await secure.anyone('GET', '/config');
    await secure.close();
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
    expect((await test.anyone('GET', '/config')).headers).not.toHaveProperty('strict-transport-security');
  });
});

describe('GET /config', () => {
  it('needs no credential and returns the enabled features', async () => {
    const { status, body } = await test.anyone('GET', '/config');
    expect([status, body]).toEqual([
      200,
      {
        environment: 'test',
        urls: { api: 'http://localhost:3000', dashboard: 'http://localhost:3000' },
        features: {
          billing: { enabled: false },
          storage: { s3Enabled: false },
          authProviders: { github: false, google: false, oidc: false },
          signup: { signupsDisabled: false, verifyEmail: false },
          email: {
            transport: 'smtp',
            trackingToggleEnabled: true,
            sandboxFrom: 'sandbox@localhost',
            reportsReceived: false,
            feedbackAddress: null,
            simulatorDomain: 'postrider.test',
            mailboxUrl: null,
          },
        },
        engine: { state: 'starting', since: expect.any(String) },
        aws: null,
      },
    ]);
  });
});

describe('the API console', () => {
  it('is a page with a local script that may load nothing from other servers', async () => {
    const page = await test.anyone('GET', '/docs/console/');
    expect(page.status).toBe(200);
    const sources = [...page.text.matchAll(/\b(?:src|href)="([^"]+)"/g)].map(([, source]) => source);
    expect(sources).toEqual(['js/scalar.js']);
    expect(page.text).not.toMatch(/https?:\/\//);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
    const script = await test.anyone('GET', '/docs/console/js/scalar.js');
    expect([script.status, script.text.length > 100_000]).toEqual([200, true]);
  });

  it('shows the document of the REST door', async () => {
    const { status, body } = await test.anyone('GET', '/openapi.json');
    expect([status, body.openapi, body.info.version]).toEqual([
      200,
      '3.1.0',
      expect.stringMatching(/^\d+\.\d+\.\d+/),
    ]);
    const { post } = body.paths['/v1/send'];
    expect(post.security).toEqual([{ secretKey: [] }, { session: [], project: [] }]);
    expect(body.components.schemas.SendEmailInput.required).toEqual(['to']);
    expect(body.paths['/contacts/{id}'].get.responses['200'].content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/ContactWithLimits',
    });
    const references = [...JSON.stringify(body).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
    for (const [, name] of references) expect(body.components.schemas).toHaveProperty(name ?? '');
  });
});

describe('the dashboard', () => {
  let folder: string;
  let app: ReturnType<typeof createApp>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postrider-dashboard-'));
    await writeFile(join(folder, 'index.html'), '<!doctype html><title>Postrider</title>');
    await writeFile(join(folder, 'app.js'), 'export {};');
    app = createApp(test.services, { dashboardDir: folder });
  });
  afterAll(async () => {
    await app.close();
    await rm(folder, { recursive: true });
  });

  it('is at / for everyone, for GET and HEAD alike', async () => {
    for (const headers of [{}, { accept: '*/*' }, { accept: 'text/html' }]) {
      const answer = await app.inject({ url: '/', headers });
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      const head = await app.inject({ method: 'HEAD', url: '/', headers });
      expect([head.statusCode, head.body]).toEqual([200, '']);
      expect(head.headers['content-length']).toBe(answer.headers['content-length']);
    }
  });

  it.each(['/', '/p/42/campaigns', '/nothing', '/contacts/'])('is served to a browser at %s', async (url) => {
    const answer = await app.inject({
      url,
      headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
    });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(answer.body).toContain('Postrider');
    expect(answer.headers['cache-control']).toBe('no-cache');
  });

  it('runs its own scripts only, none of them inline, and in no frame of another page', async () => {
    const { headers } = await app.inject({ url: '/' });
    const policy = new Map(
      String(headers['content-security-policy'])
        .split(';')
        .map((directive): [string, string] => {
          const [name = '', ...values] = directive.trim().split(' ');
          return [name, values.join(' ')];
        }),
    );
    expect(policy.get('default-src')).toBe("'none'");
    expect(policy.get('script-src')).toBe("'self'");
    expect(policy.get('frame-ancestors')).toBe("'none'");
    expect(headers['cross-origin-opener-policy']).toBe('same-origin');
  });

  it('has files that may be cached indefinitely', async () => {
    const answer = await app.inject({ url: '/app.js' });
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([
      200,
      expect.stringContaining('immutable'),
    ]);
  });

  it.each([
    ['a program', { url: '/nothing', headers: { accept: '*/*' } }],
    ['a browser that posts', { url: '/nothing', method: 'POST' as const, headers: { accept: 'text/html' } }],
    ['a missing file', { url: '/missing.js', headers: { accept: '*/*' } }],
  ])('is not for %s: 404', async (_what, request) => {
    const answer = await app.inject(request);
    expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'RESOURCE_NOT_FOUND']);
  });

  it('is 404 if it was not built', async () => {
    const bare = createApp(test.services, { dashboardDir: join(folder, 'none') });
    const answer = await bare.inject({ url: '/', headers: { accept: 'text/html' } });
    expect(answer.statusCode).toBe(404);
    await bare.close();
  });
});

describe('400', () => {
  it('BAD_REQUEST for a URL that is not encoded correctly', async () => {
    const answer = await test.anyone('GET', '/contacts/%zz');
    expect([answer.status, codeOf(answer)]).toEqual([400, 'BAD_REQUEST']);
  });
});
