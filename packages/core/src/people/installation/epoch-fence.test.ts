import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestServices, type TestServices } from '../../testing/index.ts';
import { fenceEpoch, readEpoch } from './index.ts';

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

const everyMs = 20;

/** Resolves with what a fenced process says when it ends. */
function fenced(): { ended: Promise<string>; said: string[]; stop: () => void } {
  const said: string[] = [];
  let stop = (): void => undefined;
  const ended = new Promise<string>((resolve) => {
    stop = fenceEpoch(
      test.services,
      (text) => {
        said.push(text);
        resolve(text);
      },
      everyMs,
    );
  });
  return { ended, said, stop };
}

const looks = () => new Promise((resolve) => setTimeout(resolve, 10 * everyMs));

it('a process goes on in its epoch, whatever is held, and ends when the database was restored', async () => {
  const { prisma } = test.services.database;
  const process = fenced();
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
  const process = fenced();
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
  expect(await fenced().ended).toContain('no row in "Installation"');
  await test.services.database.prisma.installation.create({ data: row });
});
