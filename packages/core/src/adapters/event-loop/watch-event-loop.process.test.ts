import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';

const entry = fileURLToPath(new URL('./stand-still.fixture.ts', import.meta.url));
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

async function start(...args: string[]): Promise<ChildProcess> {
  const child = fork(entry, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], execArgv: [] });
  started.push(child);
  await answer(child);
  return child;
}

const answer = async (child: ChildProcess): Promise<unknown> => (await once(child, 'message'))[0];

async function ask(child: ChildProcess, message: string): Promise<unknown> {
  const reply = answer(child);
  child.send(message);
  return reply;
}

it('a process whose event loop stands still writes why and ends', async () => {
  const child = await start();
  const output = child.stdout ? text(child.stdout) : '';
  const ended = once(child, 'exit');
  child.send('stand still');
  expect(await ended).toEqual([null, 'SIGKILL']);
  expect(JSON.parse(await output)).toMatchObject({
    level: 60,
    name: 'fixture',
    pid: child.pid,
    silentMs: 500,
    msg: 'the event loop stands still',
  });
});

it('a process counts how often its event loop stood still', async () => {
  // A stall is much longer than two looks, and much shorter than what ends the process.
  const child = await start('200');
  const before = Number(await ask(child, 'count stalls'));
  for (let time = 0; time < 2; time += 1) {
    await ask(child, 'stand still for a moment');
    // The heartbeat that ends the stall.
    await pause(200);
  }
  // On a busy machine it may have stood still once more.
  expect(await ask(child, 'count stalls')).toBeGreaterThanOrEqual(before + 2);
});

it('a process that is stopped as a whole for longer goes on afterwards', async () => {
  const child = await start();
  for (let time = 0; time < 3; time += 1) {
    child.kill('SIGSTOP');
    // Longer than the 10 looks of 50 ms after which the process would end.
    await pause(1_500);
    child.kill('SIGCONT');
    expect(await ask(child, 'hello')).toBe('hello');
  }
});

it('a process that a debugger can stop does not end', async () => {
  const child = await start();
  expect(await ask(child, 'open the inspector')).toBe('open the inspector');
  // The next heartbeat tells the thread.
  await pause(200);
  expect(await ask(child, 'hello')).toBe('hello');
  child.send('stand still');
  await pause(1_500);
  expect(child.exitCode ?? child.signalCode).toBeNull();
});
