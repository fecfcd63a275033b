import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  sendingCampaign,
  type TestProject,
  type TestServices,
  waitingMail,
} from '../../testing/index.ts';
import { createClickJudge, judgeClicks } from './click-judge.ts';
import { type Interaction, storeInteractions } from './interactions.store.ts';

let test: TestServices;
let project: TestProject;
let campaignId: string;
let emailId: string;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
  campaignId = await sendingCampaign(test.services, project.id);
  emailId = await sentEmail();
});

const prisma = () => test.services.database.prisma;

/** An email that was handed over this long ago. */
async function sentEmail(secondsAgo = 3_600): Promise<string> {
  const [row] = await waitingMail(test.services, project.id, { count: 1, campaignId });
  if (!row) throw new Error('no email was made');
  await prisma().deliveryBatch.delete({ where: { id: row.batchId } });
  const sentAt = new Date(Date.now() - secondsAgo * 1_000);
  await prisma().email.update({
    where: { id: row.id },
    data: { status: 'SENT', sentAt, tracked: true, batchId: null },
  });
  return row.id;
}

type Click = [link: string, secondsAgo: number, given?: Partial<Interaction>];
const make = ([link, secondsAgo, given = {}]: Click): Interaction => ({
  id: newId(),
  type: 'click',
  emailId,
  link: `https://shop.test/${link}`,
  bot: false,
  client: 'Chrome',
  device: 'desktop',
  receivedAt: performance.now() - secondsAgo * 1_000,
  times: 1,
  ...given,
});
const store = (...clicks: Click[]) =>
  storeInteractions(test.services.database.grouped, clicks.map(make), { isRepeat: false });
const emailNow = () => prisma().email.findUniqueOrThrow({ where: { id: emailId } });
const rows = async () =>
  (await prisma().interaction.findMany({ where: { emailId }, orderBy: [{ at: 'asc' }, { id: 'asc' }] })).map(
    ({ link, bot, client }) => [link?.replace('https://shop.test/', ''), bot, client],
  );
const eventCount = () => prisma().event.count({ where: { emailId } });
const burst = (secondsAgo: number, count = 10): Click[] =>
  Array.from({ length: count }, (_, at) => [`link-${at}`, secondsAgo - at * 0.004]);

describe('a click', () => {
  it('has a row at once, which is no machine’s, and its effects two seconds later', async () => {
    await store(['a', 1.5]);
    await judgeClicks(test.services);
    expect(await rows()).toEqual([['a', false, 'Chrome']]);
    expect(await emailNow()).toMatchObject({ status: 'SENT', clicks: 0, clickedAt: null });
    expect(await prisma().figureEntry.count({ where: { campaignId, client: { not: null } } })).toBe(0);
    expect(await eventCount()).toBe(0);
    await prisma().recentClick.updateMany({ where: { emailId }, data: { at: new Date(Date.now() - 2_100) } });
    await judgeClicks(test.services);
    expect(await emailNow()).toMatchObject({ status: 'CLICKED', clicks: 1 });
    expect(await eventCount()).toBe(1);
    expect(await prisma().campaignCounter.findUnique({ where: { campaignId } })).toMatchObject({
      clickedCount: 1,
    });
    await judgeClicks(test.services);
    expect(await emailNow()).toMatchObject({ clicks: 1 });
  });

  it.each<[string, number, Click[], number]>([
    ['right after the hand-over', 3, [['a', 2.5]], 1],
    [
      'two links in three seconds',
      3_600,
      [
        ['a', 6],
        ['b', 3],
      ],
      2,
    ],
    [
      'two links in one second, long after the hand-over',
      3_600,
      [
        ['a', 4],
        ['b', 3],
      ],
      2,
    ],
    [
      'two links in one second, 11 seconds after the hand-over',
      14,
      [
        ['a', 3],
        ['b', 2.2],
      ],
      2,
    ],
    ['one link five times in a second', 5, Array.from({ length: 5 }, (): Click => ['a', 2.5]), 5],
    [
      'three links in four seconds',
      3_600,
      [
        ['a', 7],
        ['b', 5],
        ['c', 2.9],
      ],
      3,
    ],
    [
      'beside a known machine that follows all links',
      3_600,
      [
        ['a', 3],
        ...burst(3).map(
          ([link, at]): Click => [link, at, { bot: true, client: 'Machine', device: 'machine' }],
        ),
      ],
      1,
    ],
  ])('%s is a person’s', async (_, sentAgo, clicks, counted) => {
    emailId = await sentEmail(sentAgo);
    await store(...clicks);
    await judgeClicks(test.services);
    expect(await emailNow()).toMatchObject({ clicks: counted, status: 'CLICKED' });
    expect(await eventCount()).toBe(counted);
  });
});

