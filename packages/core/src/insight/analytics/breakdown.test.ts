import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { encodeLink } from '../../mail/message/index.ts';
import { judgeClicks, recordClick, recordOpen } from '../../mail/tracking/index.ts';
import { interactionsStored } from '../../mail/tracking/record-interaction.ts';
import {
  createTestProject,
  createTestServices,
  sendingCampaign,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { foldBatch } from './fold.store.ts';
import {
  foldFigures,
  getBreakdown,
  getCampaignReport,
  getClients,
  getContactGrowth,
  getTimeseries,
  listLinks,
} from './index.ts';

let test: TestServices;
let project: TestProject;
let anyone: Context;
let campaignId: string;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
  anyone = { ...project.ctx, actor: { type: 'anonymous' }, project: null };
  campaignId = await sendingCampaign(test.services, project.id);
});

interface Given {
  to?: string;
  from?: string;
  templateId?: string;
  stepId?: string;
  campaign?: boolean;
  tags?: string[];
}

/** An email that waits to be sent. */
async function email({
  to = 'ada@gmail.com',
  from = 'News@Mail.test',
  templateId,
  stepId,
  campaign = false,
  tags,
}: Given = {}): Promise<string> {
  const { prisma } = test.services.database;
  const [id, contentId, stepExecutionId] = [newId(), newId(), stepId ? newId() : null];
  await prisma.content.create({
    data: {
      id: contentId,
      projectId: project.id,
      hash: Uint8Array.from(Buffer.from(contentId)),
      type: 'MARKETING',
      sourceType: campaign ? 'CAMPAIGN' : 'TRANSACTIONAL',
      subject: 'Hello',
      body: '',
      from,
      projectName: 'Test project',
    },
  });
  if (stepExecutionId && stepId)
    await prisma.workflowStepExecution.create({
      data: { id: stepExecutionId, projectId: project.id, executionId: newId(), stepId },
    });
  await prisma.email.create({
    data: {
      id,
      projectId: project.id,
      to,
      type: 'MARKETING',
      sourceType: campaign ? 'CAMPAIGN' : stepId ? 'WORKFLOW' : 'TRANSACTIONAL',
      contentId,
      templateId: templateId ?? null,
      campaignId: campaign ? campaignId : null,
      workflowStepExecutionId: stepExecutionId,
      ...(tags && { tags }),
    },
  });
  return id;
}

type Fact = 'sent' | 'delivered' | 'opened' | 'clicked' | 'bounced' | 'complained';
const happened = (ids: string[], fact: Fact, at: Date | null = new Date()) =>
  test.services.database.prisma.email.updateMany({
    where: { id: { in: ids } },
    data: { [`${fact}At`]: at, ...(fact === 'sent' && at ? { status: 'SENT' } : {}) },
  });

type By = 'template' | 'step' | 'domain' | 'provider' | 'tag';
/** Rows as `[key, sent, delivered, opened, clicked, bounced, complained, unsubscribed]`. */
async function rowsBy(by: By, more: object = {}) {
  const { data } = await getBreakdown.run(project.ctx, { by, ...more });
  return data.map(({ key, sent, delivered, opened, clicked, bounced, complained, unsubscribed }) => [
    key,
    sent,
    delivered,
    opened,
    clicked,
    bounced,
    complained,
    unsubscribed,
  ]);
}

const fold = () => foldFigures(test.services);
const reader = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.2.0';
const gmailProxy =
  'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)';

async function open(emailId: string, userAgent = reader): Promise<void> {
  const token = encodeLink(test.services.secrets, { kind: 'open', emailId });
  await recordOpen.run(anyone, { token, userAgent, method: 'GET' });
  await interactionsStored(test.services);
}

async function click(emailId: string, url: string, userAgent = reader): Promise<void> {
  const token = encodeLink(test.services.secrets, { kind: 'click', emailId, target: { url } });
  await recordClick.run(anyone, { token, userAgent, method: 'GET' });
  await interactionsStored(test.services);
  await judgeClicks(test.services, { waitMs: 0 });
}

