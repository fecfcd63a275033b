import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  sendingCampaign,
  type TestProject,
  type TestServices,
  type WaitingEmail,
  waitingMail,
} from '../../testing/index.ts';
import { encodeLink } from '../message/index.ts';
import { judgeClicks } from './click-judge.ts';
import { type Interaction, storeInteractions } from './interactions.store.ts';
import { recordClick } from './record-click.ts';
import { countUnstoredInteractions, interactionsStored } from './record-interaction.ts';
import { recordOpen } from './record-open.ts';

const reader = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.2.0';

let test: TestServices;
let project: TestProject;
let anyone: Context;
let email: WaitingEmail;
let campaignId: string;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

beforeEach(async () => {
  project = await createTestProject(test.services);
  anyone = { ...project.ctx, actor: { type: 'anonymous' }, project: null };
  campaignId = await sendingCampaign(test.services, project.id);
  email = await someEmail('SENT', campaignId);
});

type Status = 'PENDING' | 'SENT' | 'BOUNCED' | 'FAILED' | 'SKIPPED' | 'UNCERTAIN' | 'CLICKED';
const wasSent = new Set<Status>(['SENT', 'BOUNCED', 'CLICKED']);

async function someEmail(
  status: Status,
  campaign: string | null = null,
  { waits = false, body = '<p>Hello</p>' } = {},
): Promise<WaitingEmail> {
  const { prisma } = test.services.database;
  const [row] = await waitingMail(test.services, project.id, { count: 1, campaignId: campaign, body });
  if (!row) throw new Error('no email was made');
  if (!waits) await prisma.deliveryBatch.delete({ where: { id: row.batchId } });
  // Long enough ago that two links one after the other are those of a person.
  const sentAt = wasSent.has(status) ? new Date(Date.now() - 60_000) : null;
  const batchId = waits ? row.batchId : null;
  const uncertainAt = status === 'UNCERTAIN' ? new Date() : null;
  await prisma.email.update({
    where: { id: row.id },
    data: { status, sentAt, tracked: true, batchId, uncertainAt },
  });
  return row;
}

const emailOf = (id: string) => test.services.database.prisma.email.findUniqueOrThrow({ where: { id } });
const eventsOf = (emailId: string) =>
  test.services.database.prisma.event.findMany({ where: { emailId }, orderBy: { id: 'asc' } });
/** By kind: two of the same millisecond have no order among themselves. */
const interactionsOf = (emailId: string) =>
  test.services.database.prisma.interaction.findMany({
    where: { emailId },
    orderBy: [{ type: 'asc' }, { id: 'asc' }],
  });
const counters = () =>
  test.services.database.prisma.campaignCounter.findUniqueOrThrow({ where: { campaignId } });

const openToken = (emailId: string): string => encodeLink(test.services.secrets, { kind: 'open', emailId });
const clickToken = (emailId: string, target: { linkId: number } | { url: string }): string =>
  encodeLink(test.services.secrets, { kind: 'click', emailId, target });

/** The answer, once the interaction is stored. */
async function stored<T>(answer: Promise<T>): Promise<T> {
  const given = await answer;
  await interactionsStored(test.services);
  await judgeClicks(test.services, { waitMs: 0 });
  return given;
}
const open = (id: string, userAgent: string | null = reader, method: 'GET' | 'HEAD' = 'GET') =>
  stored(recordOpen.run(anyone, { token: openToken(id), userAgent, method }));
const click = (id: string, url: string, userAgent: string | null = reader, method: 'GET' | 'HEAD' = 'GET') =>
  stored(recordClick.run(anyone, { token: clickToken(id, { url }), userAgent, method }));

const link = 'https://shop.test/offer?a=1&b=2';