describe('a burst', () => {
  it.each<[string, number, Click[]]>([
    [
      'three links within two seconds',
      3_600,
      [
        ['a', 5],
        ['b', 4],
        ['c', 3.01],
      ],
    ],
    [
      'two links within two seconds, right after the hand-over',
      6,
      [
        ['a', 4],
        ['b', 2.5],
      ],
    ],
    ['of a gateway, ten links in 40 milliseconds', 3_600, burst(3)],
    [
      'that goes on for seconds',
      3_600,
      Array.from({ length: 12 }, (_, at): Click => [`l${at}`, 14 - 0.9 * at]),
    ],
  ])('%s: all its clicks are those of a machine', async (_, sentAgo, clicks) => {
    emailId = await sentEmail(sentAgo);
    const before = await emailNow();
    await store(...clicks);
    await judgeClicks(test.services);
    expect(await emailNow()).toEqual(before);
    expect((await rows()).every(([, bot, client]) => bot === true && client === 'Machine')).toBe(true);
    expect(await eventCount()).toBe(0);
    expect(
      await prisma().figureEntry.groupBy({
        by: ['client'],
        where: { campaignId, client: { not: null } },
        _sum: { clicks: true, clickers: true },
      }),
    ).toEqual([{ client: 'Machine', _sum: { clicks: clicks.length, clickers: 0 } }]);
  });

  it('before the mail server’s answer is known is one too, and proves nothing', async () => {
    await prisma().email.update({ where: { id: emailId }, data: { status: 'SENDING', sentAt: null } });
    await store(['a', 3], ['b', 2.5]);
    await judgeClicks(test.services);
    expect(await emailNow()).toMatchObject({ status: 'SENDING', clicks: 0 });
  });

  it('of other clicks leaves a person’s of another time and another email alone', async () => {
    const first = emailId;
    await store(['a', 8], ...burst(3));
    emailId = await sentEmail();
    await store(['a', 3]);
    await judgeClicks(test.services);
    expect(await emailNow()).toMatchObject({ clicks: 1 });
    emailId = first;
    expect(await emailNow()).toMatchObject({ clicks: 1 });
  });

  it('does not take back what counted before it was seen', async () => {
    await store(['a', 2.1], ['b', 2.1]);
    await judgeClicks(test.services);
    await store(['c', 2]);
    await judgeClicks(test.services, { waitMs: 1_900 });
    expect(await emailNow()).toMatchObject({ clicks: 2 });
    expect((await rows()).map(([link, bot]) => [link, bot])).toEqual([
      ['a', false],
      ['b', false],
      ['c', true],
    ]);
  });

  it('of more clicks than have rows is no person’s either', async () => {
    await store(...burst(3, 40));
    await judgeClicks(test.services);
    expect(await emailNow()).toMatchObject({ status: 'SENT', clicks: 0 });
    expect(await rows()).toHaveLength(20);
  });

  it('in another email of another project changes nothing here', async () => {
    await store(['a', 3], ['b', 2.9]);
    const [mine, other] = [emailId, await createTestProject(test.services)];
    const [row] = await waitingMail(test.services, other.id, { count: 1 });
    emailId = row?.id ?? '';
    await store(...burst(3));
    await judgeClicks(test.services);
    emailId = mine;
    expect(await emailNow()).toMatchObject({ clicks: 2 });
  });
});

