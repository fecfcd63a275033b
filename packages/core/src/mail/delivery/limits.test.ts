import { type Sink, startSink } from '@postrider/local/sink';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { deleteContact, getContact } from '../../audience/contacts/index.ts';
import { newId } from '../../base/lib/index.ts';
import { createTemplate } from '../../content/templates/index.ts';
import type { ContactLimits } from '../../people/projects/contract.ts';
import { updateProject } from '../../people/projects/index.ts';
import {
  createTestProject,
  createTestServices,
  sendingCampaign,
  type TestProject,
  type TestServices,
  verifiedDomain,
  waitingMail,
} from '../../testing/index.ts';
import { bringHeldForward, claimBatches, countHeld, isDrained, removeContactSlots } from '../ledger/index.ts';
import { cancelEmail } from '../sending/cancel-email.ts';
import { getEmail } from '../sending/get-email.ts';
import { previewContactLimits } from '../sending/preview-contact-limits.ts';
import { sendEmail } from '../sending/send-email.ts';
import { drained, statusesOf, withDelivery } from './delivery.fixture.ts';
import { LedgerConnection } from './ledger-connection.ts';
import { readClaimed } from './read-claimed.ts';

let sink: Sink;
let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  sink = await startSink();
  test = await createTestServices({ env: { SMTP_URL: sink.url } });
});
afterAll(async () => {
  await test.close();
  await sink.stop();
});
beforeEach(async () => {
  await sink.setBehaviour({ delayMs: 0, paused: false });
  sink.clear();
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'shop.test');
});

const hourMs = 3_600_000;
const prisma = () => test.services.database.prisma;

const limit = async (contactLimits: Partial<ContactLimits> | null) =>
  updateProject.runRaw(await project.userCtx('OWNER'), { id: project.id, contactLimits });

async function templateOf(more: object = {}): Promise<string> {
  const { id } = await createTemplate.runRaw(project.ctx, {
    name: 'News',
    subject: 'News',
    body: '<p>News</p>',
    from: 'team@shop.test',
    type: 'MARKETING',
    ...more,
  });
  return id;
}

/** @returns the ids of its emails */
async function send(template: string, to: string | string[]): Promise<string[]> {
  const { emails } = await sendEmail.runRaw(project.ctx, { to, template, subscribed: true });
  return emails.map(({ email }: { email: string }) => email);
}

const emailOf = (id: string) => getEmail.runRaw(project.ctx, { id });