describe('opens', () => {
  it('the first one sets time and status, counts for the campaign and emits an event with the fields of the email', async () => {
    expect(await open(email.id)).toEqual({ valid: true });
    const row = await emailOf(email.id);
    expect(row).toMatchObject({ status: 'OPENED', opens: 1, clicks: 0, clickedAt: null });
    expect(await counters()).toMatchObject({ openedCount: 1, clickedCount: 0, sentCount: 0 });
    const [event, ...more] = await eventsOf(email.id);
    expect(more).toEqual([]);
    expect(event).toMatchObject({ kind: 'SYSTEM', name: 'email.open', contactId: email.contactId });
    expect(event?.data).toEqual({
      emailId: email.id,
      subject: 'Hello',
      from: 'sender@mail.test',
      fromName: null,
      messageId: `<${email.id}@mail.test>`,
      templateId: null,
      campaignId,
      sourceType: 'CAMPAIGN',
      openedAt: row.openedAt?.toISOString(),
      opens: 1,
      isFirstOpen: true,
    });
    expect(await interactionsOf(email.id)).toMatchObject([{ type: 'open', link: null, bot: false }]);
  });

  it('of email to another person than the contact change the email only', async () => {
    const { prisma } = test.services.database;
    await prisma.email.update({ where: { id: email.id }, data: { toOther: true, sourceType: 'WORKFLOW' } });
    await open(email.id);
    await click(email.id, link);
    expect(await emailOf(email.id)).toMatchObject({ status: 'CLICKED', opens: 1, clicks: 1 });
    expect(await eventsOf(email.id)).toEqual([]);
  });

  it('later ones only count', async () => {
    await open(email.id);
    const { openedAt } = await emailOf(email.id);
    await open(email.id);
    expect(await emailOf(email.id)).toMatchObject({ status: 'OPENED', opens: 2, openedAt });
    expect((await counters()).openedCount).toBe(1);
    const events = await eventsOf(email.id);
    expect(events[1]?.data).toMatchObject({ opens: 2, isFirstOpen: false });
  });

  it('concurrent ones are all counted, and exactly one is the first', async () => {
    await Promise.all(Array.from({ length: 12 }, () => open(email.id)));
    expect((await emailOf(email.id)).opens).toBe(12);
    expect((await counters()).openedCount).toBe(1);
    const firsts = (await eventsOf(email.id)).filter(
      ({ data }) => (data as { isFirstOpen: boolean }).isFirstOpen,
    );
    expect(firsts.length).toBe(1);
  });

  it.each([
    ['no User-Agent', null],
    ['a crawler', 'Mozilla/5.0 (compatible; AcmeBot/1.0)'],
  ])('%s: kept as a bot’s and nothing else', async (_who, userAgent) => {
    const before = await emailOf(email.id);
    expect(await open(email.id, userAgent)).toEqual({ valid: true });
    expect(await emailOf(email.id)).toEqual(before);
    expect(await eventsOf(email.id)).toEqual([]);
    expect((await counters()).openedCount).toBe(0);
    expect(await interactionsOf(email.id)).toMatchObject([{ type: 'open', bot: true }]);
  });

  it('HEAD records nothing', async () => {
    expect(await open(email.id, reader, 'HEAD')).toEqual({ valid: true });
    expect(await interactionsOf(email.id)).toEqual([]);
    expect((await emailOf(email.id)).opens).toBe(0);
  });

  it('a token changed by one character, or of another type, records nothing', async () => {
    const token = openToken(email.id);
    for (let at = 0; at < token.length; at += 7) {
      const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
      expect(await recordOpen.run(anyone, { token: changed, userAgent: reader, method: 'GET' })).toEqual({
        valid: false,
      });
    }
    const other = clickToken(email.id, { url: link });
    expect(await recordOpen.run(anyone, { token: other, userAgent: reader, method: 'GET' })).toEqual({
      valid: false,
    });
    expect(await interactionsOf(email.id)).toEqual([]);
  });
});