describe('several processes', () => {
  it('judge each click once, whichever stored it, and a burst that they share is one', async () => {
    const second = await createTestServices({ postgres: { url: test.databaseUrl, drop: async () => {} } });
    try {
      const mails = await Promise.all(Array.from({ length: 20 }, () => sentEmail()));
      const machine = await sentEmail();
      for (const [at, id] of mails.entries()) {
        emailId = id;
        const [one, other] = at % 2 ? [test, second] : [second, test];
        await storeInteractions(one.services.database.grouped, [make(['a', 6])]);
        await storeInteractions(other.services.database.grouped, [make(['a', 3])]);
      }
      emailId = machine;
      const links = burst(3).map(make);
      await storeInteractions(test.services.database.grouped, links.slice(0, 5));
      await storeInteractions(second.services.database.grouped, links.slice(5));
      await Promise.all(
        Array.from({ length: 10 }, (_, at) => judgeClicks((at % 2 ? test : second).services)),
      );
      await judgeClicks(test.services);
      const counted = await prisma().email.findMany({ where: { id: { in: mails } } });
      expect(counted.map(({ clicks }) => clicks)).toEqual(mails.map(() => 2));
      expect(await prisma().event.count({ where: { emailId: { in: mails } } })).toBe(40);
      expect(await emailNow()).toMatchObject({ status: 'SENT', clicks: 0 });
    } finally {
      await second.close();
    }
  });

  it('what one has stored before it was killed is judged by another that runs', async () => {
    await store(['a', 0]);
    const judge = createClickJudge(test.services);
    judge.start();
    await expect.poll(emailNow, { timeout: 60_000 }).toMatchObject({ clicks: 1, status: 'CLICKED' });
    await judge.stop();
  });
});

describe('what waits', () => {
  it('waits longer while another transaction holds its email', async () => {
    await store(['a', 3]);
    await prisma().$transaction(async (db) => {
      await db.$queryRaw`SELECT FROM "Email" WHERE "id" = ${emailId}::uuid FOR UPDATE`;
      await judgeClicks(test.services);
    });
    expect(await emailNow()).toMatchObject({ clicks: 0 });
    await judgeClicks(test.services);
    expect(await emailNow()).toMatchObject({ clicks: 1 });
  });

  it('is forgotten when its email is removed, and soon after it was judged', async () => {
    await store(['a', 10]);
    await store(['a', 3, { emailId: newId() }]);
    await prisma().recentClick.create({
      data: {
        id: newId(),
        emailId: newId(),
        link: 'x',
        client: 'x',
        device: 'x',
        times: 1,
        at: new Date(Date.now() - 3_000),
      },
    });
    await judgeClicks(test.services);
    await judgeClicks(test.services);
    expect(await prisma().recentClick.count({ where: { emailId } })).toBe(0);
    expect(await prisma().recentClick.count({ where: { link: 'x' } })).toBe(0);
  });

  it('is judged also when the clock was set back meanwhile', async () => {
    await store(['a', -7_200]);
    await prisma().recentClick.updateMany({
      where: { emailId },
      data: { at: new Date(Date.now() + 7_200_000) },
    });
    await judgeClicks(test.services);
    expect(await emailNow()).toMatchObject({ clicks: 1 });
  });

  it('of a flood is judged within bounded time', async () => {
    const flood = Array.from({ length: 2_000 }, (_, at) => make([`l${at % 300}`, 3 - at / 1_000]));
    for (let from = 0; from < flood.length; from += 500)
      await storeInteractions(test.services.database.grouped, flood.slice(from, from + 500));
    await judgeClicks(test.services, { waitMs: 0 });
    expect(await prisma().recentClick.count({ where: { emailId, judged: false } })).toBe(0);
    expect(await emailNow()).toMatchObject({ clicks: 0 });
  });
});
