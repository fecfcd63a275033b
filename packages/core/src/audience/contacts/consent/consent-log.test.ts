import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../../testing/index.ts';
import {
  type Authority,
  createWording,
  getWording,
  listWordings,
  type Statement,
  verifyConsent,
  writeConsent,
  writeConsents,
} from '../../consent/index.ts';
import { runBulkBatch } from '../bulk/run-bulk-change.ts';
import { bulkSubscribeContacts, deleteContact, getContact, updateContact, upsertContact } from '../index.ts';
import { getContactBulkJob } from '../jobs/get-job.ts';
import { getConsent } from './get-consent.ts';
import { getConsentEvidence } from './get-evidence.ts';
import { listConsentActs } from './list-acts.ts';

let test: TestServices;
let project: TestProject;
beforeAll(async () => {
  test = await createTestServices();
  await prisma().consentPass.updateMany({ data: { completedAt: new Date() } });
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
});

const prisma = () => test.services.database.prisma;
const upsert = (input: object) => upsertContact.runRaw(project.ctx, { email: 'ann@people.test', ...input });
const actsOf = async (contactId: string) =>
  (await prisma().consentAct.findMany({ where: { contactId }, orderBy: { seq: 'asc' } })).map(
    ({ action, effect, refusal, source, optOutBy, basis, liftsOptOut }) => ({
      ...{ action, effect, source },
      ...(refusal && { refusal }),
      ...(optOutBy && { optOutBy }),
      ...(basis && { basis }),
      ...(liftsOptOut && { liftsOptOut }),
    }),
  );
const differing = async (): Promise<unknown[]> => {
  const found: unknown[] = [];
  for await (const each of verifyConsent(test.services, project.id)) found.push(each);
  return found;
};
const topic = async (key: string, number: number, standard: 'IN' | 'OUT' = 'OUT') =>
  prisma().topic.create({
    data: { id: newId(), projectId: project.id, number, key, name: { en: key }, default: standard },
  });
const said = (by: Authority) =>
  ({ by, source: 'api', actor: by === 'recipient' ? 'recipient' : 'key', reason: 'api' }) as const;
const say = (contact: string, by: Authority, statement: Omit<Statement, 'contact'>) =>
  prisma().$transaction((db) => writeConsent(db, project.id, said(by), { contact, ...statement }));

describe('the status of a contact', () => {
  it('is never until something is stated, and then what was stated', async () => {
    const [row] = await prisma().$queryRaw<{ id: string }[]>`
      INSERT INTO "Contact" ("id", "projectId", "email", "subscribed", "stated", "consentSeq")
      VALUES (${newId()}::uuid, ${project.id}::uuid, 'ann@people.test', false, false, 0) RETURNING "id"`;
    const id = row?.id ?? '';
    const status = async () => (await getContact.runRaw(project.ctx, { id })).status;
    expect(await status()).toBe('never');
    await say(id, 'recipient', { kind: 'request', until: new Date(Date.now() + 60_000) });
    expect(await status()).toBe('pending');
    await say(id, 'recipient', { kind: 'expire' });
    expect(await status()).toBe('never');
    await say(id, 'recipient', { kind: 'confirm', wanted: true });
    expect(await status()).toBe('subscribed');
    await say(id, 'recipient', { kind: 'snooze', until: new Date(Date.now() + 60_000) });
    expect(await status()).toBe('snoozed');
    await say(id, 'recipient', { kind: 'state', wanted: false });
    expect(await status()).toBe('unsubscribed');
    expect(await differing()).toEqual([]);
  });

  it('a false at any door makes unsubscribed, and is the request’s', async () => {
    const { id, status } = await upsert({ subscribed: false });
    expect(status).toBe('unsubscribed');
    expect(await actsOf(id)).toEqual([
      { action: 'unsubscribe', effect: 'changed', source: 'api', optOutBy: 'request' },
    ]);
  });
});

