import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  waitingMail,
} from '../../../testing/index.ts';
import { addSuppressions } from './add-suppressions.ts';
import { deleteSuppression } from './delete-suppression.ts';
import { listSuppressions } from './list-suppressions.ts';
import { removeSuppressions } from './remove-suppressions.ts';
import { endSuppressions } from './suppressions.store.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
});

const suppress = (
  projectId: string,
  email: string,
  createdAt: Date,
  reason: 'BOUNCE' | 'COMPLAINT' = 'BOUNCE',
) => test.services.database.prisma.suppression.create({ data: { projectId, email, reason, createdAt } });
const list = (query: object = {}) => listSuppressions.run(project.ctx, query);

describe('the suppression list', () => {
  it('pages newest first, each address once even with equal times', async () => {
    const now = new Date();
    for (let index = 0; index < 7; index += 1) await suppress(project.id, `p${index}@people.test`, now);
    await suppress(project.id, 'newest@people.test', new Date(now.getTime() + 1_000), 'COMPLAINT');
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await list({ limit: 3, cursor });
      expect(page.total).toBe(cursor ? 0 : 8);
      seen.push(...page.data.map(({ email }) => email));
      cursor = page.cursor;
    } while (cursor);
    expect(seen[0]).toBe('newest@people.test');
    expect(new Set(seen).size).toBe(8);
  });

  it('searches literally and filters by reason', async () => {
    await suppress(project.id, 'a_b@people.test', new Date());
    await suppress(project.id, 'axb@people.test', new Date(), 'COMPLAINT');
    const found = async (query: object) => (await list(query)).data;
    expect(await found({ search: 'A_B' })).toEqual([
      {
        email: 'a_b@people.test',
        reason: 'BOUNCE',
        emailId: null,
        class: null,
        text: null,
        expiresAt: null,
        createdAt: expect.any(String),
      },
    ]);
    expect(await found({ reason: 'COMPLAINT' })).toMatchObject([{ email: 'axb@people.test' }]);
    await expect(list({ reason: 'SPAM' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(list({ cursor: 'x' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('adds each valid address once; an address on the list keeps its first reason', async () => {
    const other = await createTestProject(test.services);
    await suppress(project.id, 'first@people.test', new Date(0), 'COMPLAINT');
    await suppress(other.id, 'b@people.test', new Date());
    const emails = [' A@People.test', 'first@people.test', 'nobody@', 'a@people.test', '', 'b@people.test'];
    const add = () => addSuppressions.run(project.ctx, { emails });
    expect(await add()).toEqual({ added: 2, existing: 1, invalid: ['nobody@', ''] });
    expect(await add()).toEqual({ added: 0, existing: 3, invalid: ['nobody@', ''] });
    const { data } = await list();
    expect(data.map(({ email, reason }) => [email, reason])).toEqual([
      ['a@people.test', 'MANUAL'],
      ['b@people.test', 'MANUAL'],
      ['first@people.test', 'COMPLAINT'],
    ]);
    expect((await list({ reason: 'MANUAL' })).total).toBe(2);
    expect(await test.services.database.prisma.suppression.count({ where: { projectId: other.id } })).toBe(1);
    expect(
      await test.services.database.prisma.auditLog.findMany({
        where: { projectId: project.id, operation: addSuppressions.name },
      }),
    ).toMatchObject(Array(2).fill({ targetType: 'suppression', targetId: project.id }));
  });

  it('removes many at once, in this project only, and names those that it does not know as they were given', async () => {
    const other = await createTestProject(test.services);
    for (const email of ['a@people.test', 'b@people.test', 'c@people.test']) {
      await suppress(project.id, email, new Date());
      await suppress(other.id, email, new Date());
    }
    const emails = [' A@People.test', 'b@people.test', 'a@people.test', 'Nobody@', 'X@people.test'];
    const remove = (input: object) => removeSuppressions.runRaw(project.ctx, input);
    expect(await remove({ emails })).toEqual({ removed: 2, notFound: ['Nobody@', 'X@people.test'] });
    expect(await remove({ emails: ['b@people.test'] })).toEqual({ removed: 0, notFound: ['b@people.test'] });
    expect((await list()).data.map(({ email }) => email)).toEqual(['c@people.test']);
    expect(await test.services.database.prisma.suppression.count({ where: { projectId: other.id } })).toBe(3);
    await expect(remove({ emails: [] })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(remove({ emails: Array(1_001).fill('a@people.test') })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  it('ends what has an end, and adding an address by hand takes its end away', async () => {
    const { prisma } = test.services.database;
    const until = (email: string, expiresAt: Date | null) =>
      prisma.suppression.create({ data: { projectId: project.id, email, reason: 'BOUNCE', expiresAt } });
    const now = new Date('2040-01-01');
    await until('ended@people.test', new Date(now.getTime() - 1));
    await until('later@people.test', new Date(now.getTime() + 1));
    await until('kept@people.test', new Date(now.getTime() - 1));
    await until('lasting@people.test', null);
    expect(await addSuppressions.run(project.ctx, { emails: ['kept@people.test'] })).toMatchObject({
      added: 0,
      existing: 1,
    });
    expect(await endSuppressions(prisma, now, 100)).toBe(1);
    const { data } = await list();
    expect(data.map(({ email }) => email).toSorted()).toEqual([
      'kept@people.test',
      'lasting@people.test',
      'later@people.test',
    ]);
  });

  it('shows what the receiving side said, and filters by its class', async () => {
    const [row] = await waitingMail(test.services, project.id, { count: 1 });
    if (!row) throw new Error('no email was made');
    const said = {
      class: 'closed',
      code: '5.2.1',
      reply: 550,
      text: '550 5.2.1 disabled',
      at: '2026-01-01T00:00:00.000Z',
    };
    await test.services.database.prisma.email.update({ where: { id: row.id }, data: { diagnosis: said } });
    await test.services.database.prisma.suppression.create({
      data: { projectId: project.id, email: row.to, reason: 'BOUNCE', emailId: row.id },
    });
    await suppress(project.id, 'other@people.test', new Date());
    const found = await list({ class: 'closed' });
    expect(found).toMatchObject({
      total: 1,
      data: [{ email: row.to, class: 'closed', text: '550 5.2.1 disabled' }],
    });
    expect((await list({ class: 'full' })).data).toEqual([]);
    await expect(list({ class: 'spam' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('accepts up to 1,000 addresses in one call, with a reason of their own', async () => {
    const emails = Array.from({ length: 1_001 }, (_, index) => `p${index}@people.test`);
    const add = (input: object) => addSuppressions.runRaw(project.ctx, input);
    await expect(add({ emails })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(add({ emails: [] })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await add({ emails: emails.slice(1), reason: 'BOUNCE' })).toMatchObject({ added: 1_000 });
    expect((await list({ reason: 'BOUNCE' })).total).toBe(1_000);
  });

  it('removes one address, in this project only', async () => {
    const other = await createTestProject(test.services);
    await suppress(other.id, 'a@people.test', new Date());
    await expect(deleteSuppression.run(project.ctx, { email: 'a@people.test' })).rejects.toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
    });
    await suppress(project.id, 'a@people.test', new Date());
    await deleteSuppression.run(project.ctx, { email: 'A@people.test' });
    expect((await list()).total).toBe(0);
    expect(await test.services.database.prisma.suppression.count({ where: { projectId: other.id } })).toBe(1);
  });
});
