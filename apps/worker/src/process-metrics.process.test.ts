import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { ChildMetrics, type Snapshot, textOf } from './process-metrics.ts';

const entry = fileURLToPath(new URL('./testing/counting-process.fixture.ts', import.meta.url));
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

async function start(metrics: ChildMetrics): Promise<ChildProcess> {
  const child = fork(entry, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: [] });
  started.push(child);
  metrics.add(child);
  await once(child, 'message');
  return child;
}

async function count(child: ChildProcess, what: string): Promise<void> {
  child.send(what);
  await once(child, 'message');
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

const valuesOf = (snapshot: Snapshot, name: string): number[] =>
  snapshot.find((metric) => metric.name === name)?.values.map(({ value }) => value) ?? [];

it('metrics of several processes are added up, and what an ended one counted stays', async () => {
  const metrics = new ChildMetrics();
  const [first, second] = await Promise.all([start(metrics), start(metrics)]);
  await count(first, 'mail');
  await Promise.all([count(second, 'mail'), count(second, 'news')]);
  const before = await metrics.read();
  expect(valuesOf(before, 'counted_total').sort()).toEqual([1, 2]);
  expect(valuesOf(before, 'held')).toEqual([2]);
  expect(valuesOf(before, 'process_resident_memory_bytes')).toHaveLength(1);

  await end(second);
  const third = await start(metrics);
  await count(third, 'news');
  const after = await metrics.read();
  expect(valuesOf(after, 'counted_total')).toEqual([2, 2]);
  expect(valuesOf(after, 'held')).toEqual([2]);
});

it('a process that does not answer is shown as it was', async () => {
  const metrics = new ChildMetrics();
  const child = await start(metrics);
  await count(child, 'mail');
  await metrics.read();
  child.kill('SIGSTOP');
  expect(valuesOf(await metrics.read(), 'counted_total')).toEqual([1]);
});

it('each process has its label', async () => {
  const metrics = new ChildMetrics();
  await count(await start(metrics), 'mail');
  const snapshot = await metrics.read();
  const text = await textOf({ worker: snapshot, delivery: snapshot });
  expect(text).toContain('counted_total{what="mail",process="worker"} 1');
  expect(text).toContain('counted_total{what="mail",process="delivery"} 1');
  expect(text.match(/# TYPE counted_total /g)).toHaveLength(1);
});
