import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { watchChild } from './watchdog.ts';

const log = pino({ level: 'silent' });
const options = { checkMs: 100, silentChecks: 20, stalledMs: 1_000, stopMs: 200 };
const reports = (stalledMs: number): string =>
  `setInterval(() => process.send({ type: 'alive', stalledMs: ${stalledMs} }), 20);`;

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'watchdog-'));
});
afterAll(() => rm(directory, { recursive: true }));

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

async function start(code: string): Promise<ChildProcess> {
  const file = join(directory, 'child.mjs');
  await writeFile(file, code);
  const child = fork(file);
  children.push(child);
  watchChild(child, log, options);
  return child;
}

it('a process whose event loop is blocked is killed', async () => {
  const child = await start(`${reports(0)} setTimeout(() => { for (;;); }, 200);`);
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
});

it('a process that has stalled is asked to stop', async () => {
  const child = await start(`${reports(2_000)} process.once('SIGTERM', () => process.exit(7));`);
  expect(await once(child, 'exit')).toEqual([7, null]);
});

it('a process that has stalled and does not stop is killed', async () => {
  const child = await start(`${reports(2_000)} process.on('SIGTERM', () => {});`);
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
});

it('a process that reports goes on', async () => {
  const child = await start(reports(0));
  let reported = 0;
  await new Promise<void>((resolve) => {
    child.on('message', () => {
      reported += 1;
      if (reported === 150) resolve();
    });
  });
  expect(child.exitCode ?? child.signalCode).toBeNull();
});
