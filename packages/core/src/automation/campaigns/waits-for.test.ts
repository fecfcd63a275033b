import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Prisma } from '../../base/db/index.ts';
import { type Context, EngineWatch, rehearse } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { openTestLedger, type TestLedger } from '../../mail/ledger/ledger.fixture.ts';
import { type TestProject, type TestServices, verifiedDomain } from '../../testing/index.ts';
import { readCampaignStep, startCampaign } from './campaign-delivery.ts';
import { content, frozenCampaign, people, settleSome, withoutHints } from './campaigns.fixture.ts';
import { cancelCampaign } from './cancel-campaign.ts';
import { closeLedger } from './close-campaign.ts';
import { createCampaign } from './create-campaign.ts';
import { freezeAudience } from './freeze-audience.ts';
import { getCampaign } from './get-campaign.ts';
import { getCampaigns } from './get-campaigns.ts';
import { listCampaigns } from './list-campaigns.ts';
import { listCampaignsOfEach } from './list-campaigns-of-each.ts';
import { pauseCampaign } from './pause-campaign.ts';
import { resumeCampaign } from './resume-campaign.ts';
import { retryCampaign } from './retry-campaign.ts';
import { sendCampaign } from './send-campaign.ts';
import { unscheduleCampaign } from './unschedule-campaign.ts';

/** What campaigns say while the workflow engine is away (behaviour B2.3, B2.13). No test here has a Temporal server. */
let ledger: TestLedger;
let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  ledger = await openTestLedger();
  test = withoutHints(ledger.test);
});
afterAll(() => ledger.close());
beforeEach(async () => {
  project = await ledger.newProject();
  await verifiedDomain(test.services, project.id, 'shop.test');
  await people(test, project, 2);
});

const created = async (input: object = {}) =>
  (await createCampaign.run(project.ctx, { ...content, audienceType: 'ALL', ...input })).id;
const read = async (id: string, ctx: Context = project.ctx) => {
  const { status, waitsFor } = await getCampaign.run(ctx, { id });
  return { status, waitsFor };
};
/** Reads the row as the workflow does once the engine is there. */
const step = (id: string) => readCampaignStep(test.services, id, Date.now());
const write = (id: string, data: Prisma.CampaignUpdateInput) =>
  test.services.database.prisma.campaign.update({ where: { id }, data });
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();
const withEngine = (answers: () => boolean): Context => ({
  ...project.ctx,
  services: { ...test.services, engine: new EngineWatch({ healthy: async () => answers() }) },
});

describe('a campaign that is sent while the engine is away', () => {
  it('waits for it in the reply, wherever it is read, and no longer once its workflow has begun', async () => {
    const id = await created();
    expect(await read(id)).toEqual({ status: 'DRAFT', waitsFor: null });
    const waiting = { status: 'SENDING', waitsFor: 'engine' };
    expect(await sendCampaign.run(project.ctx, { id })).toMatchObject(waiting);
    expect(await read(id)).toEqual(waiting);
    expect((await listCampaigns.run(project.ctx, {})).data).toMatchObject([waiting]);
    expect(await getCampaigns.run(project.ctx, { ids: [id] })).toMatchObject([waiting]);
    // What it was asked for is seen; its audience is not written down yet.
    await step(id);
    expect(await read(id)).toEqual(waiting);
    await freezeAudience(test.services, id);
    expect(await read(id)).toEqual({ status: 'SENDING', waitsFor: null });
  });

  it('waits for nothing while the engine answers', async () => {
    const ctx = withEngine(() => true);
    const id = await created();
    expect(await sendCampaign.run(ctx, { id })).toMatchObject({ status: 'SENDING', waitsFor: null });
    expect(await read(id, ctx)).toEqual({ status: 'SENDING', waitsFor: null });
  });

  it('waits for nothing once it is cancelled, which needs no engine', async () => {
    const id = await created();
    await sendCampaign.run(project.ctx, { id });
    const cancelled = { status: 'CANCELLED', waitsFor: null };
    expect(await cancelCampaign.run(project.ctx, { id })).toMatchObject(cancelled);
    expect(await read(id)).toEqual(cancelled);
    // The engine comes back, and begins nothing.
    expect(await step(id)).toEqual({ kind: 'end' });
    expect(await test.services.database.prisma.email.count({ where: { campaignId: id } })).toBe(0);
  });

  it('does not wait for the engine while it is paused, and does once it is resumed', async () => {
    const id = await created();
    await sendCampaign.run(project.ctx, { id });
    expect(await pauseCampaign.run(project.ctx, { id })).toMatchObject({ waitsFor: null });
    expect(await resumeCampaign.run(project.ctx, { id })).toMatchObject({ waitsFor: 'engine' });
  });

  it('is shown to its own project alone', async () => {
    const id = await created();
    await sendCampaign.run(project.ctx, { id });
    const other = await ledger.newProject();
    await expect(getCampaign.run(other.ctx, { id })).rejects.toMatchObject({ code: 'CAMPAIGN_NOT_FOUND' });
    expect(await getCampaigns.run(other.ctx, { ids: [id] })).toEqual([]);
    expect((await listCampaigns.run(other.ctx, {})).data).toEqual([]);
  });

  it('says so in a dry run, which changes nothing', async () => {
    const id = await created();
    const dry = await rehearse(project.ctx, (ctx) => sendCampaign.run(ctx, { id }));
    expect(dry).toMatchObject({ status: 'SENDING', waitsFor: 'engine' });
    expect(await read(id)).toEqual({ status: 'DRAFT', waitsFor: null });
  });
});

