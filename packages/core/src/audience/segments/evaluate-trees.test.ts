import { afterAll, beforeAll, expect, it } from 'vitest';
import { plainTransaction } from '../../base/db/index.ts';
import { newId } from '../../base/lib/index.ts';
import { createTestProject, createTestServices, type TestServices } from '../../testing/index.ts';
import type { Filter, FilterTree } from './filters.rules.ts';
import { evaluateTrees } from './index.ts';

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
}, 120_000);
afterAll(() => test.close());

const of = (filter: Filter): FilterTree => ({ logic: 'AND', groups: [{ filters: [filter] }] });
const now = new Date('2026-06-15T12:00:00.000Z');
const noChoices = { topicsOn: [], topicsOff: [], topicDefaults: true };

it('takes the first branch that each row matches, by what the row has and by the events of its contact', async () => {
  const { database } = test.services;
  const [{ id: projectId }, other] = [
    await createTestProject(test.services),
    await createTestProject(test.services),
  ];
  const ids = Array.from({ length: 500 }, () => newId());
  const eventOf = (contactId: string | undefined, of: string) => ({
    ...{ id: newId(), projectId: of, contactId: contactId ?? null, name: 'buy', createdAt: now },
    data: { amount: 60 },
  });
  await database.prisma.event.createMany({
    data: [
      ...[eventOf(ids[3], projectId), eventOf(ids[3], projectId), eventOf(ids[4], projectId)],
      ...[eventOf(ids[5], other.id), eventOf(ids[5], other.id)],
    ],
  });
  const rows = ids.map((contactId, n) => ({
    ...{ n, contactId, email: `c${n}@people.test`, subscribed: true, data: n === 0 ? { plan: 'pro' } : {} },
    ...noChoices,
    ...{ createdAt: now.toISOString(), updatedAt: now.toISOString() },
    context: n === 1 ? { order: { total: 5 } } : {},
    steps: n === 2 ? { crm: { response: { tier: 'gold' } } } : {},
  }));
  const branches = [
    of({ field: 'data.plan', operator: 'equals', value: 'pro' }),
    of({ field: 'context.order.total', operator: 'greaterThan', value: 4 }),
    of({ field: 'step.crm.response.tier', operator: 'equals', value: 'gold' }),
    of({ field: 'event.buy', operator: 'total', property: 'amount', compare: 'greaterThan', value: 100 }),
    of({ field: 'event.buy', operator: 'occurred', times: { min: 1, max: 1 } }),
    of({ field: 'email', operator: 'equals', value: 'C6@people.test' }),
  ];
  const found = await plainTransaction(database.durable, (db) =>
    evaluateTrees(db, { projectId, now, timeZone: 'UTC', rows, branches }),
  );
  expect(found.size).toBe(500);
  expect([0, 1, 2, 3, 4, 5, 6, 7].map((n) => found.get(n))).toEqual([0, 1, 2, 3, 4, null, 5, null]);
});

it('refuses more rows than a statement takes', async () => {
  const row = {
    n: 0,
    contactId: newId(),
    email: 'a@b.test',
    subscribed: true,
    ...noChoices,
    createdAt: '',
    updatedAt: '',
  };
  const rows = Array(501).fill({ ...row, data: {}, context: {}, steps: {} });
  const asked = { projectId: newId(), now, timeZone: 'UTC', rows, branches: [] };
  await expect(evaluateTrees(test.services.database.prisma, asked)).rejects.toThrow('At most 500 rows');
});
