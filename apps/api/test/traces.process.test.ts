import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { newId } from '@postrider/core/base/lib';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '@postrider/core/testing';
import {
  type CollectedSpan,
  type OtlpCollector,
  startOtlpCollector,
} from '@postrider/core/testing/otlp-collector.ts';
import { type Sink, startSink } from '@postrider/local/sink';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ServedApi, serveApi } from './served-api.ts';

/** The api, a delivery process, a mail server and a collector, each for itself. */
let sink: Sink;
let collector: OtlpCollector;
let test: TestServices;
let project: TestProject;
let api: ServedApi;
let delivery: ChildProcess;

beforeAll(async () => {
  [sink, collector, test] = await Promise.all([startSink(), startOtlpCollector(), createTestServices()]);
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'traced.test');
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER_ARG: '0',
    RATE_LIMIT_PER_MINUTE: '1000000',
  };
  api = await serveApi(test.services, env);
  const { DATABASE_URL, APP_SECRET } = test.services.config;
  delivery = fork(fileURLToPath(new URL('../../worker/src/mail-worker.ts', import.meta.url)), {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL,
      APP_SECRET,
      SMTP_URL: sink.url,
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      LOG_LEVEL: 'warn',
      ...env,
    },
  });
  for (;;) {
    const [message] = (await once(delivery, 'message')) as [{ type?: string }];
    if (message.type === 'ready') break;
  }
});
afterAll(async () => {
  const ended = once(delivery, 'exit');
  delivery.kill('SIGTERM');
  await Promise.all([ended, api.stop()]);
  await test.close();
  await Promise.all([sink.stop(), collector.close()]);
});

const subject = 'Quite a private subject';
const body = 'Words that are for one reader alone';

function send(traceparent: string, email: string): Promise<Response> {
  return fetch(`${api.url}/v1/send`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${project.secretKey}`,
      'content-type': 'application/json',
      'x-request-id': `request-of-${email.replaceAll('@', '.')}`,
      traceparent,
    },
    body: JSON.stringify({
      to: { name: 'Secretive Person', email },
      from: 'sender@traced.test',
      subject,
      body: `<p>${body}</p><a href="https://links.example/secret-path">link</a>`,
    }),
  });
}

const newTrace = (): string => newId().replaceAll('-', '');
const headerOf = (traceId: string, flags = '01'): string => `00-${traceId}-b7ad6b7169203331-${flags}`;

it('a trace goes from the request that names it to the mail server, through both processes', async () => {
  const traceId = newTrace();
  expect((await send(headerOf(traceId), 'first@people.test')).status).toBe(200);
  const isLast = (span: CollectedSpan): boolean => span.traceId === traceId && span.name === 'delivery.batch';
  const spans = (await collector.until(isLast)).filter((span) => span.traceId === traceId);
  const named = (name: string): CollectedSpan | undefined => spans.find((span) => span.name === name);
  const [door, operation, stored] = ['POST /v1/send', 'sending.send', 'sql send'].map(named);
  const [claim, batch, composed, session, handedOver] = [
    'delivery.claim',
    'delivery.batch',
    'delivery.compose',
    'smtp.session',
    'smtp.transaction',
  ].map(named);
  expect(door).toMatchObject({ process: 'api', parentSpanId: 'b7ad6b7169203331' });
  expect(operation).toMatchObject({ process: 'api', parentSpanId: door?.spanId });
  expect(stored).toMatchObject({ process: 'api', parentSpanId: operation?.spanId });
  for (const span of [claim, batch])
    expect(span).toMatchObject({ process: 'delivery', parentSpanId: operation?.spanId });
  for (const span of [composed, session, handedOver])
    expect(span).toMatchObject({ process: 'delivery', parentSpanId: batch?.spanId });
  expect(session?.attributes).toEqual({
    'postrider.route': handedOver?.attributes['postrider.route'],
    'postrider.outcome': 'open',
  });
  const { id } = await test.services.database.prisma.email.findFirstOrThrow({
    where: { to: 'first@people.test' },
  });
  expect(handedOver?.attributes).toMatchObject({
    'postrider.email_id': id,
    'postrider.outcome': '2xx',
    'postrider.attempt': 1,
  });
});

it('a mail server that takes no connection is seen without a sampled trace, and its email leaves later', async () => {
  await sink.setBehaviour({ paused: true });
  expect((await send(headerOf(newTrace(), '00'), 'later@people.test')).status).toBe(200);
  const isRefused = ({ name, attributes }: CollectedSpan): boolean =>
    name === 'smtp.session' && attributes['postrider.outcome'] !== 'open';
  const session = (await collector.until(isRefused)).find(isRefused);
  expect(session?.attributes).toMatchObject({
    'postrider.outcome': 'connect',
    'postrider.kept': 'error',
  });
  await sink.setBehaviour({ paused: false });
  await expect.poll(() => sink.byRecipient().has('later@people.test')).toBe(true);
});

it('requests that one statement stores share its span, and email of a trace that is not sampled has none', async () => {
  const traces = Array.from({ length: 40 }, newTrace);
  const quiet = newTrace();
  const answers = await Promise.all([
    ...traces.map((traceId, n) => send(headerOf(traceId), `shared-${n}@people.test`)),
    send(headerOf(quiet, '00'), 'quiet@people.test'),
  ]);
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  for (const traceId of traces)
    await collector.until((span) => span.traceId === traceId && span.name === 'delivery.batch');
  const doors = new Map(
    collector.spans.flatMap((span) => (span.name === 'sending.send' ? [[span.spanId, span.traceId]] : [])),
  );
  const statements = collector.spans.filter(({ name }) => name === 'sql send');
  const sharers = statements.flatMap(({ parentSpanId = '', links }) => [
    doors.get(parentSpanId),
    ...links.map(({ spanId }) => doors.get(spanId)),
  ]);
  for (const traceId of traces) expect(sharers.filter((sharer) => sharer === traceId)).toHaveLength(1);
  expect(collector.spans.filter(({ traceId }) => traceId === quiet)).toEqual([]);
  expect(await test.services.database.prisma.deliveryBatch.count({ where: { trace: { not: null } } })).toBe(
    0,
  );
});

it('of 10,000 spans none has an address, a name, a text, a link or a token', async () => {
  for (let round = 0; collector.spans.length < 10_000; round += 1) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => send(headerOf(newTrace()), `many-${round}-${n}@people.test`)),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    if (round > 400) throw new Error('there are too few spans');
  }
  const all = collector.bodies.join('\n');
  for (const secret of [
    '@',
    'people.test',
    'Secretive',
    'private',
    'Words that',
    'links.example',
    'secret-path',
    'request-of-',
    project.secretKey,
  ])
    expect(all).not.toContain(secret);
}, 300_000);