describe('who may end an opt-out or a snooze', () => {
  const out: Record<string, (id: string) => Promise<unknown>> = {
    request: (id) => say(id, 'single', { kind: 'state', wanted: false }),
    recipient: (id) => say(id, 'recipient', { kind: 'state', wanted: false }),
    snooze: (id) => say(id, 'recipient', { kind: 'snooze', until: new Date(Date.now() + 60_000) }),
  };
  const expected: Record<Authority, Record<string, boolean>> = {
    recipient: { request: true, recipient: true, snooze: true },
    single: { request: true, recipient: true, snooze: true },
    mass: { request: true, recipient: false, snooze: false },
    public: { request: true, recipient: false, snooze: false },
    import: { request: false, recipient: false, snooze: false },
  };

  for (const [by, whose] of Object.entries(expected))
    for (const [how, may] of Object.entries(whose))
      it(`${by}, of one by ${how}: ${may ? 'yes' : 'no'}`, async () => {
        const { id } = await upsert({});
        await out[how]?.(id);
        const done = await say(id, by as Authority, { kind: 'state', wanted: true });
        expect(done).toMatchObject(
          may
            ? { effect: 'changed', refusal: null, subscribed: true }
            : { effect: 'refused', refusal: 'opted_out', subscribed: false },
        );
        const last = (await actsOf(id)).at(-1);
        expect(last?.liftsOptOut ?? false).toBe(may && how !== 'request');
        expect(await differing()).toEqual([]);
      });

  it('a recipient who leaves after a request makes the opt-out his own, without an event; the other way round nothing changes', async () => {
    const { id } = await upsert({});
    await say(id, 'single', { kind: 'state', wanted: false });
    expect(await say(id, 'recipient', { kind: 'state', wanted: false })).toMatchObject({
      effect: 'changed',
      flipped: false,
    });
    expect(await say(id, 'single', { kind: 'state', wanted: false })).toMatchObject({ effect: 'unchanged' });
    expect((await actsOf(id)).map(({ optOutBy }) => optOutBy)).toEqual([undefined, 'request', 'recipient']);
    const events = await prisma().event.findMany({ where: { contactId: id } });
    expect(events.map(({ name }) => name)).toEqual(['contact.unsubscribed']);
  });

  it('an opt-out by a request during a snooze ends the snooze and is the recipient’s, as the pause was', async () => {
    const { id } = await upsert({});
    await say(id, 'recipient', { kind: 'snooze', until: new Date(Date.now() + 60_000) });
    await say(id, 'single', { kind: 'state', wanted: false });
    expect((await actsOf(id)).at(-1)).toMatchObject({ action: 'unsubscribe', optOutBy: 'recipient' });
    expect(await getConsent.run(project.ctx, { id })).toMatchObject({
      status: 'unsubscribed',
      unsubscribedBy: 'recipient',
    });
  });

  it('a bulk change counts those whom it does not subscribe', async () => {
    const mine = await upsert({});
    await say(mine.id, 'recipient', { kind: 'state', wanted: false });
    const request = await upsert({ email: 'ben@people.test', subscribed: false });
    const { jobId } = await bulkSubscribeContacts.run(project.ctx, { contactIds: [mine.id, request.id] });
    await runBulkBatch(test.services, jobId);
    expect((await getContactBulkJob.run(project.ctx, { jobId })).result).toMatchObject({
      successCount: 1,
      unchangedCount: 0,
      refusedCount: 1,
      failureCount: 0,
    });
    expect((await actsOf(mine.id)).at(-1)).toEqual({
      ...{ action: 'subscribe', effect: 'refused', refusal: 'opted_out', source: 'bulk' },
    });
  });
});

