import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSegment } from '../../../audience/segments/index.ts';
import { createWorkflow } from '../../../automation/workflows/index.ts';
import { newId } from '../../../base/lib/index.ts';
import { encodeLink } from '../../../mail/message/index.ts';
import { changePreferences } from '../../../mail/tracking/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../../testing/index.ts';
import { checkAddresses } from './check-addresses.ts';
import { normalizeAddresses } from './normalize-addresses.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
  Object.assign(test.services.workflows, { signal: async () => undefined, signalDebounced: () => undefined });
});
afterAll(() => test.close());

const prisma = () => test.services.database.prisma;

/** Whatever a test has stored before, all tables are looked through again, in calls that end after one page. */
async function normalizeAll(): Promise<void> {
  await prisma().addressPass.deleteMany({});
  while (await normalizeAddresses(test.services, 0));
}

/** The same by a process that is killed after every second page, before its position is stored. */
async function normalizeAndDie(): Promise<void> {
  await prisma().addressPass.deleteMany({});
  for (let call = 0; ; call += 1) {
    const before = await prisma().addressPass.findMany();
    const more = await normalizeAddresses(test.services, 0);
    if (!more) return;
    if (call % 2 === 0)
      for (const { part, position, completedAt } of before)
        await prisma().addressPass.update({ where: { part }, data: { position, completedAt } });
  }
}

interface Stored {
  email: string;
  subscribed?: boolean;
  data?: Record<string, string | number>;
  snoozedUntil?: Date | null;
  subscriptionChangedAt?: Date | null;
  optedOutAt?: Date | null;
}

const day = (n: number) => new Date(Date.UTC(2026, 0, n));

/** @param age its creation; a contact that is older has changed later unless `changed` says otherwise */
async function store(contact: Stored, age: number, changed = age): Promise<string> {
  const id = newId();
  await prisma().contact.create({
    data: { id, projectId: project.id, createdAt: day(age), updatedAt: day(changed), ...contact },
  });
  return id;
}

const contacts = () =>
  prisma().contact.findMany({ where: { projectId: project.id }, orderBy: { email: 'asc' } });

const letters = 'ann@müller.example';
const normal = 'ann@xn--mller-kva.example';

