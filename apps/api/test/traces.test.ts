import { createServer, type Server } from 'node:net';
import { startTracing } from '@postrider/core/adapters';
import { newId } from '@postrider/core/base/lib';
import { type OtlpCollector, startOtlpCollector } from '@postrider/core/testing/otlp-collector.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from './harness.ts';

let collector: OtlpCollector;
let test: TestApp;
let stop: () => Promise<void>;

beforeAll(async () => {
  collector = await startOtlpCollector();
  test = await startApp({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=a%20secret,x-tenant=mail',
    OTEL_TRACES_SAMPLER_ARG: '0',
  });
  const { config, log } = test.services;
  stop = await startTracing(config, { process: 'api', log, delayMs: 10 });
});
afterAll(async () => {
  await stop();
  await test.close();
  await collector.close();
});

const spanId = 'b7ad6b7169203331';
const newTrace = (): string => newId().replaceAll('-', '');
const headerOf = (traceId: string, flags = '01'): string => `00-${traceId}-${spanId}-${flags}`;

const endOf = async (traceId: string, name: string) => {
  const spans = await collector.until((span) => span.traceId === traceId && span.name === name);
  return spans.filter((span) => span.traceId === traceId);
};

/** A request whose span is exported, as the last of what is then there. */
async function lastOf(send: () => Promise<unknown>): Promise<void> {
  await send();
  const traceId = newTrace();
  await test.withKey(test.project.secretKey)('GET', '/templates', undefined, {
    traceparent: headerOf(traceId),
  });
  await endOf(traceId, 'GET /templates');
}