describe('the breakdown of emails', () => {
  it('has providers by the domain of the recipient, before and after the entries are added up', async () => {
    const ids = [await email(), await email({ to: 'b@hotmail.com' }), await email({ to: 'c@firm.test' })];
    const [first = ''] = ids;
    await happened(ids, 'sent');
    await happened([first, await email({ to: 'd@googlemail.com' })], 'delivered');
    await happened([first], 'opened');
    const expected = [
      ['google', 1, 2, 1, 0, 0, 0, 0],
      ['microsoft', 1, 0, 0, 0, 0, 0, 0],
      ['other', 1, 0, 0, 0, 0, 0, 0],
    ];
    expect(await rowsBy('provider')).toEqual(expected);
    expect(await fold()).toBeGreaterThan(0);
    expect(await rowsBy('provider')).toEqual(expected);
    await happened([first], 'clicked');
    expect((await rowsBy('provider'))[0]).toEqual(['google', 1, 2, 1, 1, 0, 0, 0]);
  });

  it('has sender domains in lower case, templates and steps with their names', async () => {
    const { prisma } = test.services.database;
    const template = await prisma.template.create({
      data: {
        id: newId(),
        projectId: project.id,
        name: 'Receipt',
        subject: '',
        body: '',
        from: 'a@mail.test',
      },
    });
    const workflow = await prisma.workflow.create({
      data: { id: newId(), projectId: project.id, name: 'Welcome' },
    });
    const step = await prisma.workflowStep.create({
      data: {
        id: newId(),
        projectId: project.id,
        workflowId: workflow.id,
        type: 'SEND_EMAIL',
        name: 'First email',
      },
    });
    const ids = [await email({ templateId: template.id }), await email({ stepId: step.id })];
    await happened(ids, 'sent');
    await fold();
    expect(await rowsBy('domain')).toEqual([['mail.test', 2, 0, 0, 0, 0, 0, 0]]);
    const [templates, steps, ofOther] = await Promise.all([
      getBreakdown.run(project.ctx, { by: 'template' }),
      getBreakdown.run(project.ctx, { by: 'step', workflowId: workflow.id }),
      getBreakdown.run(project.ctx, { by: 'step', workflowId: newId() }),
    ]);
    expect(templates.data).toMatchObject([{ key: template.id, name: 'Receipt', workflow: null, sent: 1 }]);
    expect(steps.data).toMatchObject([
      { key: step.id, name: 'First email', workflow: { id: workflow.id, name: 'Welcome' }, sent: 1 },
    ]);
    expect(ofOther.data).toEqual([]);
    await prisma.template.delete({ where: { id: template.id } });
    const { data } = await getBreakdown.run(project.ctx, { by: 'template' });
    expect(data).toMatchObject([{ key: template.id, name: null, sent: 1 }]);
  });

  it('counts an email under each of its tags, before and after the entries are added up', async () => {
    const both = await email({ tags: ['receipt', 'eu'] });
    const one = await email({ tags: ['receipt'] });
    await happened([both, one, await email()], 'sent');
    await happened([both], 'opened');
    const expected = [
      ['receipt', 2, 0, 1, 0, 0, 0, 0],
      ['eu', 1, 0, 1, 0, 0, 0, 0],
    ];
    expect(await rowsBy('tag')).toEqual(expected);
    await fold();
    expect(await rowsBy('tag')).toEqual(expected);
    // A fact that is taken back leaves the tags it counted under.
    await happened([both], 'opened', null);
    expect(await rowsBy('tag')).toEqual([
      ['receipt', 2, 0, 0, 0, 0, 0, 0],
      ['eu', 1, 0, 0, 0, 0, 0, 0],
    ]);
    await fold();
    expect((await rowsBy('tag'))[1]).toEqual(['eu', 1, 0, 0, 0, 0, 0, 0]);
  });

  it('has the first 200 tags of a project, and one row for all others', async () => {
    const named = (from: number, to: number): string[] =>
      Array.from({ length: to - from }, (_, n) => `tag ${String(from + n).padStart(3, '0')}`);
    const sentWith = async (tags: string[]) => {
      const ids: string[] = [];
      for (let n = 0; n < tags.length; n += 10) ids.push(await email({ tags: tags.slice(n, n + 10) }));
      await happened(ids, 'sent');
    };
    await sentWith(named(0, 195));
    await fold();
    await sentWith(named(195, 215));
    await fold();
    // Of an email with two others, one that is known, and one of each kind again.
    await happened(
      [await email({ tags: ['x', 'y', 'tag 000'] }), await email({ tags: ['tag 214'] })],
      'sent',
    );
    const check = async () => {
      const rows = await test.services.database.prisma.$queryRaw<{ key: string; sent: number }[]>`
        SELECT "key", sum("sent")::int AS "sent" FROM "Figure"
        WHERE "projectId" = ${project.id}::uuid AND "dimension" = 'tag' AND "unit" = 'total' GROUP BY 1`;
      return [rows.length, rows.find(({ key }) => key === '(other)')?.sent];
    };
    expect(await check()).toEqual([201, 2]);
    const top = async () =>
      (await rowsBy('tag', { limit: 100 })).slice(0, 3).map(([key, sent]) => [key, sent]);
    const expected = [
      ['(other)', 4],
      ['tag 000', 2],
      ['tag 001', 1],
    ];
    expect(await top()).toEqual(expected);
    await fold();
    expect(await top()).toEqual(expected);
    expect(await check()).toEqual([201, 4]);
  });

  it('counts each fact at its time, with the period before it on request', async () => {
    const [early, late] = [await email(), await email()];
    await happened([early], 'sent', new Date('2026-03-01T23:50:00Z'));
    await happened([late], 'sent', new Date('2026-03-04T12:00:00Z'));
    await happened([early], 'opened', new Date('2026-03-05T00:10:00Z'));
    await fold();
    const days = { from: '2026-03-04', to: '2026-03-07', compare: true };
    const { data } = await getBreakdown.run(project.ctx, { by: 'provider', ...days });
    expect(data).toMatchObject([
      { key: 'google', sent: 1, opened: 1, openRate: 100, previous: { sent: 1, opened: 0, openRate: 0 } },
    ]);
    // A quarter of an hour at the end, beside whole days.
    expect(await rowsBy('provider', { from: '2026-03-01T23:45:00Z', to: '2026-03-05T00:00:00Z' })).toEqual([
      ['google', 2, 0, 0, 0, 0, 0, 0],
    ]);
    const series = await getTimeseries.run(project.ctx, days);
    expect([series.totals, series.previous]).toMatchObject([
      { sent: 1, opened: 1 },
      { sent: 1, opened: 0 },
    ]);
  });

  it('has a bounce rate of at most 100 %: emails that the server refused were never sent, but belong to its base', async () => {
    const [sent, ...refused] = await Promise.all(Array.from({ length: 7 }, () => email()));
    await happened([sent ?? ''], 'sent');
    await happened(refused, 'bounced');
    const rate = async () => (await getBreakdown.run(project.ctx, { by: 'provider' })).data[0]?.bounceRate;
    expect(await rate()).toBe(85.71);
    await fold();
    expect(await rate()).toBe(85.71);
    await happened(refused.slice(0, 3), 'sent');
    expect(await rate()).toBe(85.71);
    // Sent before the period, bounced within it.
    await happened([sent ?? '', ...refused], 'sent', new Date(Date.now() - 400 * 86_400_000));
    await happened(refused.slice(0, 1), 'sent');
    expect(await rate()).toBe(100);
  });

  it('takes back what did not happen, and counts an opt-out once', async () => {
    const id = await email();
    await happened([id], 'sent');
    await fold();
    await happened([id], 'sent', null);
    await test.services.database.prisma.email.update({ where: { id }, data: { unsubscribed: true } });
    await happened([id], 'bounced');
    await fold();
    expect(await rowsBy('provider')).toEqual([['google', 0, 0, 0, 0, 1, 0, 1]]);
  });

  it('stays as it was when an address is erased, and contains nothing of another project', async () => {
    const id = await email();
    await happened([id], 'sent');
    await test.services.database.prisma.email.update({ where: { id }, data: { to: '', campaignId: null } });
    expect(await rowsBy('provider')).toEqual([['google', 1, 0, 0, 0, 0, 0, 0]]);
    const { data } = await getBreakdown.run((await createTestProject(test.services)).ctx, { by: 'provider' });
    expect(data).toEqual([]);
  });

  it('is exact when adding up is interrupted and repeated, and by several processes at once', async () => {
    const { prisma } = test.services.database;
    const ids = await Promise.all(Array.from({ length: 12 }, () => email()));
    for (const id of ids) await happened([id], 'sent');
    await expect(
      prisma.$transaction(async (db) => {
        expect(await foldBatch(db, project.id, 5)).toBe(5);
        throw new Error('the process ends');
      }),
    ).rejects.toThrow('the process ends');
    await Promise.all([1, 2, 3].map(() => foldBatch(prisma, project.id, 5)));
    await fold();
    expect(await prisma.figureEntry.count({ where: { projectId: project.id } })).toBe(0);
    expect(await rowsBy('provider')).toEqual([['google', 12, 0, 0, 0, 0, 0, 0]]);
  });

  it.each([
    [{ by: 'color' }, 'by', 'invalid_enum_value'],
    [{ by: 'domain', from: 'yesterday' }, 'from', 'invalid_date'],
    [{ by: 'domain', tz: 'Mars' }, 'tz', 'invalid_timezone'],
  ])('refuses %j', async (input, field, code) => {
    await expect(getBreakdown.runRaw(project.ctx, input)).rejects.toMatchObject({
      errors: [{ field, code }],
    });
  });
});

