import { withinTime } from '@postrider/core/audience/segments';
import { type Db, openDatabase } from '@postrider/core/base/db';
import { createTestProject, createTestServices } from '@postrider/core/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApp } from '../src/app.ts';

/** What a request costs the database is limited: the limit is part of each connection of the api. */
let test: Awaited<ReturnType<typeof createTestServices>>;
let database: ReturnType<typeof openDatabase>;
beforeAll(async () => {
  test = await createTestServices();
  database = openDatabase(test.databaseUrl, { connections: 4, statementTimeoutMs: 500 });
});
afterAll(async () => {
  await database.close();
  await test.close();
});

it('every connection has the limit, and no other process has it', async () => {
  const limitOf = async (given: typeof database) => {
    const [typed] = await given.prisma.$queryRaw<{ limit: string }[]>`
      SELECT current_setting('statement_timeout') AS "limit"`;
    const pools = await Promise.all(
      [given.durable, given.asyncCommit].map((pool) => pool.query('SHOW statement_timeout')),
    );
    return [typed?.limit, ...pools.map(({ rows }) => rows[0].statement_timeout)];
  };
  expect(await limitOf(database)).toEqual(['500ms', '500ms', '500ms']);
  expect(await limitOf(test.services.database)).toEqual(['0', '0', '0']);
});

it('a statement that takes longer is stopped, and the answer says so without a text of the database', async () => {
  const project = await createTestProject(test.services);
  const app = createApp({ ...test.services, database });
  const blocker = await test.services.database.durable.connect();
  try {
    await blocker.query('BEGIN');
    await blocker.query('LOCK TABLE "Contact" IN ACCESS EXCLUSIVE MODE');
    const headers = { authorization: `Bearer ${project.secretKey}` };
    const rest = await app.inject({ url: '/contacts', headers });
    expect([rest.statusCode, rest.json().error]).toEqual([
      500,
      expect.objectContaining({
        code: 'INTERNAL_SERVER_ERROR',
        message: 'The request took too long and was stopped',
        suggestion: expect.stringContaining('shorter period'),
      }),
    ]);
    const graphql = await app.inject({
      method: 'POST',
      url: '/graphql',
      headers,
      payload: { query: '{ contacts { edges { node { id } } } }' },
    });
    expect(graphql.body).toContain('The request took too long and was stopped');
    expect(rest.body + graphql.body).not.toMatch(/statement timeout|57014|prisma/i);
  } finally {
    await blocker.query('ROLLBACK');
    blocker.release();
    await app.close();
  }
});

it('a statement that waits for another one gives up earlier, and the answer says that the request may be sent again', async () => {
  const project = await createTestProject(test.services);
  const impatient = openDatabase(test.databaseUrl, {
    connections: 4,
    statementTimeoutMs: 20_000,
    lockTimeoutMs: 100,
  });
  const app = createApp({ ...test.services, database: impatient });
  const blocker = await test.services.database.durable.connect();
  try {
    await blocker.query('BEGIN');
    await blocker.query('LOCK TABLE "Contact", "Segment" IN ACCESS EXCLUSIVE MODE');
    const headers = { authorization: `Bearer ${project.secretKey}` };
    const contact = { email: 'waits@people.test', subscribed: true };
    const replies = [
      await app.inject({ url: '/contacts', headers }),
      await app.inject({ method: 'POST', url: '/contacts', headers, payload: contact }),
      await app.inject({
        method: 'POST',
        url: '/v1/track',
        headers: { authorization: `Bearer ${project.publicKey}` },
        payload: { email: contact.email, event: 'seen' },
      }),
    ];
    for (const reply of replies) {
      expect([reply.statusCode, reply.headers['retry-after'], reply.json().error]).toEqual([
        503,
        '2',
        expect.objectContaining({
          code: 'INTERNAL_SERVER_ERROR',
          message: 'What the request needs is being changed by another one',
          details: { retryAfter: 2 },
        }),
      ]);
      expect(reply.body).not.toMatch(/lock timeout|55P03|prisma/i);
    }
  } finally {
    await blocker.query('ROLLBACK');
    blocker.release();
    await app.close();
    await impatient.close();
  }
});

it('a segment condition has a limit of its own, after which that of the connection holds again', async () => {
  const limitOf = async (db: Db) => {
    const [row] = await db.$queryRaw<
      { limit: string }[]
    >`SELECT current_setting('statement_timeout') AS "limit"`;
    return row?.limit;
  };
  const limits = await database.prisma.$transaction(async (db) => [
    await withinTime(db, () => limitOf(db)),
    await limitOf(db),
  ]);
  expect(limits).toEqual(['10s', '500ms']);
});
