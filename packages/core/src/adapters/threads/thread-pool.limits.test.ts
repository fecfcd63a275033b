import { fork } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { queryObjects } from 'node:v8';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { AppError } from '../../base/kernel/errors.ts';
import { ownTurns } from '../../base/kernel/ports/owners.ts';
import {
  bytesTask,
  echoTask,
  endlessTask,
  failTask,
  hoardTask,
  lengthTask,
  priorityTask,
  threadIdTask,
  waitTask,
} from './tasks.fixture.ts';
import { type PoolOptions, ThreadPool } from './thread-pool.ts';

const pools: ThreadPool[] = [];
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())));

function openPool(options: Partial<PoolOptions> = {}): ThreadPool {
  const pool = new ThreadPool({
    entry: new URL('./thread.fixture.ts', import.meta.url),
    data: { linksUrl: 'http://localhost', secret: 'a secret of these tests alone', previousSecrets: [] },
    memoryMb: 64,
    owners: ownTurns,
    size: 2,
    ...options,
  });
  pools.push(pool);
  return pool;
}

const a = { projectId: 'a', cpuMs: 80 };
const b = { projectId: 'b', cpuMs: 80 };

test.runIf(process.platform === 'linux')(
  'threads give way to the process, so that it answers while tasks occupy every core',
  async () => {
    expect(await openPool().run(priorityTask, null, a)).toBeGreaterThan(getPriority(process.pid));
  },
);

describe('a task', () => {
  test('that runs without end is stopped, and the next one gets a new thread', async () => {
    const limits: string[][] = [];
    const onLimit = (task: string, _turn: unknown, limit: string): unknown => limits.push([task, limit]);
    const pool = openPool({ events: { onLimit } });
    await expect(pool.run(endlessTask, null, a)).rejects.toMatchObject({
      name: 'TaskLimitError',
      limit: 'time',
    });
    expect(limits).toEqual([['endless', 'time']]);
    expect(await pool.run(echoTask, 'after', a)).toBe('after');
  });

  test('that needs too much memory is stopped, and the next one gets a new thread', async () => {
    const pool = openPool();
    const options = { projectId: 'a', cpuMs: 60_000 };
    await expect(pool.run(hoardTask, null, options)).rejects.toMatchObject({ limit: 'memory' });
    expect(await pool.run(echoTask, 'after', a)).toBe('after');
  });

  test('that waits for the CPU longer than its limit is not stopped', async () => {
    const pool = openPool();
    expect(await pool.run(waitTask, 1_000, { projectId: 'a', cpuMs: 50 })).toBe('waited');
  });

  test('that waits too long for a thread is refused, with the time after which it may be asked again, and leaves nothing behind', async () => {
    const pool = openPool({ patienceMs: 300, maxWaiting: 1 });
    const running = pool.run(waitTask, 600_000, { projectId: 'a', cpuMs: 600_000 }).catch(() => null);
    for (let round = 0; round < 2; round += 1) {
      // It may be refused before the other one has its thread.
      const refused = expect(pool.run(echoTask, 'x', a)).rejects.toMatchObject({
        code: 'RATE_LIMIT_EXCEEDED',
        details: { retryAfter: 1 },
      });
      expect(await pool.run(echoTask, 'b', b)).toBe('b');
      await refused;
    }
    // A pause that follows a slow task: three times its time.
    await expect(pool.run(endlessTask, null, { projectId: 'c', cpuMs: 900 })).rejects.toMatchObject({
      limit: 'time',
    });
    const error = await pool.run(echoTask, 'x', { ...a, projectId: 'c' }).catch((reason: unknown) => reason);
    expect((error as AppError).details?.retryAfter).toBeGreaterThanOrEqual(2);
    await pool.close();
    await running;
  });

  test('that waits for something that does not come is stopped, which is no fault of its content', async () => {
    const pool = openPool();
    await expect(pool.run(waitTask, 600_000, { projectId: 'a', cpuMs: 30 })).rejects.toMatchObject({
      name: 'ThreadsUnavailableError',
    });
    expect(await pool.run(echoTask, 'after', a)).toBe('after');
  });

  test.runIf(process.platform !== 'win32')(
    'of a process that was stopped for longer than its patience goes on afterwards',
    async () => {
      const child = fork(fileURLToPath(new URL('./stopped-process.fixture.ts', import.meta.url)), {
        execArgv: process.execArgv,
      });
      const message = () => once(child, 'message').then(([text]) => text as string);
      expect(await message()).toBe('begun');
      child.kill('SIGSTOP');
      await delay(4_500);
      const ended = message();
      child.kill('SIGCONT');
      expect(await ended).toBe('waited');
      child.kill();
    },
  );

  test('that fails reports its error, and its thread goes on', async () => {
    const pool = openPool();
    await expect(pool.run(failTask, 'the reason', a)).rejects.toThrow('the reason');
    expect(await pool.run(echoTask, 'after', a)).toBe('after');
  });

  test('can hand over a buffer', async () => {
    expect(await openPool().run(bytesTask, 3, a)).toEqual(new Uint8Array([7, 7, 7]));
  });
});

