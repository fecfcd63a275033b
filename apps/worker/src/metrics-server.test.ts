import { expect, it, onTestFinished } from 'vitest';
import { serveMetrics } from './metrics-server.ts';

const token = 'a-token-of-the-metrics';

it.each<[string, object, string, Record<string, string>, number]>([
  ['in development', { NODE_ENV: 'development' }, '/metrics', {}, 200],
  ['in production without METRICS_TOKEN', { NODE_ENV: 'production' }, '/metrics', {}, 404],
  ['without the token', { NODE_ENV: 'production', METRICS_TOKEN: token }, '/metrics', {}, 401],
  [
    'with another token',
    { NODE_ENV: 'production', METRICS_TOKEN: token },
    '/metrics',
    { authorization: `Bearer ${token}x` },
    401,
  ],
  [
    'with the token',
    { NODE_ENV: 'production', METRICS_TOKEN: token },
    '/metrics',
    { authorization: `Bearer ${token}` },
    200,
  ],
  ['at another path', { NODE_ENV: 'development' }, '/', {}, 404],
])('metrics of the worker %s', async (_when, config, path, headers, status) => {
  const server = await serveMetrics(
    { HOST: '127.0.0.1', METRICS_TOKEN: undefined, NODE_ENV: 'test', ...config },
    0,
    async () => [],
  );
  onTestFinished(() => server.close());
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers });
  const text = await answer.text();
  expect([answer.status, text.includes('nodejs_eventloop_lag_seconds')]).toEqual([status, status === 200]);
});

it('metrics of the worker count reports, refusals, tasks and turns', async () => {
  await import('@postrider/core/adapters');
  await import('@postrider/core/mail/delivery');
  await import('./bounces/bounce-receiver.ts');
  const server = await serveMetrics(
    { HOST: '127.0.0.1', METRICS_TOKEN: undefined, NODE_ENV: 'test' },
    0,
    async () => [],
  );
  onTestFinished(() => server.close());
  const text = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
  for (const name of [
    'postrider_composing_setbacks_total',
    'postrider_report_refusals_total',
    'postrider_reports_total',
    'postrider_task_limits_total',
    'postrider_turn_wait_seconds',
  ])
    expect(text).toContain(`# TYPE ${name} `);
});
