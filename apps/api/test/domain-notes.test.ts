import { keepNote } from '@postrider/core/people/domains';
import { verifiedDomain } from '@postrider/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from './harness.ts';

let test: TestApp;
let id: string;
beforeAll(async () => {
  test = await startApp();
  id = await verifiedDomain(test.services, test.project.id, 'shop.test');
  for (const n of [1, 2, 3]) {
    await keepNote(test.services, [id], {
      to: 'abuse',
      from: 'reader@people.example',
      subject: `Spam ${n}`,
      text: 'Please stop.',
      fingerprint: String(n),
    });
    // Times are whole milliseconds, and notes of one millisecond are in no order: each note of this test has one of its own.
    await test.services.database.prisma.domainNote.updateMany({
      where: { domainId: id, fingerprint: String(n) },
      data: { at: new Date(Date.now() - 10_000 + n) },
    });
  }
});
afterAll(() => test.close());

const note = (n: number) => ({
  id: expect.any(String),
  at: expect.any(String),
  to: 'abuse',
  from: 'reader@people.example',
  subject: `Spam ${n}`,
  text: 'Please stop.',
});

describe('notes of a domain', () => {
  it('are listed by REST, newest first, with a cursor, for a key and a session', async () => {
    const secret = test.withKey(test.project.secretKey);
    const first = await secret('GET', `/domains/${id}/notes?limit=2`);
    expect([first.status, first.body]).toEqual([
      200,
      { data: [note(3), note(2)], cursor: expect.any(String), hasMore: true, total: 3 },
    ]);
    const next = await secret('GET', `/domains/${id}/notes?limit=2&cursor=${first.body.cursor}`);
    expect(next.body).toMatchObject({ data: [note(1)], cursor: null, hasMore: false });
    expect((await secret('GET', `/domains/${id}/notes?cursor=x`)).status).toBe(400);
    const session = await test.withSession('MEMBER');
    expect((await session('GET', `/domains/${id}/notes`)).body).toMatchObject({ total: 3 });
  });

  it('are listed by GraphQL and tRPC', async () => {
    const secret = test.withKey(test.project.secretKey);
    const query = `{ domainNotes(id: "${id}", first: 1) { edges { node { to from subject text } } } }`;
    const { body } = await secret('POST', '/graphql', { query });
    const { id: _id, at: _at, ...rest } = note(3);
    expect(body).toMatchObject({ data: { domainNotes: { edges: [{ node: rest }] } } });
    const session = await test.withSession();
    const input = encodeURIComponent(JSON.stringify({ id, limit: 1 }));
    const answer = await session('GET', `/trpc/domains.listNotes?input=${input}`);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('Spam 3');
  });

  it.each([['of another project'], ['that does not exist']])('%s: 404', async (which) => {
    const other = which.startsWith('of') ? await startApp() : null;
    const secret = (other ?? test).withKey((other ?? test).project.secretKey);
    const answer = await secret('GET', `/domains/${other ? id : test.project.id}/notes`);
    expect([answer.status, answer.body.error.code]).toEqual([404, 'DOMAIN_NOT_FOUND']);
    await other?.close();
  });
});