test('a task that has ended leaves nothing behind in its thread, which may live for months', async () => {
  const pool = openPool({ size: 1 });
  const run = async (count: number): Promise<number> => {
    for (let index = 0; index < count; index += 1) await pool.run(echoTask, String(index), a);
    return queryObjects(Promise, { format: 'count' });
  };
  const before = await run(100);
  expect((await run(1_000)) - before).toBeLessThan(500);
});

describe('a project whose tasks all run without end', () => {
  test('delays no other project', async () => {
    const pool = openPool();
    const ended: string[] = [];
    const attacks = Array.from({ length: 10 }, () =>
      pool.run(endlessTask, null, a).catch(() => ended.push('attack')),
    );
    for (let i = 0; i < 20; i++) {
      await pool.run(echoTask, 'b', b);
      ended.push('b');
    }
    expect(ended.filter((name) => name === 'attack').length).toBeLessThan(10);
    await Promise.all(attacks);
    expect(ended.filter((name) => name === 'attack')).toHaveLength(10);
  });

  test('pauses after a slow one, others do not', async () => {
    const pool = openPool();
    const ended: string[] = [];
    await expect(pool.run(endlessTask, null, { ...a, cpuMs: 300 })).rejects.toThrow('too long');
    const paused = pool.run(echoTask, 'a', a).then(() => ended.push('a'));
    for (let i = 0; i < 20; i++) {
      await pool.run(echoTask, 'b', b);
      ended.push('b');
    }
    expect(ended).not.toContain('a');
    await paused;
  });

  test('takes turns with others that wait for the same thread', async () => {
    const pool = openPool({ size: 1 });
    const ended: string[] = [];
    const run = (name: string): Promise<unknown> =>
      pool.run(endlessTask, null, { projectId: name, cpuMs: 20 }).catch(() => ended.push(name));
    await Promise.all(['a', 'a', 'a', 'b', 'b', 'c'].map(run));
    expect(ended).toEqual(['a', 'a', 'b', 'c', 'a', 'b']);
  });

  test('is refused once too many of them wait, others are not', async () => {
    const pool = openPool({ maxWaiting: 2 });
    const results = Promise.allSettled(Array.from({ length: 5 }, () => pool.run(endlessTask, null, a)));
    expect(await pool.run(echoTask, 'b', b)).toBe('b');
    const codes = (await results).map((result) => result.status === 'rejected' && result.reason.code);
    expect(codes.filter((code) => code === 'RATE_LIMIT_EXCEEDED')).toHaveLength(2);
  });
});

test('tasks of a key that is halved occupy at most half of the threads', async () => {
  const pool = openPool({ size: 4 });
  const waiting = (projectId: string, isHalved: boolean): Promise<unknown> =>
    pool.run(waitTask, 600_000, { projectId, cpuMs: 600_000, isHalved }).catch(() => null);
  const halved = [1, 2, 3, 4].map(() => waiting('reports', true));
  // With half of the threads occupied, one of the others serves this one while the last is occupied for good.
  const other = waiting('a', false);
  expect(await pool.run(echoTask, 'b', b)).toBe('b');
  await pool.close();
  await Promise.all([...halved, other]);
});

test('an input that a task takes is moved to it', async () => {
  const input = new Uint8Array([1, 2, 3]);
  expect(await openPool().run(lengthTask, input, a)).toBe(3);
  expect(input.byteLength).toBe(0);
});

test('a module that cannot be loaded fails its tasks and leaves the pool usable', async () => {
  const pool = openPool({ entry: new URL('./no-such-file.ts', import.meta.url) });
  await expect(pool.run(echoTask, 'x', a)).rejects.toThrow('no-such-file');
  await expect(pool.run(echoTask, 'x', a)).rejects.toThrow('no-such-file');
});

test('threads can be started before their first task', async () => {
  const pool = openPool();
  await Promise.all([pool.start(), pool.start()]);
  expect(await Promise.all([pool.run(echoTask, 'x', a), pool.run(echoTask, 'y', b)])).toEqual(['x', 'y']);
});

test('a thread without a task ends, and the next task has another', async () => {
  const pool = openPool({ size: 1, idleMs: 50 });
  const first = await pool.run(threadIdTask, null, a);
  await vi.waitUntil(async () => (await pool.run(threadIdTask, null, a)) !== first, {
    interval: 400,
    timeout: 60_000,
  });
});

test('threads without a task end at once when memory is short, and one that works goes on', async () => {
  const pool = openPool({ size: 2 });
  await pool.start();
  const first = await pool.run(threadIdTask, null, a);
  const working = pool.run(waitTask, 300, b);
  pool.release();
  await working;
  expect(await pool.run(threadIdTask, null, b)).not.toBe(first);
});

test('closing ends running and waiting tasks', async () => {
  const pool = openPool();
  const tasks = Promise.allSettled(
    [1, 2, 3].map(() => pool.run(endlessTask, null, { ...a, cpuMs: 600_000 })),
  );
  await pool.run(echoTask, 'b', b);
  await pool.close();
  expect((await tasks).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
});
