import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { newId } from '../../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../../testing/index.ts';
import { fillConsentLog, isHistoryDone, rebuildConsent, verifyConsent } from '../../consent/index.ts';
import { listContacts } from '../../segments/index.ts';
import { getConsent, getContact, updateContact } from '../index.ts';

let test: TestServices;
let project: TestProject;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

/** The database as it is right after the update: everything is still to be done. */
beforeEach(async () => {
  await prisma().consentPass.updateMany({ data: { completedAt: null, position: '' } });
  project = await createTestProject(test.services);
});

const prisma = () => test.services.database.prisma;
const ago = (days: number): Date => new Date(Date.now() - days * 86_400_000);
const statusOf = async (id: string) => (await getContact.runRaw(project.ctx, { id })).status;

async function contact(values: object = {}): Promise<string> {
  const id = newId();
  await prisma().contact.create({
    data: { id, projectId: project.id, email: `${id}@people.test`, createdAt: ago(9), ...values },
  });
  return id;
}

/** As the migration that brought the log left it: without triggers, which were not there yet. */
async function oldContact(values: { subscribed: boolean; snoozedUntil?: Date }): Promise<string> {
  const id = newId();
  await prisma().$transaction(async (db) => {
    await db.$executeRaw`SET LOCAL session_replication_role = replica`;
    await db.contact.create({
      data: { id, projectId: project.id, email: `${id}@people.test`, createdAt: ago(9), ...values },
    });
  });
  return id;
}

const told = (
  contactId: string,
  name: 'contact.subscribed' | 'contact.unsubscribed',
  data: object,
  createdAt: Date,
) =>
  prisma().event.create({
    data: { id: newId(), projectId: project.id, kind: 'SYSTEM', name, data, contactId, createdAt },
  });

async function email(
  contactId: string,
  createdAt: Date,
  sourceType: 'TRANSACTIONAL' | 'CAMPAIGN' = 'TRANSACTIONAL',
) {
  await prisma().email.create({
    data: {
      ...{
        id: newId(),
        projectId: project.id,
        contactId,
        to: `${contactId}@people.test`,
        contentId: newId(),
        sourceType,
        createdAt,
      },
      ...{ type: sourceType === 'CAMPAIGN' ? 'MARKETING' : 'TRANSACTIONAL', status: 'SENT' },
    },
  });
}

/** Runs the work as often as a worker does while an hour passes. */
async function fill(): Promise<void> {
  while (await fillConsentLog(test.services));
  expect(await isHistoryDone(prisma())).toBe(true);
}
const passAnHour = () =>
  prisma().consentPass.updateMany({
    where: { part: 'history' },
    data: { completedAt: new Date(Date.now() - 3_700_000) },
  });

it('never is who was made by a transactional email and never changed; everybody else who is not subscribed has unsubscribed', async () => {
  const at = ago(9);
  const never = await contact({ subscribed: false, createdAt: at });
  await email(never, at);
  const later = await contact({ subscribed: false, createdAt: at });
  await email(later, ago(8));
  const changed = await contact({ subscribed: false, createdAt: at, subscriptionChangedAt: ago(5) });
  await email(changed, at);
  const opted = await contact({ subscribed: false, createdAt: at, optedOutAt: ago(5) });
  await email(opted, at);
  const campaign = await contact({ subscribed: false, createdAt: at });
  await email(campaign, at, 'CAMPAIGN');
  const nothing = await contact({ subscribed: false });
  const subscribed = await contact();
  expect(await statusOf(never)).toBe('unsubscribed');
  await fill();
  const all = [never, later, changed, opted, campaign, nothing, subscribed];
  expect(await Promise.all(all.map(statusOf))).toEqual([
    ...[
      'never',
      'unsubscribed',
      'unsubscribed',
      'unsubscribed',
      'unsubscribed',
      'unsubscribed',
      'subscribed',
    ],
  ]);
  expect(await getContact.runRaw(project.ctx, { id: subscribed })).toMatchObject({
    consentBasis: 'unknown',
    consentedAt: null,
  });
});

it('what the subscription of a contact from before rests on is unknown at every door, before and after, and is not written into its row', async () => {
  const id = await oldContact({ subscribed: true });
  const paused = await oldContact({ subscribed: false, snoozedUntil: ago(-5) });
  const row = () =>
    prisma().contact.findUniqueOrThrow({
      where: { id },
      select: { consentBasis: true, consentSeq: true, updatedAt: true },
    });
  const before = await row();
  expect(before).toMatchObject({ consentBasis: null, consentSeq: null });
  const doors = async () => {
    const found = async (operator: 'equals' | 'notEquals', value: string) => {
      const filter = { logic: 'AND', groups: [{ filters: [{ field: 'consentBasis', operator, value }] }] };
      const { data } = await listContacts.runRaw(project.ctx, { filter: JSON.stringify(filter) });
      return data.map((one) => one.id);
    };
    return [
      (await getContact.runRaw(project.ctx, { id })).consentBasis,
      (await getConsent.runRaw(project.ctx, { id })).consentBasis,
      await found('equals', 'unknown'),
      await found('notEquals', 'given'),
    ];
  };
  expect(await doors()).toEqual(['unknown', 'unknown', [id], [id]]);
  await fill();
  expect(await doors()).toEqual(['unknown', 'unknown', [id], [id]]);
  expect(await row()).toEqual(before);

  await updateContact.runRaw(project.ctx, { id: paused, subscribed: true });
  await updateContact.runRaw(project.ctx, { id, subscribed: true, consent: { basis: 'given' } });
  expect((await getContact.runRaw(project.ctx, { id })).consentBasis).toBe('given');
  const acts = await prisma().consentAct.findMany({ where: { projectId: project.id } });
  expect(acts.map(({ before: had }) => had)).toContainEqual(
    expect.objectContaining({ subscribed: true, consentBasis: 'unknown' }),
  );
  for await (const difference of verifyConsent(test.services, project.id)) expect(difference).toBeNull();
});