describe('contacts with spellings of one address', () => {
  it('become the oldest of them, with the values that changed last', async () => {
    project = await createTestProject(test.services);
    const newer = await store({ email: normal, data: { plan: 'pro', seats: 3 } }, 5, 7);
    const oldest = await store({ email: letters, data: { plan: 'free', city: 'Ulm' } }, 2, 9);
    const third = await store({ email: 'ann@mu\u0308ller.example', data: { age: 30, plan: 'team' } }, 3, 8);
    await normalizeAll();
    const [contact, ...others] = await contacts();
    expect(others).toEqual([]);
    expect(contact).toMatchObject({
      id: oldest,
      email: normal,
      subscribed: true,
      data: { plan: 'free', seats: 3, city: 'Ulm', age: 30 },
    });
    const merged = await prisma().mergedContact.findMany({ where: { projectId: project.id } });
    expect(merged.map(({ id, contactId }) => [id, contactId]).toSorted()).toEqual(
      [
        [newer, oldest],
        [third, oldest],
      ].toSorted(),
    );
  });

  it.each([
    ['the older', { subscribed: false, subscriptionChangedAt: day(9), optedOutAt: day(9) }, {}],
    ['the newer', {}, { subscribed: false, subscriptionChangedAt: day(9), optedOutAt: day(9) }],
    [
      'a paused one beside one that has opted out',
      { subscribed: false, snoozedUntil: day(60) },
      { subscribed: false, subscriptionChangedAt: day(9), optedOutAt: day(9) },
    ],
  ])('are opted out if one is: %s', async (_which, older, newer) => {
    project = await createTestProject(test.services);
    await store({ email: letters, ...older }, 1);
    await store({ email: normal, ...newer }, 2);
    await normalizeAll();
    const [contact] = await contacts();
    expect(contact).toMatchObject({ email: normal, subscribed: false, snoozedUntil: null });
    expect(contact?.optedOutAt).not.toBeNull();
    const told = await prisma().event.count({
      where: { projectId: project.id, name: 'contact.unsubscribed' },
    });
    expect(told).toBe('subscribed' in older ? 0 : 1);
  });

  it('are paused for the longer time if both are', async () => {
    project = await createTestProject(test.services);
    await store({ email: letters, subscribed: false, snoozedUntil: day(60) }, 1);
    await store({ email: normal, subscribed: false, snoozedUntil: day(90) }, 2);
    await normalizeAll();
    expect(await contacts()).toMatchObject([{ subscribed: false, snoozedUntil: day(90) }]);
  });

  it('are opted out if the address was when its contact was deleted', async () => {
    project = await createTestProject(test.services);
    await store({ email: letters }, 1);
    const addressHash = Uint8Array.from(test.services.secrets.addressHash(project.id, normal));
    await prisma().optOut.create({ data: { projectId: project.id, addressHash } });
    await normalizeAll();
    expect(await contacts()).toMatchObject([{ email: normal, subscribed: false }]);
  });

  it('keep events, emails, memberships and executions; links in old email work', async () => {
    project = await createTestProject(test.services);
    const kept = await store({ email: letters }, 1);
    const gone = await store({ email: normal }, 2);
    const [projectId, segments] = [project.id, [] as string[]];
    for (const name of ['Both', 'Newer', 'Left'])
      segments.push((await createSegment.runRaw(project.ctx, { name, type: 'STATIC' })).id);
    const [both = '', newer = '', left = ''] = segments;
    await prisma().segmentMembership.createMany({
      data: [
        { projectId, segmentId: both, contactId: kept },
        { projectId, segmentId: both, contactId: gone },
        { projectId, segmentId: newer, contactId: gone },
        { projectId, segmentId: left, contactId: kept, exitedAt: day(3) },
        { projectId, segmentId: left, contactId: gone },
      ],
    });
    for (const [id, memberCount] of [
      [both, 2],
      [newer, 1],
      [left, 1],
    ] as const)
      await prisma().segment.update({ where: { id }, data: { memberCount } });
    await prisma().event.create({
      data: { id: newId(), projectId, contactId: gone, name: 'seen', kind: 'CUSTOM', data: {} },
    });
    const campaignId = newId();
    const email = (contactId: string, more: object) => ({
      id: newId(),
      projectId,
      contactId,
      to: contactId === kept ? letters : normal,
      type: 'MARKETING' as const,
      sourceType: 'CAMPAIGN' as const,
      contentId: newId(),
      status: 'SENT' as const,
      ...more,
    });
    await prisma().email.createMany({
      data: [
        email(kept, { campaignId }),
        email(gone, { campaignId }),
        email(gone, { campaignId: newId() }),
        email(gone, { sourceType: 'TRANSACTIONAL' }),
      ],
    });
    await normalizeAll();
    const emails = await prisma().email.findMany({ where: { projectId } });
    expect(emails.filter(({ contactId }) => contactId === kept).map(({ to }) => to)).toEqual([
      normal,
      normal,
      normal,
    ]);
    expect(emails.filter(({ contactId }) => contactId !== kept)).toMatchObject([{ contactId: null, to: '' }]);
    expect(await prisma().event.count({ where: { projectId, contactId: kept, name: 'seen' } })).toBe(1);
    const memberships = await prisma().segmentMembership.findMany({ where: { projectId } });
    expect(
      memberships.map(({ segmentId, contactId, exitedAt }) => [segmentId, contactId, exitedAt]).toSorted(),
    ).toEqual(segments.map((id) => [id, kept, null]).toSorted());
    const counts = await prisma().segment.findMany({ where: { projectId } });
    expect(counts.map(({ memberCount }) => memberCount)).toEqual([1, 1, 1]);
    const token = encodeLink(test.services.secrets, { kind: 'preferences', contactId: gone, emailId: null });
    const changed = await changePreferences.run({ ...project.ctx, actor: { type: 'public' } } as never, {
      token,
      action: 'unsubscribe',
      source: 'one_click',
    });
    expect(changed).toMatchObject({ found: { status: 'unsubscribed' } });
    expect(await contacts()).toMatchObject([{ id: kept, subscribed: false }]);
  });
});