describe('clicks', () => {
  it('sets both times without an email.open, raises the status and records the link', async () => {
    expect(await click(email.id, link)).toEqual({ url: link });
    const row = await emailOf(email.id);
    expect(row).toMatchObject({ status: 'CLICKED', clicks: 1, opens: 0 });
    expect(row.openedAt).toEqual(row.clickedAt);
    expect(await counters()).toMatchObject({ openedCount: 1, clickedCount: 1 });
    const events = await eventsOf(email.id);
    expect(events.map(({ name }) => name)).toEqual(['email.click']);
    expect(events[0]?.data).toMatchObject({
      link,
      clickedAt: row.clickedAt?.toISOString(),
      clicks: 1,
      isFirstClick: true,
    });
    expect(await interactionsOf(email.id)).toMatchObject([{ type: 'click', link, bot: false }]);
  });

  it('an open after a click does not lower the status', async () => {
    await click(email.id, link);
    await open(email.id);
    await click(email.id, link);
    expect(await emailOf(email.id)).toMatchObject({ status: 'CLICKED', opens: 1, clicks: 2 });
    expect(await counters()).toMatchObject({ openedCount: 1, clickedCount: 1 });
  });

  it('HEAD and bots get the link too, and count nothing', async () => {
    expect(await click(email.id, link, reader, 'HEAD')).toEqual({ url: link });
    expect(await click(email.id, link, 'LinkScanner 1.0')).toEqual({ url: link });
    expect(await interactionsOf(email.id)).toMatchObject([{ type: 'click', link, bot: true }]);
    expect(await emailOf(email.id)).toMatchObject({ status: 'SENT', clicks: 0 });
  });

  it('fixed links are found by their number in the message', async () => {
    const body = `<p>Hi {{name}} <a href="https://one.test/">1</a> <a href="mailto:a@b.test">m</a> <a href="https://two.test/?a=1&amp;b=2">2</a></p>`;
    const { id } = await someEmail('SENT', null, { body });
    const follow = (linkId: number) =>
      stored(
        recordClick.run(anyone, { token: clickToken(id, { linkId }), userAgent: reader, method: 'GET' }),
      );
    expect(await follow(0)).toEqual({ url: 'https://one.test/' });
    expect(await follow(1)).toEqual({ url: 'https://two.test/?a=1&b=2' });
    expect(await follow(2)).toEqual({ url: null });
    expect((await emailOf(id)).clicks).toBe(2);
  });

  it('only redirects to web addresses', async () => {
    expect(await click(email.id, 'javascript:alert(1)')).toEqual({ url: null });
    expect(await interactionsOf(email.id)).toEqual([]);
  });

  it('accepts links longer than a usual path segment', async () => {
    const long = `https://shop.test/?q=${'x'.repeat(6_000)}`;
    expect(await click(email.id, long)).toEqual({ url: long });
  });
});