describe('topics', () => {
  it('a yes without `subscribed` subscribes to these topics only', async () => {
    await topic('news', 2, 'IN');
    await topic('jobs', 3);
    const { id } = await upsert({ topics: { jobs: true }, subscribed: false });
    const after = await upsert({ topics: { news: true } });
    expect(after).toMatchObject({
      status: 'subscribed',
      topics: { news: true, jobs: false },
      topicDefaults: false,
    });
    const { topics } = await getConsent.run(project.ctx, { id });
    expect(topics.map(({ key, choice, receives }) => [key, choice, receives])).toEqual([
      ['general', null, false],
      ['news', true, true],
      ['jobs', false, false],
    ]);
    expect(await differing()).toEqual([]);
  });

  it('with `subscribed: true` the defaults hold; a no does not change the subscription', async () => {
    await topic('news', 2, 'IN');
    const contact = await upsert({ subscribed: true, topics: { news: false } });
    expect(contact).toMatchObject({ status: 'subscribed', topics: { news: false }, topicDefaults: true });
    const { topics } = await getConsent.run(project.ctx, { id: contact.id });
    expect(topics.map(({ key, receives }) => [key, receives])).toEqual([
      ['general', true],
      ['news', false],
    ]);
  });

  it('a change of what a subscribed contact receives is told', async () => {
    await topic('news', 2, 'IN');
    const { id } = await upsert({});
    await updateContact.runRaw(project.ctx, { id, topics: { news: false } });
    await updateContact.runRaw(project.ctx, { id, topics: { news: true } });
    const events = await prisma().event.findMany({ where: { contactId: id }, orderBy: { id: 'asc' } });
    expect(events.map(({ name, data }) => [name, data])).toEqual([
      ['contact.topic.unsubscribed', { topic: 'news', reason: 'api' }],
      ['contact.topic.subscribed', { topic: 'news', reason: 'api' }],
    ]);
    expect(await actsOf(id)).toMatchObject([
      { action: 'subscribe' },
      { action: 'topics', effect: 'changed' },
      { action: 'topics', effect: 'changed', liftsOptOut: true },
    ]);
  });

  it('an unknown or archived topic is refused at its key, and nothing is stored', async () => {
    await prisma().topic.updateMany({ where: { projectId: project.id }, data: { archived: true } });
    await expect(upsert({ topics: { general: true, nothing: false } })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [
        { field: 'topics.general', code: 'unknown_topic' },
        { field: 'topics.nothing', code: 'unknown_topic' },
      ],
    });
    expect(await prisma().contact.count({ where: { projectId: project.id } })).toBe(0);
  });

  it('null counts as not given, and 51 choices are too many', async () => {
    const { id } = await upsert({ topics: { general: null, whatever: null } });
    expect((await actsOf(id)).map(({ action }) => action)).toEqual(['subscribe']);
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`t${n}`, true]));
    await expect(upsert({ topics: many })).rejects.toMatchObject({
      errors: [{ field: 'topics', code: 'too_big' }],
    });
  });

  it('who receives nothing after ending a topic is unsubscribed, if the recipient ends it', async () => {
    const { id } = await upsert({});
    await say(id, 'recipient', { kind: 'state', no: [1], endsIfNothing: true });
    expect(await getConsent.run(project.ctx, { id })).toMatchObject({ status: 'unsubscribed' });
    expect((await actsOf(id)).at(-1)).toMatchObject({ action: 'unsubscribe', optOutBy: 'recipient' });
    expect(await differing()).toEqual([]);
  });
});