it('of two running executions of a workflow that of the newer contact is cancelled; all belong to the contact that stays', async () => {
  project = await createTestProject(test.services);
  const projectId = project.id;
  const kept = await store({ email: letters }, 1);
  const gone = await store({ email: normal }, 2);
  const workflow = (name: string) => createWorkflow.runRaw(project.ctx, { name, eventName: 'seen' });
  const [both, once, other] = [await workflow('Both'), await workflow('Once'), await workflow('Other')];
  const execution = (workflowId: string, contactId: string, status: 'RUNNING' | 'WAITING' | 'COMPLETED') =>
    prisma().workflowExecution.create({
      data: { id: newId(), projectId, workflowId, contactId, status },
    });
  const [stays, ends] = [
    await execution(both.id, kept, 'WAITING'),
    await execution(both.id, gone, 'RUNNING'),
  ];
  await execution(once.id, kept, 'COMPLETED');
  const second = await execution(once.id, gone, 'COMPLETED');
  const moved = await execution(other.id, gone, 'WAITING');
  await normalizeAll();
  const rows = await prisma().workflowExecution.findMany({ where: { projectId } });
  expect(new Set(rows.map(({ contactId }) => contactId))).toEqual(new Set([kept]));
  const outcome = new Map(rows.map(({ id, status }) => [id, status]));
  expect([stays, ends, second, moved].map(({ id }) => outcome.get(id))).toEqual([
    'WAITING',
    'CANCELLED',
    'COMPLETED',
    'WAITING',
  ]);
  const entries = await prisma().workflowEntry.findMany({ where: { projectId } });
  const entry = new Map(entries.map(({ workflowId, entries, active }) => [workflowId, [entries, active]]));
  expect(entries.map(({ contactId }) => contactId)).toEqual([kept, kept, kept]);
  expect([both, once, other].map(({ id }) => entry.get(id))).toEqual([
    [2, true],
    [2, false],
    [1, true],
  ]);
});

it('suppressions, emails, accounts and invitations get the normal form; what is taken or has none stays', async () => {
  project = await createTestProject(test.services);
  const projectId = project.id;
  await prisma().suppression.createMany({
    data: [
      { projectId, email: letters, reason: 'COMPLAINT', createdAt: day(1) },
      { projectId, email: normal, reason: 'MANUAL', createdAt: day(2) },
      { projectId, email: 'ann@ma\u0308x.example', reason: 'BOUNCE', createdAt: day(3), expiresAt: day(300) },
      { projectId, email: 'eva@müller.example', reason: 'BOUNCE', createdAt: day(1), expiresAt: day(300) },
      { projectId, email: 'eva@xn--mller-kva.example', reason: 'MANUAL', createdAt: day(2) },
      { projectId, email: 'ann@1.2.3', reason: 'MANUAL', createdAt: day(4) },
    ],
  });
  const tag = newId();
  const user = (email: string) => prisma().user.create({ data: { id: newId(), email } });
  await user(`${tag}@müller.example`);
  const [taken, double] = [await user(`${tag}@xn--mx-via.example`), await user(`${tag}@mäx.example`)];
  await prisma().invitation.create({
    data: { id: newId(), projectId, email: letters, tokenHash: Buffer.from(tag), expiresAt: day(400) },
  });
  await store({ email: 'bob@1.2.3' }, 1);
  const found: string[] = [];
  for await (const { kind, from, to } of checkAddresses(test.services))
    found.push(`${kind} ${from} ${to ?? ''}`.trim());
  expect(found).toContain(`refused bob@1.2.3`);
  expect(found).toContain(`conflict ${double.email} ${taken.email}`);
  expect(found).toContain(`rewritten ${letters} ${normal}`);
  await normalizeAll();
  expect(
    await prisma().suppression.findMany({ where: { projectId }, orderBy: { email: 'asc' } }),
  ).toMatchObject([
    { email: 'ann@1.2.3' },
    { email: 'ann@xn--mller-kva.example', reason: 'COMPLAINT', createdAt: day(1), expiresAt: null },
    { email: 'ann@xn--mx-via.example', reason: 'BOUNCE', expiresAt: day(300) },
    { email: 'eva@xn--mller-kva.example', reason: 'MANUAL', expiresAt: null },
  ]);
  const accounts = await prisma().user.findMany({
    where: { email: { startsWith: tag } },
    orderBy: { email: 'asc' },
  });
  expect(accounts.map(({ email }) => email).toSorted()).toEqual(
    [`${tag}@mäx.example`, `${tag}@xn--mller-kva.example`, `${tag}@xn--mx-via.example`].toSorted(),
  );
  expect(await prisma().invitation.findMany({ where: { projectId } })).toMatchObject([{ email: normal }]);
  expect(await contacts()).toMatchObject([{ email: 'bob@1.2.3' }]);
});