describe('links', () => {
  it('have clicks and the emails in which they were clicked', async () => {
    const [a, b] = [await email({ campaign: true }), await email({ campaign: true })];
    await happened([a, b], 'sent', new Date(Date.now() - 60_000));
    for (const id of [a, a, b]) await click(id, 'https://shop.test/spring');
    await click(a, 'https://shop.test/help');
    await click(a, 'https://shop.test/help', 'curl/8.5.0');
    const expected = [
      { url: 'https://shop.test/spring', clicks: 3, clickers: 2 },
      { url: 'https://shop.test/help', clicks: 1, clickers: 1 },
    ];
    expect((await listLinks.run(project.ctx, { campaignId })).data).toEqual(expected);
    await fold();
    await click(b, 'https://shop.test/spring');
    await fold();
    expect((await listLinks.run(project.ctx, { campaignId, limit: 1 })).data).toEqual([
      { url: 'https://shop.test/spring', clicks: 4, clickers: 2 },
    ]);
  });

  it('beyond the first 1,000 of a campaign share a row, so that links of single recipients do not fill it', async () => {
    await test.services.database.prisma.figureEntry.createMany({
      data: Array.from({ length: 1_200 }, (_, n) => ({
        projectId: project.id,
        campaignId,
        at: new Date(),
        client: 'Chrome',
        device: 'mobile',
        link: `https://shop.test/${n}`,
        clicks: 1,
        clickers: 1,
      })),
    });
    for (let left = 1; left > 0; ) left = await foldBatch(test.services.database.prisma, project.id, 700);
    const { data } = await listLinks.run(project.ctx, { campaignId, limit: 200 });
    expect(data[0]).toEqual({ url: null, clicks: 200, clickers: 200 });
    expect(await test.services.database.prisma.linkFigure.count({ where: { projectId: project.id } })).toBe(
      1_001,
    );
  });

  it('are asked for by one of campaign, template and step', async () => {
    for (const input of [{}, { campaignId, templateId: newId() }])
      await expect(listLinks.runRaw(project.ctx, input)).rejects.toMatchObject({
        errors: [{ field: 'campaignId' }],
      });
  });
});