describe('evidence', () => {
  it('raises the basis of a subscription, and says who, when and in which words', async () => {
    const { id: wordingId } = await createWording.run(project.ctx, { language: 'en', text: 'Yes, please' });
    const { id, consentBasis } = await upsert({});
    expect(consentBasis).toBe('default');
    const at = '2024-05-01T10:00:00.000Z';
    const consent = {
      basis: 'confirmed',
      at,
      ip: '203.0.113.7',
      userAgent: 'Agent',
      page: 'https://a.test/',
      source: 'Shop',
      wordingId,
    };
    expect(await updateContact.runRaw(project.ctx, { id, consent })).toMatchObject({
      consentBasis: 'confirmed',
    });
    const { acts, html } = await getConsentEvidence.runRaw(project.ctx, { id, format: 'html' });
    expect(acts.at(-1)).toMatchObject({
      ...{
        action: 'subscribe',
        effect: 'changed',
        basis: 'confirmed',
        at,
        ip: '203.0.113.7',
        userAgent: 'Agent',
      },
      ...{
        page: 'https://a.test/',
        evidence: { source: 'Shop' },
        wording: { id: wordingId, text: 'Yes, please' },
      },
    });
    expect(html).toContain('“Yes, please” (en)');
    expect(await getConsent.run(project.ctx, { id })).toMatchObject({ wording: { id: wordingId } });
    expect(await differing()).toEqual([]);
  });

  it('in the future, or with an unknown wording, is refused', async () => {
    const future = new Date(Date.now() + 3_600_000).toISOString();
    await expect(upsert({ consent: { at: future } })).rejects.toMatchObject({
      errors: [{ field: 'consent.at' }],
    });
    const other = await createTestProject(test.services);
    const { id: wordingId } = await createWording.run(other.ctx, { language: 'en', text: 'Theirs' });
    await expect(upsert({ consent: { wordingId } })).rejects.toMatchObject({
      errors: [{ field: 'consent.wordingId' }],
    });
  });

  it('of clients is seen by owners and admins, and not by members', async () => {
    const { id } = await upsert({ consent: { ip: '203.0.113.7' } });
    const asMember = await project.userCtx('MEMBER');
    expect((await listConsentActs.runRaw(asMember, { contactId: id })).data).toMatchObject([
      { ip: null, evidence: null },
    ]);
    expect((await listConsentActs.runRaw(project.ctx, { contactId: id })).data).toMatchObject([
      { ip: '203.0.113.7' },
    ]);
    await expect(getConsentEvidence.runRaw(asMember, { id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('is escaped where it is printed', async () => {
    const { id } = await upsert({ consent: { source: '<script>"&' } });
    const { html } = await getConsentEvidence.runRaw(project.ctx, { id, format: 'html' });
    expect(html).not.toContain('<script>');
    expect(html).toContain('&lt;script&gt;');
  });
});

describe('what is recorded', () => {
  it('repetitions by machines are not, what users do is', async () => {
    const { id } = await upsert({ subscribed: true });
    await upsert({ subscribed: true });
    expect(await actsOf(id)).toHaveLength(1);
    await updateContact.runRaw(await project.userCtx('MEMBER'), { id, subscribed: true });
    expect((await actsOf(id)).at(-1)).toMatchObject({ effect: 'unchanged', source: 'dashboard' });
  });

  it('of acts without effect 20 per contact and hour, and what programs repeat leaves room for what the recipient says', async () => {
    const { id } = await upsert({});
    const repeat = async (actor: 'key' | 'recipient') => {
      for (let n = 0; n < 25; n += 1)
        await prisma().$transaction((db) =>
          writeConsent(
            db,
            project.id,
            { ...said('recipient'), actor, always: true },
            { contact: id, kind: 'state', wanted: true },
          ),
        );
    };
    await repeat('key');
    expect(await actsOf(id)).toHaveLength(21);
    await repeat('recipient');
    expect(await actsOf(id)).toHaveLength(41);
  });

  it('what is said of many contacts reads these alone, also while the database has no statistics of them', async () => {
    const read = await prisma().$transaction(async (db) => {
      const contacts = await db.$queryRaw<{ id: string }[]>`
        INSERT INTO "Contact" ("id", "projectId", "email", "subscribed", "stated", "consentSeq", "updatedAt")
        SELECT uuid7(), ${project.id}::uuid, 'many' || n || '@people.test', false, false, 0, now() FROM generate_series(1, 5000) n RETURNING "id"`;
      await writeConsents(
        db,
        project.id,
        said('recipient'),
        contacts.slice(0, 500).map(({ id }) => ({ contact: id, kind: 'state', wanted: true })),
      );
      const [row] = await db.$queryRaw<{ rows: bigint }[]>`
        SELECT pg_stat_get_xact_tuples_returned('"Contact"'::regclass) AS "rows"`;
      return Number(row?.rows);
    });
    expect(read).toBeLessThan(5_000);
  });

  it('acts are listed newest first, in pages, by contact, address and kind, also once the contact is deleted', async () => {
    const { id } = await upsert({});
    for (const subscribed of [false, true, false])
      await updateContact.runRaw(project.ctx, { id, subscribed });
    const first = await listConsentActs.runRaw(project.ctx, { contactId: id, limit: 3 });
    expect(first).toMatchObject({ total: 4, hasMore: true });
    const rest = await listConsentActs.runRaw(project.ctx, { contactId: id, limit: 3, cursor: first.cursor });
    expect([...first.data, ...rest.data].map(({ action }) => action)).toEqual([
      'unsubscribe',
      'subscribe',
      'unsubscribe',
      'subscribe',
    ]);
    await deleteContact.runRaw(project.ctx, { id });
    const gone = await listConsentActs.runRaw(project.ctx, { email: 'ann@people.test', action: 'subscribe' });
    expect(gone.data).toMatchObject([
      { contactId: null, action: 'subscribe' },
      { contactId: null, action: 'subscribe' },
    ]);
    expect(await prisma().erasedContact.count({ where: { contactId: id } })).toBe(1);
    // Who comes back stays out, unless it is said otherwise.
    expect(await upsert({})).toMatchObject({ status: 'unsubscribed' });
    expect(await differing()).toEqual([]);
  });

  it('a new address is an act that carries the state', async () => {
    const { id } = await upsert({});
    await updateContact.runRaw(project.ctx, { id, email: 'new@people.test', subscribed: false });
    expect(await actsOf(id)).toMatchObject([
      { action: 'subscribe' },
      { action: 'move' },
      { action: 'unsubscribe' },
    ]);
    expect(await differing()).toEqual([]);
  });

  it('of another project nothing is found', async () => {
    const { id } = await upsert({});
    const other = await createTestProject(test.services);
    await expect(getConsent.run(other.ctx, { id })).rejects.toMatchObject({ code: 'CONTACT_NOT_FOUND' });
    await expect(listConsentActs.runRaw(other.ctx, { contactId: id })).rejects.toMatchObject({
      code: 'CONTACT_NOT_FOUND',
    });
    expect((await listConsentActs.runRaw(other.ctx, { email: 'ann@people.test' })).data).toEqual([]);
    expect(
      await writeConsents(prisma(), other.id, said('single'), [
        { contact: id, kind: 'state', wanted: false },
      ]),
    ).toEqual([]);
  });
});

describe('the database', () => {
  it('refuses a contact that is subscribed, and a change of the subscription, without an act', async () => {
    const { id } = await upsert({});
    const raw = { id: newId(), projectId: project.id, email: 'raw@people.test' };
    await expect(prisma().contact.create({ data: raw })).rejects.toThrow('changes without an act');
    for (const data of [
      { subscribed: false },
      { snoozedUntil: new Date() },
      { pendingUntil: new Date() },
      { topicsOn: [1] },
      { topicsOff: [1] },
      { topicDefaults: false },
      { optOutBy: 'request' as const },
      { stated: false },
    ])
      await expect(prisma().contact.update({ where: { id }, data })).rejects.toThrow(
        'changes without an act',
      );
    await prisma().contact.update({ where: { id }, data: { data: { plan: 'pro' } } });
  });

  it('refuses to change or remove an act, but what a deletion clears', async () => {
    const { id } = await upsert({});
    const where = { contactId: id };
    await expect(prisma().consentAct.updateMany({ where, data: { action: 'unsubscribe' } })).rejects.toThrow(
      'never changed',
    );
    await expect(
      prisma().consentAct.updateMany({ where, data: { ip: 'x', contactId: null } }),
    ).rejects.toThrow('never changed');
    await expect(prisma().consentAct.deleteMany({ where })).rejects.toThrow('never changed');
    await prisma().consentAct.updateMany({ where, data: { contactId: null } });
  });
});

describe('wordings', () => {
  it('exist once per language and text, and never change', async () => {
    const first = await createWording.run(project.ctx, { language: 'de', text: 'Ja, gern' });
    const again = await createWording.run(project.ctx, { language: 'de', text: 'Ja, gern' });
    expect([first.isNew, again.isNew, again.id]).toEqual([true, false, first.id]);
    await createWording.run(project.ctx, { language: 'en', text: 'Ja, gern' });
    expect((await listWordings.runRaw(project.ctx, {})).total).toBe(2);
    expect(await getWording.run(project.ctx, { id: first.id })).toMatchObject({
      language: 'de',
      text: 'Ja, gern',
    });
    await expect(
      createWording.run(project.ctx, { language: 'en', text: ' '.repeat(9) }),
    ).rejects.toMatchObject({
      errors: [{ field: 'text', code: 'required' }],
    });
  });
});
