import { randomUUID } from 'node:crypto';
import { encodeLink } from '@postrider/core/mail/message';
import { createTestProject, createTestServices, verifiedDomain } from '@postrider/core/testing';
import { createDatabaseOnOwnServer, type OwnServerDatabase } from '@postrider/core/testing/test-database.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApp } from '../src/app.ts';

let database: OwnServerDatabase;
let test: Awaited<ReturnType<typeof createTestServices>>;
let app: FastifyInstance;

beforeAll(async () => {
  database = await createDatabaseOnOwnServer();
  test = await createTestServices({ postgres: database });
  app = createApp(test.services);
});
afterAll(async () => {
  await app.close();
  await test.close();
  await database.drop();
});

const away = {
  code: 'INTERNAL_SERVER_ERROR',
  message: 'The database does not answer at the moment',
  details: { retryAfter: 2 },
};

it('while the database is killed, each door says that the request may be repeated, and a repetition with the key is one email', async () => {
  const project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'shop.test');
  const headers = { authorization: `Bearer ${project.secretKey}`, 'idempotency-key': 'order-1' };
  const email = { to: 'ann@people.test', from: 'hello@shop.test', subject: 'Hi', body: '<p>Hi</p>' };
  const send = () => app.inject({ method: 'POST', url: '/v1/send', headers, payload: email });
  const graphql = () =>
    app.inject({
      method: 'POST',
      url: '/graphql',
      headers,
      payload: { query: '{ contacts { edges { node { id } } } }' },
    });

  const contact = await test.services.database.prisma.contact.create({
    data: { id: randomUUID(), projectId: project.id, email: 'ben@people.test' },
  });
  const pages = `/u/${encodeLink(test.services.secrets, { kind: 'preferences', contactId: contact.id, emailId: randomUUID() })}`;

  // Some are in a statement when the server is killed.
  const meanwhile = Array.from({ length: 5 }, () => send());
  await database.server.kill();
  for (const { statusCode, headers: replied, body } of await Promise.all(meanwhile))
    expect([statusCode, replied['retry-after']], body).toEqual(
      statusCode === 503 ? [503, '2'] : [expect.toBeOneOf([200, 409]), undefined],
    );
  const rest = await send();
  expect([rest.statusCode, rest.headers['retry-after'], rest.json().error]).toEqual([
    ...[503, '2'],
    expect.objectContaining(away),
  ]);
  const answer = (await graphql()).json();
  expect((answer.errors ?? [])[0] ?? answer).toMatchObject({
    message: away.message,
    extensions: { code: away.code, statusCode: 503, details: away.details },
  });
  const page = await app.inject({ url: pages });
  expect([page.statusCode, page.headers['retry-after']]).toEqual([503, '2']);
  expect(page.headers['content-type']).toContain('text/html');
  expect(page.body + rest.body).not.toMatch(/ECONN|prisma|57P|5432|127\.0\.0\.1/i);

  await database.server.start();
  // 409 says that one of them was stored.
  await expect.poll(async () => (await send()).statusCode, { timeout: 60_000 }).toBeOneOf([200, 409]);
  expect(await test.services.database.prisma.email.count({ where: { projectId: project.id } })).toBe(1);
}, 240_000);