it('stored events become acts, once, before all others; the first act carries the state, whatever they say', async () => {
  const id = await contact({ subscribed: false, subscriptionChangedAt: ago(1), optedOutAt: ago(1) });
  await told(id, 'contact.unsubscribed', { reason: 'api' }, ago(5));
  await told(id, 'contact.subscribed', { reason: 'page' }, ago(4));
  await told(id, 'contact.unsubscribed', { reason: 'snooze', snoozedUntil: ago(2).toISOString() }, ago(3));
  await told(id, 'contact.subscribed', { reason: 'snooze_ended' }, ago(2));
  await told(id, 'contact.unsubscribed', { reason: 'one_click' }, ago(1));
  // An act of before the work came to the contact, with its event.
  await updateContact.runRaw(project.ctx, { id, subscribed: true });
  await fill();
  await prisma().consentPass.updateMany({ data: { completedAt: null, position: '' } });
  await fill();
  const acts = await prisma().consentAct.findMany({ where: { contactId: id }, orderBy: { seq: 'asc' } });
  expect(
    acts.map(({ action, source, actor, optOutBy, before }) => [
      action,
      source,
      actor,
      optOutBy,
      before !== null,
    ]),
  ).toEqual([
    ['unsubscribe', 'api', 'key', 'request', false],
    ['subscribe', 'page', 'recipient', null, false],
    ['snooze', 'page', 'recipient', null, false],
    ['resume', 'snooze_ended', 'system', null, false],
    ['unsubscribe', 'one_click', 'recipient', 'recipient', false],
    ['subscribe', 'api', 'key', null, true],
  ]);
  expect(acts.at(-1)).toMatchObject({ liftsOptOut: true, before: { optOutBy: 'recipient' } });
});

it('who unsubscribed while paused is not subscribed when the pause ends', async () => {
  const left = await contact({ subscribed: false, snoozedUntil: ago(-5), subscriptionChangedAt: ago(3) });
  await told(left, 'contact.unsubscribed', { reason: 'snooze', snoozedUntil: ago(-5).toISOString() }, ago(3));
  await told(left, 'contact.unsubscribed', { reason: 'page' }, ago(2));
  const paused = await contact({ subscribed: false, snoozedUntil: ago(-5), subscriptionChangedAt: ago(3) });
  await told(
    paused,
    'contact.unsubscribed',
    { reason: 'snooze', snoozedUntil: ago(-5).toISOString() },
    ago(3),
  );
  await fill();
  expect([await statusOf(left), await statusOf(paused)]).toEqual(['unsubscribed', 'snoozed']);
  const [act] = await prisma().consentAct.findMany({ where: { contactId: left, source: 'migration' } });
  expect(act).toMatchObject({ action: 'unsubscribe', optOutBy: 'recipient' });
});

it('until an hour after, processes of the version before may write; what they change is known as from before, and then refused', async () => {
  await fill();
  const raw = { id: newId(), projectId: project.id, email: 'old@people.test', subscribed: true };
  await prisma().contact.create({ data: raw });
  await updateContact.runRaw(project.ctx, { id: raw.id, subscribed: false });
  const old = { subscribed: true, subscriptionChangedAt: new Date() };
  await prisma().contact.update({ where: { id: raw.id }, data: old });
  expect(await prisma().contact.findUniqueOrThrow({ where: { id: raw.id } })).toMatchObject({
    consentSeq: null,
    optOutBy: null,
    stated: true,
  });
  await updateContact.runRaw(project.ctx, { id: raw.id, subscribed: false });
  await fill();
  await prisma().contact.update({ where: { id: raw.id }, data: { subscribed: true } });
  await passAnHour();
  await fill();
  await expect(
    prisma().contact.update({ where: { id: raw.id }, data: { subscribed: false } }),
  ).rejects.toThrow('without an act');
  await expect(
    prisma().contact.create({ data: { ...raw, id: newId(), email: 'x@people.test' } }),
  ).rejects.toThrow('without an act');
  const differing: unknown[] = [];
  for await (const each of verifyConsent(test.services, project.id)) differing.push(each);
  expect(differing).toEqual([]);
});

it('rebuilding writes what the acts say', async () => {
  const id = await contact();
  await updateContact.runRaw(project.ctx, { id, subscribed: false });
  // As no statement of the product could.
  await prisma().contact.update({ where: { id }, data: { subscribed: true, consentSeq: 1n } });
  expect(await rebuildConsent(test.services, project.id)).toEqual([id]);
  expect(await statusOf(id)).toBe('unsubscribed');
  expect(await rebuildConsent(test.services, project.id)).toEqual([]);
});

it('an index whose making was interrupted is made anew', async () => {
  await prisma().$executeRawUnsafe('DROP INDEX "Content_topic"');
  await fill();
  const [row] = await prisma().$queryRaw<{ valid: boolean }[]>`
    SELECT i.indisvalid AS "valid" FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relname = 'Content_topic'`;
  expect(row).toEqual({ valid: true });
});
