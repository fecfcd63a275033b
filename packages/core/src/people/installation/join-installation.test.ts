import { hostname } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fitSchema, lastMigration, version } from '../../base/db/index.ts';
import { newId } from '../../base/lib/index.ts';
import { createTestServices, type TestServices } from '../../testing/index.ts';
import {
  findProcesses,
  joinInstallation,
  type Membership,
  readEpoch,
  resumeInstallation,
  stopInstallation,
} from './index.ts';

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

const everyMs = 20;

interface Joined extends Membership {
  /** what the process says when it ends */
  ended: Promise<string>;
  said: string[];
}

function join(aheadMs = 0): Joined {
  const said: string[] = [];
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  const say = (text: string): void => {
    said.push(text);
    resolve(text);
  };
  const membership = joinInstallation(test.services, {
    kind: 'worker',
    everyMs,
    clock: () => Date.now() + aheadMs,
    onRestored: say,
    onMisfit: (text) => say(`stops: ${text}`),
  });
  return { ended, said, ...membership };
}

const processes = () => findProcesses(test.services.database.durable);

const looks = () => new Promise((resolve) => setTimeout(resolve, 10 * everyMs));

it('a process goes on in its epoch, whatever is held, and ends when the database was restored', async () => {
  const { prisma } = test.services.database;
  const process = join();
  await prisma.installation.update({ where: { id: 1 }, data: { hold: 'marketing' } });
  await looks();
  expect(process.said).toEqual([]);
  await prisma.epoch.create({ data: { epoch: 2, cause: 'restore' } });
  await prisma.installation.update({ where: { id: 1 }, data: { epoch: 2, hold: null } });
  expect(await process.ended).toBe('The database was restored (epoch 2); start again');
  await looks();
  expect(process.said).toHaveLength(1);
});

it('two restores of one backup are two epochs, although they have one number', async () => {
  const process = join();
  await looks();
  await test.services.database.prisma.epoch.update({
    where: { epoch: 2 },
    data: { startedAt: new Date(Date.now() + 1_000) },
  });
  expect(await process.ended).toContain('(epoch 2)');
});

it('a database that was restored by hand is none of an installation', async () => {
  const row = await test.services.database.prisma.installation.delete({ where: { id: 1 } });
  expect(await readEpoch(test.services.database)).toBeNull();
  expect(await join().ended).toContain('no row in "Installation"');
  await test.services.database.prisma.installation.create({ data: row });
});

it('a process stops when the database was contracted for a later version, and when that is two minor versions ahead', async () => {
  const { prisma } = test.services.database;
  const process = join();
  await prisma.installation.update({ where: { id: 1 }, data: { version: '0.2.3' } });
  await looks();
  expect(process.said).toEqual([]);
  await prisma.installation.update({ where: { id: 1 }, data: { minVersion: '0.2.0' } });
  expect(await process.ended).toBe(
    'stops: This database was migrated by 0.2; 0.1 cannot use it. Start 0.2, or restore a backup from before it.',
  );
  await prisma.installation.update({ where: { id: 1 }, data: { minVersion: null, version: '0.3.0' } });
  expect(await join().ended).toContain('migrated by 0.3; 0.1 cannot use it');
  await prisma.installation.update({ where: { id: 1 }, data: { version } });
});

it('a process ends in order when its installation was stopped for a move, and none starts before it goes on', async () => {
  const { database, config, log } = test.services;
  const process = join();
  await looks();
  expect(process.said).toEqual([]);
  const stoppedAt = await stopInstallation(database);
  const reason = expect.stringContaining(`was stopped for a move (${stoppedAt.toISOString()})`);
  expect(await process.ended).toEqual(reason);
  expect(await join().ended).toEqual(reason);
  for (const mode of ['auto', 'manual'] as const)
    await expect(fitSchema({ url: config.DATABASE_URL, mode, log })).rejects.toThrow(
      expect.objectContaining({ message: reason }),
    );
  expect(await stopInstallation(database)).toEqual(stoppedAt);
  expect(await resumeInstallation(database)).toBe(true);
  expect(await resumeInstallation(database)).toBe(false);
  await fitSchema({ url: config.DATABASE_URL, mode: 'auto', log });
  const again = join();
  await looks();
  expect(again.said).toEqual([]);
  await again.leave();
});

it('a process is seen with its version, schema and clock while it runs, and no more when it has ended', async () => {
  const { prisma } = test.services.database;
  await prisma.process.deleteMany();
  const [exact, ahead] = [join(), join(5_000)];
  await expect
    .poll(async () => (await processes()).filter(({ apartMs }) => apartMs !== null))
    .toHaveLength(2);
  const seen = await processes();
  expect(seen).toEqual([
    expect.objectContaining({ kind: 'worker', host: hostname(), version, schema: await lastMigration() }),
    expect.objectContaining({ kind: 'worker', host: hostname(), version, schema: await lastMigration() }),
  ]);
  const [first = 0, second = 0] = seen.map(({ apartMs }) => apartMs ?? 0).toSorted((a, b) => a - b);
  expect(first).toBeGreaterThan(-6_000);
  expect(first).toBeLessThan(-4_000);
  expect(Math.abs(second)).toBeLessThan(1_000);
  await Promise.all([exact.leave(), ahead.leave()]);
  expect(await processes()).toEqual([]);
});

it('a limit that is counted in memory is divided among the processes of a kind that live', async () => {
  const { prisma } = test.services.database;
  await prisma.process.deleteMany();
  const other = {
    kind: 'api',
    host: 'other',
    version,
    schema: 'x',
    startedAt: new Date(),
    seenAt: new Date(),
  };
  await prisma.process.create({ data: { ...other, id: newId() } });
  const [first, second] = [join(), join()];
  expect(first.share(10)).toBe(10);
  await expect.poll(() => [first.share(10), second.share(10)]).toEqual([5, 5]);
  await second.leave();
  await expect.poll(() => first.share(10)).toBe(10);
  await first.leave();
  await prisma.process.deleteMany();
});

it('the row of a process that was killed is not that of one that lives, and goes when another looks a day later', async () => {
  const { prisma, durable } = test.services.database;
  const row = { kind: 'api', host: 'other', version: '0.0.1', schema: 'x', startedAt: new Date() };
  const killed = [newId(), newId()];
  for (const id of killed) await prisma.process.create({ data: { ...row, id, seenAt: new Date() } });
  await durable.query(`UPDATE "Process" SET "seenAt" = now() - interval '46 seconds' WHERE "id" = $1`, [
    killed[0],
  ]);
  await durable.query(`UPDATE "Process" SET "seenAt" = now() - interval '25 hours' WHERE "id" = $1`, [
    killed[1],
  ]);
  expect(await processes()).toEqual([]);
  const process = join();
  await expect.poll(() => prisma.process.findUnique({ where: { id: killed[1] ?? '' } })).toBeNull();
  expect(await prisma.process.count()).toBe(2);
  await process.leave();
});