/** Nothing is in hand, and nothing that waits is due. */
async function quiet(): Promise<void> {
  const until = performance.now() + 15_000;
  for (;;) {
    const [row] = await prisma().$queryRaw<{ open: number }[]>`
      SELECT count(*)::int AS "open" FROM "DeliveryBatch" WHERE "projectId" = ${project.id}::uuid AND ("token" IS NOT NULL OR "nextAttemptAt" <= now())`;
    if (row?.open === 0) return;
    if (performance.now() > until) throw new Error('email is still due');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Sets back what counts and what waits, as if so many hours had passed. */
async function pass(hours: number): Promise<void> {
  const ms = hours * hourMs;
  await prisma().$executeRaw`
    UPDATE "ContactLimit" l SET
      "sent" = coalesce((SELECT jsonb_object_agg(s.key, s.value::float8 - ${ms}::float8) FROM jsonb_each_text(l."sent") s), '{}'),
      "waiting" = coalesce((SELECT jsonb_object_agg(w.key, jsonb_build_array(w.value -> 0, (w.value ->> 1)::float8 - ${ms}::float8)) FROM jsonb_each(l."waiting") w), '{}')
    WHERE "projectId" = ${project.id}::uuid`;
  await prisma().$executeRaw`
    UPDATE "DeliveryBatch" SET "nextAttemptAt" = "nextAttemptAt" - ${ms}::float8 * interval '1 millisecond',
      "heldSince" = "heldSince" - ${ms}::float8 * interval '1 millisecond' WHERE "projectId" = ${project.id}::uuid AND "token" IS NULL`;
}

it('what the cap does not allow waits without an attempt, is told when, and goes when a place is free', async () => {
  await limit({ caps: [{ max: 2, hours: 24 }] });
  const template = await templateOf();
  const ids: string[] = [];
  await withDelivery(test.services, sink.url, async () => {
    for (let n = 0; n < 5; n += 1) ids.push(...(await send(template, 'ann@people.test')));
    await quiet();
    expect(await statusesOf(test.services, project.id)).toEqual({ SENT: 2, PENDING: 3 });
    const waiting = await Promise.all(ids.slice(2).map(emailOf));
    const times = waiting.map(({ estimatedSendAt }) =>
      Math.round((Date.parse(estimatedSendAt ?? '') - Date.now()) / hourMs),
    );
    expect(waiting.map(({ heldBy, attempts, status, error }) => [heldBy, attempts, status, error])).toEqual(
      Array.from({ length: 3 }, () => ['cap', 0, 'PENDING', null]),
    );
    // Two places become free at once, and the third email follows those that took them.
    expect(times).toEqual([24, 24, 48]);
    const { contactId } = waiting[0] ?? {};
    expect((await getContact.runRaw(project.ctx, { id: contactId })).limits).toEqual({
      granted: [{ hours: 24, count: 2, max: 2 }],
      quietUntil: null,
    });
    await pass(24.1);
    await quiet();
    expect(await statusesOf(test.services, project.id)).toEqual({ SENT: 4, PENDING: 1 });
    expect((await emailOf(ids[4] ?? '')).heldBy).toBe('cap');
  });
});

it('after its time of waiting it is skipped, says why, and gives no place to anybody', async () => {
  await limit({ caps: [{ max: 1, hours: 720 }], waitHours: 3 });
  const template = await templateOf();
  await withDelivery(test.services, sink.url, async () => {
    const [first = ''] = await send(template, 'ann@people.test');
    await quiet();
    const [second = ''] = await send(template, 'ann@people.test');
    await quiet();
    const { heldBy, estimatedSendAt } = await emailOf(second);
    expect([heldBy, Math.round((Date.parse(estimatedSendAt ?? '') - Date.now()) / hourMs)]).toEqual([
      'cap',
      3,
    ]);
    await pass(3.01);
    await drained(test.services, project.id);
    expect([(await emailOf(first)).status, (await emailOf(second)).status]).toEqual(['SENT', 'SKIPPED']);
    expect((await emailOf(second)).reason).toBe('capped');
    const row = await prisma().contactLimit.findFirstOrThrow({ where: { projectId: project.id } });
    expect([Object.keys(row.sent as object), row.waiting]).toEqual([[first], {}]);
    const skipped = await prisma().event.findFirst({
      where: { projectId: project.id, name: 'email.skipped' },
    });
    expect(skipped?.data).toMatchObject({ reason: 'capped' });
  });
});

it('transactional email and what is exempt take no place and wait for none', async () => {
  await limit({ caps: [{ max: 1, hours: 24 }], waitHours: 0 });
  const limited = await templateOf();
  const exempt = await templateOf({ exemptFromLimits: true });
  const receipt = await templateOf({ type: 'TRANSACTIONAL' });
  await withDelivery(test.services, sink.url, async () => {
    for (const template of [exempt, receipt, exempt, receipt, limited, limited])
      await send(template, 'ann@people.test');
    await drained(test.services, project.id);
  });
  expect(await statusesOf(test.services, project.id)).toEqual({ SENT: 5, SKIPPED: 1 });
  const row = await prisma().contactLimit.findFirstOrThrow({ where: { projectId: project.id } });
  expect(Object.keys(row.sent as object)).toHaveLength(1);
});

it('an email that fails gives its place back, and the first that waits goes within a minute', async () => {
  await limit({ caps: [{ max: 1, hours: 24 }] });
  const template = await templateOf();
  await withDelivery(test.services, sink.url, async () => {
    await sink.setBehaviour({ replies: [{ step: 'rcpt', about: 'full@', reply: '451 4.7.1 Later' }] });
    const [first = ''] = await send(template, 'full@people.test');
    await until(async () => ((await emailOf(first)).attempts > 0 ? true : null));
    const [second = '', third = ''] = [
      ...(await send(template, 'full@people.test')),
      ...(await send(template, 'full@people.test')),
    ];
    for (const id of [second, third])
      await until(async () => ((await emailOf(id)).heldBy === 'cap' ? true : null));
    await sink.setBehaviour({ replies: [{ step: 'rcpt', about: 'full@', reply: '554 5.7.1 No' }] });
    await until(async () => ((await emailOf(first)).status === 'FAILED' ? true : null));
    await sink.setBehaviour({ replies: [] });
    expect(await bringHeldForward(test.services)).toBe(1);
    await until(async () => ((await emailOf(second)).status === 'SENT' ? true : null));
    expect((await emailOf(third)).heldBy).toBe('cap');
    expect(await bringHeldForward(test.services)).toBe(0);
    // One that is cancelled waits for nothing: the next one is not behind it.
    await cancelEmail.runRaw(project.ctx, { id: third });
    const row = await prisma().contactLimit.findFirstOrThrow({ where: { projectId: project.id } });
    expect([Object.keys(row.sent as object), row.waiting, row.freedAt]).toEqual([[second], {}, null]);
  });
});

it('in the quiet hours of its contact nothing begins, and it goes at their end', async () => {
  const at = (zone: string, plusMinutes: number) =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }).format(Date.now() + plusMinutes * 60_000);
  const zone = 'Pacific/Chatham';
  // Ten hours around the present time of that zone, of which UTC is more than twelve away.
  await limit({ quietHours: { from: at(zone, -300), to: at(zone, 300) } });
  const template = await templateOf();
  await withDelivery(test.services, sink.url, async () => {
    const ids: string[] = [];
    for (const timezone of ['pacific/CHATHAM', 'nowhere', null, 7]) {
      const { emails } = await sendEmail.runRaw(project.ctx, {
        to: `${String(timezone).replace('/', '-')}@people.test`,
        template,
        subscribed: true,
        data: { timezone },
      });
      ids.push(...emails.map(({ email }: { email: string }) => email));
    }
    await quiet();
    const [held, ...others] = await Promise.all(ids.map(emailOf));
    expect([held?.heldBy, held?.attempts]).toEqual(['quiet_hours', 0]);
    expect(
      Math.round((Date.parse(held?.estimatedSendAt ?? '') - Date.now()) / 60_000),
    ).toBeGreaterThanOrEqual(299);
    expect(Date.parse(held?.estimatedSendAt ?? '')).toBe(
      Math.floor(Date.parse(held?.estimatedSendAt ?? '') / 60_000) * 60_000,
    );
    expect(others.map(({ status }) => status)).toEqual(['SENT', 'SENT', 'SENT']);
    const { limits } = await getContact.runRaw(project.ctx, { id: held?.contactId });
    expect(limits.quietUntil).toEqual(held?.estimatedSendAt);
  });
});