describe('mail clients', () => {
  it('keep proxies and machines apart from people', async () => {
    const id = await email({ campaign: true });
    await happened([id], 'sent');
    await open(id);
    await open(id);
    await open(id, gmailProxy);
    await open(id, 'curl/8.5.0');
    await click(id, 'https://shop.test/');
    const expected = {
      clients: [
        { client: 'Thunderbird', kind: 'person', opens: 2, clicks: 1 },
        { client: 'Gmail image proxy', kind: 'proxy', opens: 1, clicks: 0 },
        { client: 'Machine', kind: 'machine', opens: 1, clicks: 0 },
      ],
      devices: [{ device: 'desktop', opens: 2, clicks: 1 }],
    };
    expect(await getClients.run(project.ctx, {})).toEqual(expected);
    await fold();
    expect(await getClients.run(project.ctx, {})).toEqual(expected);
    const report = await getCampaignReport.run(project.ctx, { id: campaignId });
    expect(report).toMatchObject(expected);
  });
});

describe('the growth of contacts', () => {
  it('has new, deleted and unsubscribed contacts of each day, and how many there were', async () => {
    const { prisma } = test.services.database;
    const at = (text: string) => new Date(text);
    await prisma.contactCount.createMany({
      data: [
        { id: newId(), projectId: project.id, at: at('2026-02-20T10:00:00Z'), created: 5, removed: 1 },
        { id: newId(), projectId: project.id, at: at('2026-03-01T10:00:00Z'), created: 3, removed: 0 },
        { id: newId(), projectId: project.id, at: at('2026-03-02T22:45:00Z'), created: 0, removed: 2 },
      ],
    });
    await prisma.event.create({
      data: {
        id: newId(),
        projectId: project.id,
        kind: 'SYSTEM',
        name: 'contact.unsubscribed',
        createdAt: at('2026-03-02T23:30:00Z'),
      },
    });
    const period = { from: '2026-03-01', to: '2026-03-03', compare: true };
    const none = { created: 0, removed: 0, unsubscribed: 0, resubscribed: 0 };
    expect(await getContactGrowth.run(project.ctx, period)).toEqual({
      data: [
        { bucket: '2026-03-01', ...none, created: 3, total: 7 },
        { bucket: '2026-03-02', ...none, removed: 2, unsubscribed: 1, total: 5 },
      ],
      totals: { ...none, created: 3, removed: 2, unsubscribed: 1 },
      previous: none,
    });
    const berlin = await getContactGrowth.run(project.ctx, { ...period, tz: 'Europe/Berlin' });
    expect(berlin.data.at(-1)).toMatchObject({ bucket: '2026-03-03', unsubscribed: 1, total: 5 });
  });

  it('counts contacts as they are created and deleted', async () => {
    const { prisma } = test.services.database;
    const contacts = ['a', 'b', 'c'].map((name) => ({
      id: newId(),
      projectId: project.id,
      email: `${name}@people.test`,
    }));
    await prisma.contact.createMany({ data: contacts });
    await prisma.contact.delete({ where: { id: contacts[0]?.id ?? '' } });
    const { totals, data } = await getContactGrowth.run(project.ctx, {});
    expect([totals.created, totals.removed, data.at(-1)?.total]).toEqual([3, 1, 2]);
  });
});

