import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createTestServices, type TestServices } from '@postrider/core/testing';
import { loadedOnFirstUse, loadedPackages, notingModules } from '@postrider/core/testing/loaded-packages.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

let test: TestServices;
let delivery: ChildProcess;

beforeAll(async () => {
  test = await createTestServices();
  const { DATABASE_URL, APP_SECRET } = test.services.config;
  delivery = fork(fileURLToPath(new URL('./mail-worker.ts', import.meta.url)), {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL,
      APP_SECRET,
      SMTP_URL: 'smtp://127.0.0.1:1',
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      LOG_LEVEL: 'warn',
    },
    execArgv: notingModules,
  });
  for (;;) {
    const [message] = (await once(delivery, 'message')) as [{ type?: string }];
    if (message.type === 'ready') return;
  }
});
afterAll(async () => {
  delivery.kill('SIGKILL');
  await test.close();
});

it('a started delivery process has loaded no library of another process', async () => {
  const loaded = await loadedPackages(delivery);
  expect(loaded).toEqual(expect.arrayContaining(['nodemailer', 'pg']));
  const others = [...loadedOnFirstUse, 'fastify', '@temporalio/worker'];
  expect(others.filter((name) => loaded.includes(name))).toEqual([]);
});