it('changed limits have what waits looked at again, and only once', async () => {
  await limit({ caps: [{ max: 1, hours: 24 }] });
  const template = await templateOf();
  await withDelivery(test.services, sink.url, async () => {
    for (let n = 0; n < 3; n += 1) await send(template, 'ann@people.test');
    await quiet();
    expect(await statusesOf(test.services, project.id)).toEqual({ SENT: 1, PENDING: 2 });
    expect(await bringHeldForward(test.services)).toBe(0);
    await limit({ caps: [{ max: 2, hours: 24 }] });
    // What a process has in hand may still be held by the limits of before.
    expect(await bringHeldForward(test.services)).toBe(0);
    expect(await bringHeldForward(test.services, 0)).toBeGreaterThan(0);
    await quiet();
    expect(await statusesOf(test.services, project.id)).toEqual({ SENT: 2, PENDING: 1 });
    expect(await bringHeldForward(test.services, 0)).toBe(0);
    await limit(null);
    expect(await bringHeldForward(test.services, 0)).toBe(1);
    await drained(test.services, project.id);
    expect(await statusesOf(test.services, project.id)).toEqual({ SENT: 3 });
  });
});

it('the preview says what limits would have done to what was sent', async () => {
  const template = await templateOf();
  const exempt = await templateOf({ exemptFromLimits: true });
  await withDelivery(test.services, sink.url, async () => {
    for (const each of [template, template, exempt, template])
      await send(each, ['ann@people.test', 'bob@people.test']);
    await drained(test.services, project.id);
  });
  const preview = (limits: object) => previewContactLimits.runRaw(project.ctx, limits);
  expect(await preview({ caps: [{ max: 1, hours: 24 }] })).toMatchObject({ emails: 6, held: 4, skipped: 0 });
  expect(await preview({ caps: [{ max: 2, hours: 24 }], waitHours: 0 })).toMatchObject({
    emails: 6,
    held: 0,
    skipped: 2,
  });
  expect(await preview({})).toMatchObject({ emails: 6, held: 0, skipped: 0 });
  const stranger = await createTestProject(test.services);
  expect(await previewContactLimits.runRaw(stranger.ctx, {})).toMatchObject({ emails: 0 });
});

it('a campaign is open while its email is held, says what it waits for, and ends with it', async () => {
  await limit({ caps: [{ max: 1, hours: 24 }] });
  const campaignId = await sendingCampaign(test.services, project.id);
  const emails = await waitingMail(test.services, project.id, { count: 30, campaignId, type: 'MARKETING' });
  await prisma().contactLimit.createMany({
    data: emails.slice(0, 20).map(({ contactId }, n) => ({
      contactId,
      projectId: project.id,
      sent: { [newId()]: Date.now() - (n % 2) * 600_000 },
    })),
  });
  await withDelivery(test.services, sink.url, async () => {
    await quiet();
    expect(await statusesOf(test.services, project.id)).toEqual({ SENT: 10, PENDING: 20 });
    expect(await isDrained(prisma(), campaignId)).toBe(false);
    expect((await countHeld(prisma(), project.id, [campaignId])).get(campaignId)).toEqual({
      cap: 20,
      quietHours: 0,
    });
    // Those that wait for the same time stay together.
    expect(await prisma().deliveryBatch.count({ where: { campaignId } })).toBeLessThanOrEqual(3);
    await pass(24.1);
    await drained(test.services, project.id);
    expect(await statusesOf(test.services, project.id)).toEqual({ SENT: 30 });
    expect(await isDrained(prisma(), campaignId)).toBe(true);
  });
});

