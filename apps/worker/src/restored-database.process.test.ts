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

it('a delivery process from before a restore ends with its next look and says why', async () => {
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
  try {
    let said = '';
    child.stdout?.on('data', (text: Buffer) => {
      said += text.toString();
    });
    await new Promise<void>((resolve, reject) => {
      child.on('message', ({ type }: { type?: string }) => type === 'ready' && resolve());
      child.once('exit', (code) => reject(new Error(`it ended with ${code} before it was ready`)));
    });
    const { prisma } = test.services.database;
    await prisma.epoch.create({ data: { epoch: 2, cause: 'restore' } });
    await prisma.installation.update({ where: { id: 1 }, data: { epoch: 2, hold: 'all' } });
    const restoredAt = performance.now();
    const [code] = await once(child, 'exit');
    expect(code).toBe(1);
    expect(performance.now() - restoredAt).toBeLessThan(60_000);
    expect(said).toContain('The database was restored (epoch 2); start again');
  } finally {
    child.kill('SIGKILL');
  }
});
