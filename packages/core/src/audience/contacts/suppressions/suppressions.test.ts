import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../../testing/index.ts';
import { addSuppressions } from './add-suppressions.ts';
import { deleteSuppression } from './delete-suppression.ts';
import { listSuppressions } from './list-suppressions.ts';

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
      { email: 'a_b@people.test', reason: 'BOUNCE', emailId: null, createdAt: expect.any(String) },
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