describe('a campaign that is scheduled while the engine is away', () => {
  it('waits until its workflow knows the schedule, and not as a draft again', async () => {
    const id = await created();
    const waiting = { status: 'SCHEDULED', waitsFor: 'engine' };
    expect(await sendCampaign.run(project.ctx, { id, scheduledFor: tomorrow() })).toMatchObject(waiting);
    await step(id);
    expect(await read(id)).toEqual({ status: 'SCHEDULED', waitsFor: null });
    await sendCampaign.run(project.ctx, { id, scheduledFor: tomorrow() });
    expect(await read(id)).toEqual(waiting);
    expect(await unscheduleCampaign.run(project.ctx, { id })).toMatchObject({
      ...{ status: 'DRAFT', waitsFor: null },
    });
  });

  it('waits when its time has come and it has not been started', async () => {
    const id = await created();
    await sendCampaign.run(project.ctx, { id, scheduledFor: tomorrow() });
    await step(id);
    const past = new Date(Date.now() - 1_000);
    await write(id, { scheduledFor: past });
    expect(await read(id)).toEqual({ status: 'SCHEDULED', waitsFor: 'engine' });
    expect(await step(id)).toEqual({ kind: 'start' });
    await startCampaign(test.services, id, Date.now());
    await step(id);
    await freezeAudience(test.services, id);
    await step(id);
    expect(await read(id)).toEqual({ status: 'SENDING', waitsFor: null });
  });
});

describe('a campaign whose audience is frozen, while the engine is away', () => {
  it('waits for nothing with a retry whose emails are queued by the request, and with the rest of a larger one', async () => {
    const id = await frozenCampaign(test, project);
    await settleSome(test, id, 'FAILED', 2);
    await closeLedger(test.services, id);
    expect(await read(id)).toEqual({ status: 'SENT', waitsFor: null });
    expect(await retryCampaign.run(project.ctx, { id, statuses: ['FAILED'] })).toEqual({ requeued: 2 });
    expect(await read(id)).toEqual({ status: 'SENDING', waitsFor: null });
    await write(id, { retryBefore: new Date(), retryStatuses: ['FAILED'] });
    expect(await read(id)).toEqual({ status: 'SENDING', waitsFor: 'engine' });
  });

  it('waits once the time of its test is over', async () => {
    const id = await frozenCampaign(test, project);
    await write(id, { testState: 'RUNNING', testEndsAt: new Date(Date.now() + 3_600_000) });
    expect(await read(id)).toEqual({ status: 'SENDING', waitsFor: null });
    await write(id, { testEndsAt: new Date(Date.now() - 1_000) });
    expect(await read(id)).toEqual({ status: 'SENDING', waitsFor: 'engine' });
  });

  it('waits for the part of the audience that is not written down', async () => {
    const id = await frozenCampaign(test, project);
    await write(id, { frozenToId: newId() });
    expect(await read(id)).toEqual({ status: 'SENDING', waitsFor: 'engine' });
  });
});

it('an engine that goes changes what is said, not what is stored', async () => {
  let answers = true;
  const ctx = withEngine(() => answers);
  const id = await created();
  await sendCampaign.run(ctx, { id });
  const stored = () => test.services.database.prisma.campaign.findUniqueOrThrow({ where: { id } });
  const before = await stored();
  expect(await read(id, ctx)).toEqual({ status: 'SENDING', waitsFor: null });
  answers = false;
  await ctx.services.engine.now();
  expect(await read(id, ctx)).toEqual({ status: 'SENDING', waitsFor: 'engine' });
  expect(await stored()).toEqual(before);
});

it('a thousand waiting campaigns cost a list no further statement, and the engine one question', async () => {
  const segmentId = newId();
  const id = await created();
  await sendCampaign.run(project.ctx, { id });
  const { prisma } = test.services.database;
  const { design: _design, ...row } = await prisma.campaign.findUniqueOrThrow({ where: { id } });
  const rows = Array.from({ length: 1_000 }, () => ({ ...row, id: newId(), segmentId }));
  await prisma.campaign.createMany({
    data: rows.map(
      ({ audienceCondition: _condition, utm: _utm, test: _test, guardBase: _base, ...each }) => each,
    ),
  });
  // An answer is old after five seconds, which must not pass here.
  vi.useFakeTimers({ toFake: ['performance'] });
  const healthy = vi.fn(async () => false);
  const ctx = { ...project.ctx, services: { ...test.services, engine: new EngineWatch({ healthy }) } };
  const query = vi.spyOn(Client.prototype, 'query');
  const statementsOf = async (work: () => Promise<{ waitsFor: string | null }[]>, count: number) => {
    const before = query.mock.calls.length;
    const found = await work();
    expect(found.map(({ waitsFor }) => waitsFor)).toEqual(Array.from({ length: count }, () => 'engine'));
    return query.mock.calls.length - before;
  };
  const listed = (pageSize: number) => async () => (await listCampaigns.run(ctx, { pageSize })).data;
  const ofSegment = (limit: number) => async () => {
    const input = { parent: 'segmentId' as const, ids: [segmentId], limit };
    return (await listCampaignsOfEach.run(ctx, input)).flatMap(({ data }) => data);
  };
  const byId = (count: number) => () =>
    getCampaigns.run(ctx, { ids: rows.slice(0, count).map((each) => each.id) });
  for (const work of [listed, ofSegment, byId])
    expect(await statementsOf(work(100), 100)).toBeLessThan((await statementsOf(work(1), 1)) + 10);
  for (let page = 1; page <= 10; page += 1)
    await statementsOf(async () => (await listCampaigns.run(ctx, { page, pageSize: 100 })).data, 100);
  expect(healthy).toHaveBeenCalledTimes(1);
  query.mockRestore();
  vi.useRealTimers();
}, 60_000);