it('the space of many entries is free once they are added up, so that reads do not pass over it', async () => {
  const { prisma } = test.services.database;
  await fold();
  await prisma.$executeRaw`
    INSERT INTO "FigureEntry" ("projectId", "at", "domain", "provider", "sent")
    SELECT ${project.id}::uuid, date_bin('15 minutes', now(), 'epoch'), 'shop.test', 'google', 1 FROM generate_series(1, 20001)`;
  const sizeOf = async () => {
    const [row] = await prisma.$queryRaw<
      { bytes: number }[]
    >`SELECT pg_relation_size('"FigureEntry"')::int AS "bytes"`;
    return row?.bytes ?? 0;
  };
  const before = await sizeOf();
  expect(await fold()).toBe(20_001);
  expect(await sizeOf()).toBeLessThan(before / 4);
});

describe('the report of a campaign', () => {
  it('has hours for three days and then days, its links and its providers', async () => {
    const { prisma } = test.services.database;
    const sentAt = new Date(Date.now() - 5 * 86_400_000);
    const closedAt = new Date(sentAt.getTime() + 90_000);
    await prisma.campaign.update({ where: { id: campaignId }, data: { sentAt, closedAt } });
    const [a, b] = [await email({ campaign: true }), await email({ campaign: true, to: 'b@icloud.com' })];
    await happened([a, b], 'sent', sentAt);
    await happened([a], 'opened', new Date(sentAt.getTime() + 3_600_000));
    await happened([b], 'opened', new Date(sentAt.getTime() + 4 * 86_400_000));
    await fold();
    const report = await getCampaignReport.run(project.ctx, { id: campaignId });
    expect(report).toMatchObject({ sentAt: sentAt.toISOString(), finishedAt: closedAt.toISOString() });
    expect(report.hours.length).toBeGreaterThanOrEqual(72);
    expect(report.hours[0]).toMatchObject({ sent: 2, opened: 0 });
    expect(report.hours[1]).toMatchObject({ sent: 0, opened: 1 });
    expect(report.days.reduce((total, { opened }) => total + opened, 0)).toBe(1);
    expect(report.providers).toMatchObject([
      { provider: 'apple', sent: 1, opened: 1 },
      { provider: 'google', sent: 1, opened: 1 },
    ]);
  });

  it('of a campaign of another project is not found', async () => {
    const stranger = await createTestProject(test.services);
    await expect(getCampaignReport.run(stranger.ctx, { id: campaignId })).rejects.toMatchObject({
      code: 'CAMPAIGN_NOT_FOUND',
    });
  });
});