describe('transitions of the status', () => {
  it('is never lowered; times and counts are still recorded', async () => {
    const { id } = await someEmail('BOUNCED', campaignId);
    await open(id);
    const row = await emailOf(id);
    expect(row).toMatchObject({ status: 'BOUNCED', opens: 1 });
    expect(row.openedAt).toBeInstanceOf(Date);
    expect((await counters()).openedCount).toBe(1);
  });

  it.each(['FAILED', 'SKIPPED'] as const)('%s: kept as an interaction only', async (status) => {
    const { id } = await someEmail(status, campaignId);
    const before = await emailOf(id);
    await open(id);
    await click(id, link);
    expect(await emailOf(id)).toEqual(before);
    expect(await eventsOf(id)).toEqual([]);
    expect(await counters()).toMatchObject({ openedCount: 0, clickedCount: 0, sentCount: 0 });
    expect(await interactionsOf(id)).toMatchObject([
      { type: 'open', bot: false },
      { type: 'click', bot: false },
    ]);
  });

  it('UNCERTAIN is proven sent, and its waiting resend is dropped', async () => {
    const { prisma } = test.services.database;
    await prisma.campaignCounter.update({ where: { campaignId }, data: { uncertainCount: 1 } });
    const { id } = await someEmail('UNCERTAIN', campaignId, { waits: true });
    await open(id);
    const row = await emailOf(id);
    expect(row).toMatchObject({ status: 'OPENED', opens: 1, error: null });
    expect(row.sentAt).toEqual(row.openedAt);
    expect(row).toMatchObject({ batchId: null, uncertainAt: null });
    expect(await counters()).toMatchObject({ sentCount: 1, uncertainCount: 0, openedCount: 1 });
    await click(id, link);
    expect(await counters()).toMatchObject({ sentCount: 1, uncertainCount: 0, clickedCount: 1 });
  });

  it('a bot proves nothing', async () => {
    const { id } = await someEmail('UNCERTAIN', null, { waits: true });
    await open(id, 'AcmeBot/1.0');
    expect(await emailOf(id)).toMatchObject({ status: 'UNCERTAIN', batchId: expect.any(String) });
  });

  it('requeued: proven sent too, and not sent a second time', async () => {
    const { id } = await someEmail('PENDING', null, { waits: true });
    await click(id, link);
    expect(await emailOf(id)).toMatchObject({ status: 'CLICKED', batchId: null });
  });

  it('an open before the answer is written: it can still be written', async () => {
    const { id, batchId } = await someEmail('PENDING', null, { waits: true });
    await test.services.database.prisma.deliveryBatch.update({
      where: { id: batchId },
      data: { token: newId(), leaseUntil: new Date(Date.now() + 60_000) },
    });
    await open(id);
    expect(await emailOf(id)).toMatchObject({ status: 'OPENED', batchId });
  });

  it('a test email emits nothing', async () => {
    await test.services.database.prisma.email.update({
      where: { id: email.id },
      data: { sourceType: 'TEST' },
    });
    await open(email.id);
    expect(await eventsOf(email.id)).toEqual([]);
  });

  it('works for a project that is disabled', async () => {
    await test.services.database.prisma.project.update({
      where: { id: project.id },
      data: { disabled: true },
    });
    await open(email.id);
    expect((await emailOf(email.id)).opens).toBe(1);
  });
});

