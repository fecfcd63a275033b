import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
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
