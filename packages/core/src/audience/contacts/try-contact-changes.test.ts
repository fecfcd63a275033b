import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { createTopic } from '../topics/index.ts';
import {
  type ContactChangeById,
  type TriedChange,
  tryContactChanges,
  updateContactsById,
} from './update-by-id.store.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
  project = await createTestProject(test.services);
  for (const key of ['news', 'labs'])
    await createTopic.run(project.ctx, { key, name: { en: key }, default: 'OUT' });
});
afterAll(() => test.close());

const states = {
  subscribed: { subscribed: true, isSnoozed: false, isOwn: false },
  snoozed: { subscribed: false, isSnoozed: true, isOwn: true },
  'unsubscribed by a request': { subscribed: false, isSnoozed: false, isOwn: false },
  'unsubscribed by its recipient': { subscribed: false, isSnoozed: false, isOwn: true },
};
const [news, labs] = [2, 3];
const had = [
  { topicsOn: [], topicsOff: [], topicDefaults: true },
  { topicsOn: [news], topicsOff: [labs], topicDefaults: true },
  { topicsOn: [labs], topicsOff: [news], topicDefaults: false },
];
const said: Pick<ContactChangeById, 'subscribed' | 'choices'>[] = [true, false, null].flatMap(
  (subscribed) => [
    { subscribed },
    { subscribed, choices: { yes: [news] } },
    { subscribed, choices: { no: [news] } },
    { subscribed, choices: { yes: [news], no: [labs] } },
  ],
);

it.each(Object.entries(states))('of a contact that is %s foretells what is written', async (name, state) => {
  const { prisma } = test.services.database;
  const tried: TriedChange[] = [];
  for (const choices of had)
    for (const change of said) {
      const id = newId();
      const email = `${id}@people.test`;
      await prisma.$executeRaw`
        INSERT INTO "Contact" ("id", "projectId", "email", "subscribed", "snoozedUntil", "stated", "optOutBy", "topicsOn", "topicsOff", "topicDefaults", "consentSeq")
        VALUES (${id}::uuid, ${project.id}::uuid, ${email}, ${state.subscribed}, CASE WHEN ${state.isSnoozed} THEN now() + interval '1 day' END, true,
          CASE WHEN ${name.startsWith('unsubscribed')} THEN CASE WHEN ${state.isOwn} THEN 'recipient' ELSE 'request' END::"OptOutBy" END,
          ${choices.topicsOn}::smallint[], ${choices.topicsOff}::smallint[], ${choices.topicDefaults}, nextval('"ConsentSeq"'))`;
      tried.push({
        change: { id, email, set: {}, unset: [], ...change },
        before: { data: {}, ...state, ...choices },
      });
    }
  const { secrets } = test.services;
  const foretold = await tryContactChanges(prisma, secrets, project.id, tried);
  const written = await prisma.$transaction((db) =>
    updateContactsById(
      db,
      secrets,
      project.id,
      tried.map(({ change }) => change),
      { by: 'mass', source: 'workflow', actor: 'system', reason: 'workflow' },
    ),
  );
  const told = (results: typeof written | typeof foretold) =>
    tried.map(({ change, before }) => {
      const result = results.get(change.id);
      const { topicsOn, topicsOff, topicDefaults } = result?.choices ?? before;
      return {
        ...{ subscribed: result?.subscribed, flipped: result?.flipped, isRefused: result?.isRefused },
        ...{ topicsOn, topicsOff, topicDefaults },
      };
    });
  expect(told(foretold)).toEqual(told(written));
  expect(written.size).toBe(tried.length);
});