describe('interactions of one group', () => {
  const make = (given: Partial<Interaction> = {}): Interaction => ({
    id: newId(),
    type: 'open',
    emailId: email.id,
    link: null,
    bot: false,
    client: 'Thunderbird',
    device: 'desktop',
    receivedAt: performance.now(),
    times: 1,
    ...given,
  });
  const store = async (interactions: readonly Interaction[], isRepeat = false) => {
    const given = await storeInteractions(test.services.database.grouped, interactions, { isRepeat });
    await judgeClicks(test.services, { waitMs: 0 });
    return given;
  };

  it('count one by one, in order, and each has its event', async () => {
    const other = await someEmail('SENT', campaignId);
    await store([
      make(),
      make({ type: 'click', link }),
      make({ emailId: other.id }),
      make({ bot: true }),
      make(),
      make({ emailId: newId() }),
      make({ type: 'click', link: `${link}&c=3` }),
    ]);
    expect(await emailOf(email.id)).toMatchObject({ status: 'CLICKED', opens: 2, clicks: 2 });
    expect(await emailOf(other.id)).toMatchObject({ status: 'OPENED', opens: 1, clicks: 0, clickedAt: null });
    expect(await counters()).toMatchObject({ openedCount: 2, clickedCount: 1, sentCount: 0 });
    const events = await eventsOf(email.id);
    expect(events.map(({ name, data }) => [name, data])).toMatchObject([
      ['email.open', { opens: 1, isFirstOpen: true }],
      ['email.click', { clicks: 1, isFirstClick: true, link }],
      ['email.open', { opens: 2, isFirstOpen: false }],
      ['email.click', { clicks: 2, isFirstClick: false, link: `${link}&c=3` }],
    ]);
    expect((await interactionsOf(email.id)).length).toBe(5);
  });

  it('more than 20 of one email, type and hour count and emit events, and are not stored as rows', async () => {
    // Within one hour of the clock, whenever the test runs.
    const minutesLater = new Date().getUTCMinutes() >= 58 ? 5 : 0;
    const receivedAt = performance.now() - minutesLater * 60_000;
    const opens = (count: number, given: Partial<Interaction> = {}) =>
      Array.from({ length: count }, () => make({ receivedAt, ...given }));
    await store(opens(15));
    await store([...opens(15), ...opens(3, { type: 'click', link }), ...opens(15, { bot: true })]);
    expect(await emailOf(email.id)).toMatchObject({ opens: 30, clicks: 3 });
    expect((await eventsOf(email.id)).length).toBe(33);
    const rows = await interactionsOf(email.id);
    expect(rows.filter(({ type }) => type === 'open').length).toBe(20);
    expect(rows.filter(({ type }) => type === 'click').length).toBe(3);
    await store(opens(2, { receivedAt: receivedAt - 3_600_000 }));
    expect((await interactionsOf(email.id)).length).toBe(25);
  });

  it('of a flood count each, while what waits and what is stored stays small', async () => {
    const visits = Array.from({ length: 1_000 }, () =>
      recordClick.run(anyone, {
        token: clickToken(email.id, { url: link }),
        userAgent: reader,
        method: 'GET',
      }),
    );
    await Promise.all(visits);
    expect(countUnstoredInteractions(test.services)).toBeLessThan(200);
    await interactionsStored(test.services);
    await judgeClicks(test.services, { waitMs: 0 });
    expect(await emailOf(email.id)).toMatchObject({ clicks: 1_000, status: 'CLICKED' });
    expect(await counters()).toMatchObject({ clickedCount: 1 });
    expect((await interactionsOf(email.id)).length).toBe(20);
    const events = await eventsOf(email.id);
    expect(events.length).toBeLessThan(200);
    expect(events.filter(({ data }) => (data as { isFirstClick: boolean }).isFirstClick).length).toBe(1);
    const sums = { clicks: true, clickers: true } as const;
    expect(
      await test.services.database.prisma.figureEntry.aggregate({ where: { campaignId, link }, _sum: sums }),
    ).toEqual({ _sum: { clicks: 1_000, clickers: 1 } });
  });

  it('that count together are stored once, even if it is unknown whether an earlier statement has stored them', async () => {
    const many = make({ times: 500 });
    await store([many]);
    await store([many, make()], true);
    expect(await emailOf(email.id)).toMatchObject({ opens: 501 });
    expect((await eventsOf(email.id)).map(({ data }) => data)).toMatchObject([
      { opens: 500, isFirstOpen: true },
      { opens: 501, isFirstOpen: false },
    ]);
  });

  it('have the time of their request', async () => {
    const received = Date.now() - 90_000;
    await store([make({ receivedAt: performance.now() - 90_000 })]);
    const { openedAt } = await emailOf(email.id);
    expect(Math.abs((openedAt?.getTime() ?? 0) - received)).toBeLessThan(5_000);
    expect(await interactionsOf(email.id)).toMatchObject([{ at: openedAt }]);
    expect((await eventsOf(email.id))[0]?.data).toMatchObject({ openedAt: openedAt?.toISOString() });
  });

  it('are stored once, even if it is unknown whether an earlier statement has stored them', async () => {
    const first = [make(), ...Array.from({ length: 24 }, () => make())];
    const second = [make(), make({ type: 'click', link })];
    await store(first);
    await store([...first, ...second], true);
    await store([...first, ...second], true);
    expect(await emailOf(email.id)).toMatchObject({ opens: 26, clicks: 1 });
    expect((await eventsOf(email.id)).length).toBe(27);
    expect(await counters()).toMatchObject({ openedCount: 1, clickedCount: 1 });
    await expect(store(first)).rejects.toMatchObject({ code: '23505' });
  });

  it('wait for no email that another transaction has locked', async () => {
    const other = await someEmail('SENT', campaignId);
    const [held, free] = [make(), make({ emailId: other.id })];
    await test.services.database.prisma.$transaction(async (db) => {
      await db.$queryRaw`SELECT FROM "Email" WHERE "id" = ${email.id}::uuid FOR UPDATE`;
      expect(await store([held, free])).toEqual({ busy: [held.id], projects: [project.id] });
    });
    expect((await emailOf(other.id)).opens).toBe(1);
    expect(await interactionsOf(email.id)).toEqual([]);
  });
});