it('a campaign is exempt by its own answer, whatever its template says', async () => {
  await limit({ caps: [{ max: 1, hours: 24 }], waitHours: 0 });
  const campaignId = await sendingCampaign(test.services, project.id);
  await prisma().campaign.update({ where: { id: campaignId }, data: { exemptFromLimits: true } });
  await waitingMail(test.services, project.id, { count: 5, campaignId, type: 'MARKETING' });
  await withDelivery(test.services, sink.url, () => drained(test.services, project.id));
  expect(await statusesOf(test.services, project.id)).toEqual({ SENT: 5 });
  expect(await prisma().contactLimit.count({ where: { projectId: project.id } })).toBe(0);
});

it('an email that is read again after a crash keeps its place', async () => {
  await limit({ caps: [{ max: 1, hours: 24 }], waitHours: 0 });
  const [mail] = await waitingMail(test.services, project.id, { count: 1, type: 'MARKETING' });
  const read = await readOnce();
  expect(read.flatMap(({ emails }) => emails.map(({ limited }) => limited))).toEqual([null]);
  await prisma()
    .$executeRaw`UPDATE "DeliveryBatch" SET "token" = NULL WHERE "projectId" = ${project.id}::uuid`;
  const again = await readOnce();
  expect(again.flatMap(({ emails }) => emails.map(({ id, limited }) => [id, limited]))).toEqual([
    [mail?.id, null],
  ]);
});

it('without limits a claim executes the statements that it always did; with caps one more for each batch', async () => {
  await waitingMail(test.services, project.id, { count: 40, type: 'MARKETING', batchSize: 20 });
  expect(await statementsOfReading()).toBe(1);
  await prisma()
    .$executeRaw`UPDATE "DeliveryBatch" SET "token" = NULL WHERE "projectId" = ${project.id}::uuid`;
  await limit({ quietHours: { from: '00:00', to: '00:01' } });
  expect(await statementsOfReading()).toBe(1);
  await prisma()
    .$executeRaw`UPDATE "DeliveryBatch" SET "token" = NULL WHERE "projectId" = ${project.id}::uuid`;
  await limit({ caps: [{ max: 1, hours: 24 }] });
  expect(await statementsOfReading()).toBe(3);
});

it('a contact that is deleted leaves no record of its limits, and the sweep removes what counts for nothing', async () => {
  await limit({ caps: [{ max: 1, hours: 24 }] });
  const template = await templateOf();
  await withDelivery(test.services, sink.url, async () => {
    await send(template, ['ann@people.test', 'bob@people.test', 'eve@people.test']);
    await drained(test.services, project.id);
  });
  const { contactId } = await prisma().email.findFirstOrThrow({
    where: { projectId: project.id, to: 'ann@people.test' },
  });
  await deleteContact.runRaw(project.ctx, { id: contactId });
  const rows = () => prisma().contactLimit.findMany({ where: { projectId: project.id } });
  expect(await rows()).toHaveLength(2);
  const [kept, old] = await rows();
  await prisma().contactLimit.update({
    where: { contactId: old?.contactId ?? '' },
    data: { sent: { [newId()]: Date.now() - 721 * hourMs } },
  });
  await removeContactSlots(prisma(), new Date(), 1_000);
  expect((await rows()).map((row) => row.contactId)).toEqual([kept?.contactId]);
});

async function until<T>(look: () => Promise<T | null>): Promise<T> {
  const end = performance.now() + 15_000;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (performance.now() > end) throw new Error('it did not happen');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function onConnection<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
  const connection = new LedgerConnection(test.databaseUrl, { asyncCommit: true });
  try {
    return await connection.use(work);
  } finally {
    await connection.close();
  }
}

const claimAll = (client: PoolClient) =>
  claimBatches(client, {
    projects: [{ projectId: project.id, maxEmails: 1_000 }],
    kind: 'direct',
    token: newId(),
    worker: 'test',
    leaseMs: 60_000,
    defaultRate: 1_000,
  });

const readOnce = () =>
  onConnection(async (client) => readClaimed(client, (await claimAll(client)).batches, 'route'));

const statementsOfReading = () =>
  onConnection(async (client) => {
    const { batches } = await claimAll(client);
    expect(batches).toHaveLength(2);
    let statements = 0;
    const counting = new Proxy(client, {
      get(target, name) {
        if (name !== 'query') return Reflect.get(target, name);
        return (...given: Parameters<PoolClient['query']>) => {
          statements += 1;
          return target.query(...given);
        };
      },
    });
    await readClaimed(counting, batches, 'route');
    return statements;
  });
