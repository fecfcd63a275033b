import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import { createTestServices, type TestServices } from '../../testing/index.ts';
import { createLog } from './create-log.ts';

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

const address = `${newId()}@private.test`;

const insertTwice = [
  () => test.services.database.prisma.user.create({ data: { id: newId(), email: address } }),
  () =>
    test.services.database.durable.query(
      `INSERT INTO "User" ("id", "email", "updatedAt") VALUES ($1, $2, now())`,
      [newId(), address],
    ),
];

it.each(insertTwice)(
  'an error of the database is logged with its code and stack, without the address in it (%#)',
  async (insert) => {
    await insert().catch(() => null);
    const error = await insert().then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(Error);
    const lines: string[] = [];
    const log = createLog(
      { level: 'info', name: 'test' },
      { write: (line: string) => void lines.push(line) },
    );
    log.error({ err: error }, 'failed');
    log.error({ err: new AggregateError([error], 'several') }, 'failed');
    log.error({ err: new Error('outer', { cause: error }) }, 'failed');
    for (const line of lines) {
      expect(line).not.toContain(address);
      expect(JSON.parse(line).err).toMatchObject({ type: expect.any(String), stack: expect.any(String) });
    }
    expect(lines[0]).toMatch(/23505|P2002/);
  },
);