describe('a request that names its trace', () => {
  it('by a secret key: its spans are parts of that trace, from the route to its statements', async () => {
    const traceId = newTrace();
    const requestId = newId();
    const answer = await test.withKey(test.project.secretKey)(
      'POST',
      '/v1/track',
      { email: 'traced@example.com', event: 'opened-a-door' },
      { traceparent: headerOf(traceId), 'x-request-id': requestId },
    );
    // The path takes public keys only.
    expect(answer.status).toBe(401);
    const sent = await test.withKey(test.project.secretKey)('GET', '/contacts', undefined, {
      traceparent: headerOf(traceId),
      'x-request-id': requestId,
    });
    expect(sent.status).toBe(200);
    const spans = await endOf(traceId, 'GET /contacts');
    const door = spans.find(({ name }) => name === 'GET /contacts');
    expect(door).toMatchObject({
      parentSpanId: spanId,
      process: 'api',
      hasFailed: false,
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/contacts',
        'http.response.status_code': 200,
        'postrider.operation': 'contacts.list',
        'postrider.project_id': test.project.id,
        'postrider.request_id': requestId,
      },
    });
    const gate = spans.find(({ name }) => name === 'sql keys');
    expect(gate).toMatchObject({ parentSpanId: door?.spanId });
    expect(spans.find(({ name }) => name === 'contacts.list')).toMatchObject({ parentSpanId: door?.spanId });
    expect(collector.headers[0]).toMatchObject({ 'x-api-key': 'a secret', 'x-tenant': 'mail' });
  });

  it('by a session, in REST and tRPC', async () => {
    const send = await test.withSession('OWNER');
    const traceId = newTrace();
    const traceparent = headerOf(traceId);
    await send('GET', '/templates', undefined, { traceparent });
    const input = encodeURIComponent(JSON.stringify({}));
    const answer = await send('GET', `/trpc/templates.list?input=${input}`, undefined, { traceparent });
    expect(answer.status).toBe(200);
    const spans = await endOf(traceId, 'GET /trpc/:path');
    const operations = spans.filter(({ name }) => name === 'templates.list');
    expect(operations).toHaveLength(2);
    const doors = spans.filter(({ name }) => name.startsWith('GET ')).map((span) => span.spanId);
    expect(operations.map(({ parentSpanId }) => parentSpanId).sort()).toEqual(doors.sort());
  });

  it('in GraphQL each operation has its span', async () => {
    const traceId = newTrace();
    const query = '{ templates { page } contacts(first: 1) { edges { node { id } } } }';
    const { body } = await test.withKey(test.project.secretKey)(
      'POST',
      '/graphql',
      { query },
      { traceparent: headerOf(traceId) },
    );
    expect(body.errors).toBeUndefined();
    const spans = await endOf(traceId, 'POST /graphql');
    const door = spans.find(({ name }) => name === 'POST /graphql');
    for (const name of ['templates.list', 'contacts.list'])
      expect(spans.find((span) => span.name === name)).toMatchObject({ parentSpanId: door?.spanId });
  });

  it('that is not sampled there: nothing is exported', async () => {
    const traceId = newTrace();
    await lastOf(() =>
      test.withKey(test.project.secretKey)('GET', '/contacts', undefined, {
        traceparent: headerOf(traceId, '00'),
      }),
    );
    expect(collector.spans.filter((span) => span.traceId === traceId)).toEqual([]);
  });

  it.each(['public key', 'wrong key', 'no key', 'page'])(
    'by a %s: it begins a trace of its own',
    async (who) => {
      const traceId = newTrace();
      const traceparent = headerOf(traceId);
      const track = { email: 'public@example.com', event: 'seen' };
      const ways: Record<string, () => Promise<{ status: number }>> = {
        'public key': () => test.withKey(test.project.publicKey)('POST', '/v1/track', track, { traceparent }),
        'wrong key': () =>
          test.withKey(`sk_${'0'.repeat(64)}`)('GET', '/contacts', undefined, { traceparent }),
        'no key': () => test.anyone('GET', '/contacts', undefined, { traceparent }),
        page: () => test.anyone('GET', '/u/not-a-token', undefined, { traceparent }),
      };
      await lastOf(async () => {
        const { status } = (await ways[who]?.()) ?? { status: 0 };
        expect(status).toBe({ 'public key': 200, page: 404 }[who] ?? 401);
      });
      expect(collector.spans.filter((span) => span.traceId === traceId)).toEqual([]);
    },
  );

  it.each([
    'nonsense',
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${newTrace()}-${spanId}-01-more`,
    'x'.repeat(8_000),
  ])('with a header that is not valid (%#) is answered as without one', async (traceparent) => {
    const answer = await test.withKey(test.project.secretKey)('GET', '/contacts', undefined, { traceparent });
    expect(answer.status).toBe(200);
  });
});

describe('a trace that is not sampled', () => {
  it('exports what fails, at most five spans in a second', async () => {
    const before = collector.spans.length;
    const began = performance.now();
    const { durable } = test.services.database;
    await durable.query('ALTER TABLE "Template" RENAME TO "Away"');
    const send = test.withKey(test.project.secretKey);
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => send('GET', '/templates?search=someone@example.com')),
    );
    await durable.query('ALTER TABLE "Away" RENAME TO "Template"');
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(500));
    const seconds = Math.floor((performance.now() - began) / 1_000) + 2;
    await collector.until((span) => span.hasFailed);
    await lastOf(async () => undefined);
    const failed = collector.spans.slice(before).filter(({ hasFailed }) => hasFailed);
    expect(failed.length).toBeGreaterThan(0);
    expect(failed.length).toBeLessThanOrEqual(5 * seconds);
    for (const { attributes } of failed) expect(attributes['postrider.kept']).toBe('error');
    expect(collector.bodies.join('')).not.toContain('someone@example.com');
  });
});

describe('a collector that does not answer', () => {
  const cases = ['is not there', 'refuses', 'never answers', 'answers slowly'] as const;
  it.each(cases)('%s: requests are answered as fast, and the queue has a bound', async (what) => {
    await stop();
    const silent: Server = createServer(() => undefined).listen(0, '127.0.0.1');
    const address = silent.address();
    const port = typeof address === 'object' && address ? address.port : 1;
    const slow = await startOtlpCollector((response) => {
      if (what === 'refuses') response.writeHead(500).end();
      else setTimeout(() => response.writeHead(200).end('{}'), 500);
    });
    const url = { 'is not there': 'http://127.0.0.1:1', 'never answers': `http://127.0.0.1:${port}` };
    const endpoint = url[what as keyof typeof url] ?? slow.url;
    const config = {
      ...test.services.config,
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_TRACES_SAMPLER_ARG: 1,
    };
    stop = await startTracing(config, { process: 'api', log: test.services.log, delayMs: 5 });
    const send = test.withKey(test.project.secretKey);
    const began = performance.now();
    for (let round = 0; round < 10; round += 1) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => send('GET', '/templates')));
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    }
    expect(performance.now() - began).toBeLessThan(10_000);
    const stopping = performance.now();
    await stop();
    expect(performance.now() - stopping).toBeLessThan(3_000);
    stop = async () => undefined;
    await slow.close();
    silent.close();
  });
});
