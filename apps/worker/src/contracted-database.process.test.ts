import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createTestServices, type TestServices } from '@postrider/core/testing';
import { strippedFlags } from '@postrider/local/stripped-flags';
import { afterAll, beforeAll, expect, it } from 'vitest';

const entry = fileURLToPath(new URL('./mail-worker.ts', import.meta.url));

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

/** A delivery process on the database of the test, and what it writes. */
function start() {
  const { DATABASE_URL, APP_SECRET } = test.services.config;
  const child = fork(entry, [], {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      ...{ DATABASE_URL, APP_SECRET, SMTP_URL: 'smtp://127.0.0.1:1', LOG_LEVEL: 'fatal' },
    },
    execArgv: strippedFlags(),
    silent: true,
  });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text: Buffer) => said.push(text.toString()));
  return { child, said };
}

const sentence =
  'This database was migrated by 0.2; 0.1 cannot use it. Start 0.2, or restore a backup from before it.';

it('a process whose version is excluded by a contraction ends in order with its next look, and does not start again', async () => {
  const { prisma } = test.services.database;
  const running = start();
  try {
    await new Promise<void>((resolve, reject) => {
      running.child.on('message', ({ type }: { type?: string }) => type === 'ready' && resolve());
      running.child.once('exit', (code) => reject(new Error(`it ended with ${code} before it was ready`)));
    });
    await expect.poll(() => prisma.process.count({ where: { kind: 'delivery' } })).toBe(1);
    await prisma.installation.update({ where: { id: 1 }, data: { minVersion: '0.2.0' } });
    const contractedAt = performance.now();
    const [code] = await once(running.child, 'exit');
    expect(code).toBe(0);
    expect(performance.now() - contractedAt).toBeLessThan(60_000);
    expect(running.said.join()).toContain(sentence);
    expect(await prisma.process.count()).toBe(0);
  } finally {
    running.child.kill('SIGKILL');
  }
  const again = start();
  const [code] = await once(again.child, 'close');
  expect(code).toBe(1);
  expect(again.said.join('')).toBe(`${sentence}\n`);
});
