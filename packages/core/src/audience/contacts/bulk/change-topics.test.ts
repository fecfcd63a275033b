import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { newId } from '../../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../../testing/index.ts';
import { writeConsent } from '../../consent/index.ts';
import { createTopic, updateTopic } from '../../topics/index.ts';
import { getContact } from '../get-contact.ts';
import { getContactBulkJob } from '../jobs/get-job.ts';
import { upsertContact } from '../upsert-contact.ts';
import { bulkTopicsOfContacts } from './bulk-change.ts';
import { runBulkBatch } from './run-bulk-change.ts';

let test: TestServices;
let project: TestProject;
let topicId: string;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
  const { ctx } = project;
  topicId = (await createTopic.run(ctx, { key: 'news', name: { en: 'News' }, default: 'OUT' })).id;
});

const prisma = () => test.services.database.prisma;
const add = async (input: object = {}) =>
  (await upsertContact.run(project.ctx, { email: `${newId()}@people.test`, ...input })).id;
const contact = (id: string) => getContact.run(project.ctx, { id });

async function change(input: object, topics: Record<string, boolean> = { news: true }) {
  const { jobId } = await bulkTopicsOfContacts.runRaw(project.ctx, { topics, ...input });
  while (await runBulkBatch(test.services, jobId));
  const { result } = await getContactBulkJob.run(project.ctx, { jobId });
  return { jobId, result };
}

it('makes the choices of many contacts, and says what became of each', async () => {
  const [subscribed, chosen, left, gone] = [
    await add({ subscribed: true }),
    await add({ subscribed: true, topics: { news: true } }),
    await add({ subscribed: false }),
    await add({ subscribed: true }),
  ];
  await writeConsent(
    prisma(),
    project.id,
    { by: 'recipient', source: 'page', actor: 'recipient', reason: 'link' },
    { contact: gone, kind: 'state', wanted: false },
  );
  const unknown = newId();
  const { jobId, result } = await change({ contactIds: [subscribed, chosen, left, gone, unknown] });
  expect(result).toMatchObject({
    operation: 'topics',
    ...{ totalRequested: 5, successCount: 2, unchangedCount: 1, refusedCount: 1, failureCount: 1 },
    errors: [{ contactId: unknown, error: 'Contact not found' }],
  });
  const yes = { topics: { news: true } };
  expect(await contact(subscribed)).toMatchObject({ subscribed: true, topicDefaults: true, ...yes });
  expect(await contact(left)).toMatchObject({ subscribed: true, topicDefaults: false, ...yes });
  expect(await contact(gone)).toMatchObject({ subscribed: false, topics: {} });
  const acts = await prisma().consentAct.findMany({ where: { jobId }, orderBy: { seq: 'asc' } });
  const effects = new Map(acts.map(({ contactId, source, effect }) => [contactId, `${source} ${effect}`]));
  expect(effects).toEqual(
    new Map([
      [subscribed, 'bulk changed'],
      [left, 'bulk changed'],
      [gone, 'bulk refused'],
    ]),
  );
});

it('a no holds against a later yes of many, and ends no subscription', async () => {
  const id = await add({ subscribed: true });
  expect((await change({ contactIds: [id] }, { general: false })).result?.successCount).toBe(1);
  expect(await contact(id)).toMatchObject({ subscribed: true, topics: { general: false } });
  expect((await change({ contactIds: [id] }, { general: true })).result).toMatchObject({ refusedCount: 1 });
  expect(await contact(id)).toMatchObject({ topics: { general: false } });
});

it('takes those that match a filter, but some', async () => {
  const [ann, ben] = [await add({ email: 'ann@a.test' }), await add({ email: 'ben@a.test' })];
  const other = await add({ email: 'zoe@b.test' });
  await change({ mode: 'query', filter: { search: '@a.test' }, excludeIds: [ben] });
  const topics = await Promise.all([ann, ben, other].map(async (id) => (await contact(id)).topics));
  expect(topics).toEqual([{ news: true }, {}, {}]);
});

it('changes no contact of another project', async () => {
  const stranger = await createTestProject(test.services);
  const theirs = await upsertContact.run(stranger.ctx, { email: 'ann@a.test' });
  const { result } = await change({ contactIds: [theirs.id] }, { general: false });
  expect(result).toMatchObject({ successCount: 0, failureCount: 1 });
  expect((await getContact.run(stranger.ctx, { id: theirs.id })).topics).toEqual({});
});

it.each([
  [{}, 'topics', 'required'],
  [{ topics: {} }, 'topics', 'required'],
  [{ topics: { news: null } }, 'topics', 'required'],
  [{ topics: { news: 'yes' } }, 'topics.news', 'invalid_type'],
  [{ topics: { news: true, labs: true } }, 'topics.labs', 'unknown_topic'],
  [
    { topics: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`t${n}`, true])) },
    'topics',
    'too_big',
  ],
])('refuses %j', async (input, field, code) => {
  await expect(
    bulkTopicsOfContacts.runRaw(project.ctx, { contactIds: [newId()], ...input }),
  ).rejects.toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ field, code }] });
});

it('refuses an archived topic', async () => {
  await updateTopic.run(project.ctx, { id: topicId, archived: true });
  await expect(
    bulkTopicsOfContacts.run(project.ctx, { contactIds: [newId()], topics: { news: true } }),
  ).rejects.toMatchObject({ errors: [{ field: 'topics.news', code: 'unknown_topic' }] });
});
