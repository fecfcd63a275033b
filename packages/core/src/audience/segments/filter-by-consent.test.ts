import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { contactStatuses } from '../consent/contract.ts';
import { writeConsent } from '../consent/index.ts';
import { upsertContact } from '../contacts/index.ts';
import { readFilterTree } from './filters.schema.ts';
import { listContacts } from './list-contacts.ts';

let test: TestServices;
let project: TestProject;

const tree = (field: string, operator: string, value: unknown) => ({
  logic: 'AND',
  groups: [{ filters: [{ field, operator, value }] }],
});
const found = async (...filter: Parameters<typeof tree>) => {
  const query = { filter: JSON.stringify(tree(...filter)), sort: 'email', dir: 'asc' };
  return (await listContacts.runRaw(project.ctx, query)).data.map(({ email }) => email.split('@')[0]);
};

/** One contact of each status; those who are subscribed with a basis each. */
beforeAll(async () => {
  test = await createTestServices();
  project = await createTestProject(test.services);
  const { prisma } = test.services.database;
  const create = async (name: string, input: object) =>
    (await upsertContact.runRaw(project.ctx, { email: `${name}@people.test`, ...input })).id;
  await create('default', { subscribed: true });
  await create('given', { subscribed: true, consent: { basis: 'given' } });
  await create('unsubscribed', { subscribed: false });
  const snoozed = await create('snoozed', { subscribed: true });
  const said = { by: 'recipient', source: 'page', actor: 'recipient', reason: 'page' } as const;
  const until = new Date(Date.now() + 86_400_000);
  await prisma.$transaction((db) =>
    writeConsent(db, project.id, said, { contact: snoozed, kind: 'snooze', until }),
  );
  for (const name of ['never', 'pending']) {
    const [row] = await prisma.$queryRaw<{ id: string }[]>`
      INSERT INTO "Contact" ("id", "projectId", "email", "subscribed", "stated", "consentSeq")
      VALUES (uuid7(), ${project.id}::uuid, ${`${name}@people.test`}, false, false, 0) RETURNING "id"`;
    if (name === 'pending')
      await prisma.$transaction((db) =>
        writeConsent(db, project.id, said, { contact: row?.id ?? '', kind: 'request', until }),
      );
  }
});
afterAll(() => test.close());

const all = ['default', 'given', 'never', 'pending', 'snoozed', 'unsubscribed'];
const of = (status: string) => (status === 'subscribed' ? ['default', 'given'] : [status]);

describe('filters', () => {
  it.each(contactStatuses)('by the status %s', async (status) => {
    expect(await found('status', 'equals', status)).toEqual(of(status));
    expect(await found('status', 'notEquals', status)).toEqual(
      all.filter((name) => !of(status).includes(name)),
    );
  });

  it('by the basis of a subscription; who is not subscribed has none', async () => {
    expect(await found('consentBasis', 'equals', 'given')).toEqual(['given']);
    expect(await found('consentBasis', 'notEquals', 'given')).toEqual(['default']);
  });

  it('by when it was agreed to; who is not subscribed did not', async () => {
    const soon = new Date(Date.now() + 60_000).toISOString();
    expect(await found('consentedAt', 'greaterThan', '2020-01-01')).toEqual(['default', 'given']);
    expect(await found('consentedAt', 'lessThan', '2020-01-01')).toEqual([]);
    expect(await found('consentedAt', 'notEquals', '2020-01-01')).toEqual(['default', 'given']);
    expect(await found('consentedAt', 'lessThan', soon)).toEqual(['default', 'given']);
  });

  it.each(['status', 'consentBasis'])('refuse a %s that there is not', (field) => {
    for (const value of ['gone', '', null, true, ['subscribed']])
      expect(readFilterTree(tree(field, 'equals', value)).issues).toMatchObject([
        { path: ['groups', 0, 'filters', 0, 'value'], code: 'invalid_enum_value' },
      ]);
    expect(readFilterTree(tree(field, 'contains', 'sub')).issues).toMatchObject([
      { code: 'unsupported_operator' },
    ]);
  });
});