describe('what was refused or returned', () => {
  const at = (hoursAgo: number): Date => new Date(Date.now() - hoursAgo * 3_600_000);
  const refused = async (given: string, data: object, hoursAgo = 1): Promise<void> => {
    const id = await email();
    const diagnosis = { class: given, code: null, reply: 550, text: null, at: at(hoursAgo).toISOString() };
    await test.services.database.prisma.email.update({ where: { id }, data: { diagnosis, ...data } });
  };
  const period = () => ({ from: at(24).toISOString(), to: new Date().toISOString() });
  const read = async (more: object = {}) =>
    (await getBreakdown.run(project.ctx, { by: 'diagnosis', ...period(), ...more })).data;

  it('is one row per class, most failed and bounced first, by the time of what was said', async () => {
    const failed = { status: 'FAILED' };
    await refused('blocked', failed);
    await refused('full', { status: 'SENT', sentAt: at(100) });
    for (let n = 0; n < 2; n += 1) await refused('no_mailbox', { ...failed, bouncedAt: at(1) });
    await refused('no_mailbox', { status: 'BOUNCED', sentAt: at(2), bouncedAt: at(1) });
    // Waits for its next attempt; said before the period; of another project.
    await refused('unreachable', { status: 'PENDING' });
    await refused('content', failed, 30);
    expect(await read()).toMatchObject([
      { key: 'no_mailbox', name: 'no_mailbox', failed: 2, sent: 1, bounced: 3, workflow: null },
      { key: 'blocked', failed: 1, sent: 0, bounced: 0 },
      { key: 'full', failed: 0, sent: 1, bounced: 0 },
    ]);
    expect((await read({ limit: 1 })).map(({ key }) => key)).toEqual(['no_mailbox']);
    const other = await createTestProject(test.services);
    expect((await getBreakdown.run(other.ctx, { by: 'diagnosis', ...period() })).data).toEqual([]);
  });

  it('compares with the period before', async () => {
    await refused('blocked', { status: 'FAILED' });
    await refused('blocked', { status: 'FAILED' }, 30);
    expect(await read({ compare: true })).toMatchObject([{ failed: 1, previous: { failed: 1, sent: 0 } }]);
  });
});