it('thousands of contacts under load, with the job killed again and again: nobody is lost, and whoever opted out stays out', async () => {
  project = await createTestProject(test.services);
  const projectId = project.id;
  const pairs = 100;
  const name = (n: number) => `u${n}@`;
  await test.services.database.durable.query(
    `INSERT INTO "Contact" ("id", "projectId", "email", "subscribed", "subscriptionChangedAt", "optedOutAt", "data", "createdAt")
     SELECT uuid7(), $1::uuid, 'plain' || n || '@people.test', true, NULL::timestamptz, NULL::timestamptz, '{}'::jsonb, now() - interval '1 day' FROM generate_series(1, 3000) n
     UNION ALL SELECT uuid7(), $1::uuid, 'u' || n || '@müller.example', n % 3 > 0, now(), now(), jsonb_build_object('n', n), now() - interval '2 days'
       FROM generate_series(1, $2::int) n
     UNION ALL SELECT uuid7(), $1::uuid, 'u' || n || '@xn--mller-kva.example', n % 5 > 0, now(), now(), '{"kept": true}'::jsonb, now()
       FROM generate_series(1, $2::int) n
     UNION ALL SELECT uuid7(), $1::uuid, 's' || n || '@bücher.example', true, NULL, NULL, '{}', now() FROM generate_series(1, 200) n`,
    [projectId, pairs],
  );
  let isDone = false;
  /** Updates contacts in both spellings, and creates some in the normal form, while the job runs. */
  const load = async (first: number): Promise<void> => {
    for (let n = first; !isDone; n = (n * 7 + 13) % 997) {
      await prisma().contact.updateMany({
        where: { projectId, email: `u${n % pairs}@müller.example` },
        data: { data: { touched: n, n: n % pairs } },
      });
      await test.services.database.durable.query(
        `INSERT INTO "Contact" ("id", "projectId", "email", "subscribed") VALUES (uuid7(), $1, $2, true) ON CONFLICT DO NOTHING`,
        [projectId, `s${(n % 200) + 1}@xn--bcher-kva.example`],
      );
    }
  };
  const workers = [load(1)];
  await normalizeAndDie();
  isDone = true;
  await Promise.all(workers);
  await normalizeAll();
  const rows = await contacts();
  expect(rows.filter(({ email }) => email.startsWith('plain'))).toHaveLength(3_000);
  expect(rows.filter(({ email }) => /[^\0-\x7f]/.test(email))).toEqual([]);
  const merged = rows.filter(({ email }) => email.endsWith('@xn--mller-kva.example'));
  expect(merged).toHaveLength(pairs);
  for (let n = 1; n <= pairs; n += 1) {
    const contact = merged.find(({ email }) => email.startsWith(name(n)));
    expect(contact).toMatchObject({ subscribed: n % 3 > 0 && n % 5 > 0, data: { n, kept: true } });
  }
  expect(rows.filter(({ email }) => email.endsWith('@xn--bcher-kva.example'))).toHaveLength(200);
  await normalizeAll();
  expect(await contacts()).toEqual(rows);
});
