import { once } from 'node:events';
import { createTestServices, type TestServices } from '@postrider/core/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveApi } from './served-api.ts';

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

it('a process from before a restore ends within 20 seconds and says why; one that is started again works', async () => {
  const api = await serveApi(test.services, { LOG_LEVEL: 'fatal' });
  let said = '';
  api.process.stdout?.on('data', (text: Buffer) => {
    said += text.toString();
  });
  expect((await fetch(`${api.url}/health/live`)).status).toBe(200);
  const { prisma } = test.services.database;
  await prisma.epoch.create({ data: { epoch: 2, cause: 'restore' } });
  await prisma.installation.update({ where: { id: 1 }, data: { epoch: 2 } });
  const restoredAt = performance.now();
  const [code] = await once(api.process, 'exit');
  expect(code).toBe(1);
  expect(performance.now() - restoredAt).toBeLessThan(20_000);
  expect(said).toContain('The database was restored (epoch 2); start again');

  const again = await serveApi(test.services);
  expect((await fetch(`${again.url}/health/live`)).status).toBe(200);
  await again.stop();
});
