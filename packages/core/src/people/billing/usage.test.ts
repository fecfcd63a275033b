import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { composeServices } from '../../adapters/compose.ts';
import { freezeAudience } from '../../automation/campaigns/freeze-audience.ts';
import { createCampaign, retryCampaign, sendCampaign } from '../../automation/campaigns/index.ts';
import { requeueRest } from '../../automation/campaigns/requeue-emails.ts';
import { AppError } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { createTemplate } from '../../content/templates/index.ts';
import { sendEmail } from '../../mail/sending/index.ts';
import { writeWorkflowEmail } from '../../mail/sending/write-workflow-email.fixture.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { getLimits } from './get-limits.ts';

let test: TestServices;
let project: TestProject;
let from: string;

beforeAll(async () => {
  test = await createTestServices({ env: { STRIPE_SECRET_KEY: 'sk_test_unused' } });
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, `${project.id}.test`);
  from = `a@${project.id}.test`;
});

type Caps = Partial<Record<'transactional' | 'campaigns' | 'workflows', number>>;

const prisma = () => test.services.database.prisma;

async function cap({ transactional, campaigns, workflows }: Caps) {
  await prisma().project.update({
    where: { id: project.id },
    data: {
      subscription: 'sub_1',
      billingLimitTransactional: transactional ?? null,
      billingLimitCampaigns: campaigns ?? null,
      billingLimitWorkflows: workflows ?? null,
    },
  });
}

const usage = async () => {
  const { total, ...categories } = await getLimits.run(await project.userCtx('MEMBER'), { id: project.id });
  return Object.fromEntries(
    Object.entries(categories).flatMap(([name, value]) =>
      typeof value === 'object' ? [[name, value.usage]] : [],
    ),
  );
};

/** What the counters must always equal. */
const counted = async (): Promise<number> =>
  prisma().email.count({
    where: { projectId: project.id, status: { notIn: ['FAILED', 'SKIPPED'] }, sourceType: { not: 'TEST' } },
  });

const mail = () => ({ subject: 'S', body: '<p>B</p>', from });

const outcome = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'accepted',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );

const contacts = async (names: string[]): Promise<string[]> => {
  const rows = names.map((name) => ({
    id: newId(),
    projectId: project.id,
    email: `${name}@people.test`,
    subscribed: true,
  }));
  await prisma().contact.createMany({ data: rows });
  return rows.map(({ id }) => id);
};

describe('parallel sends at the edge of a cap', () => {
  it('200 requests in two processes, of one to three recipients: as many are accepted as fit, and never one more', async () => {
    await cap({ transactional: 60 });
    const other = composeServices(test.services.config, test.services.log, { connections: 10 });
    const contexts = [project.ctx, { ...project.ctx, services: other, db: other.database.prisma }];
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, index) => {
        const to = Array.from({ length: 1 + (index % 3) }, (_, n) => `${index}-${n}@people.test`);
        const [ctx = project.ctx] = contexts.slice(index % 2);
        return outcome(sendEmail.run(ctx, { ...mail(), to }));
      }),
    );
    await other.close();
    expect(new Set(outcomes)).toEqual(new Set(['accepted', 'BILLING_LIMIT_EXCEEDED']));
    // Single recipients fill what larger requests leave.
    expect(await counted()).toBe(60);
    expect(await usage()).toEqual({ transactional: 60, campaigns: 0, workflows: 0 });
  });

  it('requests of a group are refused one by one, and those of other projects are accepted', async () => {
    await cap({ transactional: 1 });
    const neighbour = await createTestProject(test.services);
    await verifiedDomain(test.services, neighbour.id, `${neighbour.id}.test`);
    const outcomes = await Promise.all([
      outcome(sendEmail.run(project.ctx, { ...mail(), to: ['a@people.test', 'b@people.test'] })),
      outcome(sendEmail.run(project.ctx, { ...mail(), to: 'c@people.test' })),
      outcome(
        sendEmail.run(neighbour.ctx, { ...mail(), from: `a@${neighbour.id}.test`, to: 'd@people.test' }),
      ),
    ]);
    expect(outcomes).toEqual(['BILLING_LIMIT_EXCEEDED', 'accepted', 'accepted']);
  });
});

it('a project without subscription and caps has 1,000 emails a month over all categories', async () => {
  const to = Array.from({ length: 999 }, (_, n) => `${n}@people.test`);
  await sendEmail.run(project.ctx, { ...mail(), to });
  await contacts(['x']);
  const { id } = await createCampaign.run(project.ctx, {
    ...mail(),
    name: 'N',
    audienceType: 'ALL',
    type: 'TRANSACTIONAL',
  });
  expect(await outcome(sendCampaign.run(project.ctx, { id }))).toBe('BILLING_LIMIT_EXCEEDED');
  expect(
    await outcome(sendEmail.run(project.ctx, { ...mail(), to: ['x@people.test', 'y@people.test'] })),
  ).toBe('BILLING_LIMIT_EXCEEDED');
  expect(await outcome(sendEmail.run(project.ctx, { ...mail(), to: 'x@people.test' }))).toBe('accepted');
  expect(await outcome(sendEmail.run(project.ctx, { ...mail(), to: 'y@people.test' }))).toBe(
    'BILLING_LIMIT_EXCEEDED',
  );
});

it('suppressed recipients take nothing, and an email that ends FAILED or SKIPPED gives back what it took', async () => {
  await cap({ transactional: 4 });
  await prisma().suppression.create({
    data: { projectId: project.id, email: 'gone@people.test', reason: 'BOUNCE' },
  });
  const attachments = [{ filename: 'a.txt', content: 'aGVsbG8=', contentType: 'text/plain' }];
  await sendEmail.run(project.ctx, { ...mail(), to: ['gone@people.test', 'a@people.test'] });
  const sent = await sendEmail.run(project.ctx, {
    ...mail(),
    to: ['gone@people.test', 'b@people.test'],
    attachments,
  });
  expect(await usage()).toMatchObject({ transactional: 3 });
  const id = sent.emails[1]?.email ?? '';
  await prisma().email.update({ where: { id }, data: { status: 'FAILED', error: 'refused' } });
  expect(await usage()).toMatchObject({ transactional: 1 });
  await prisma().email.update({ where: { id }, data: { status: 'PENDING', error: null } });
  expect(await usage()).toMatchObject({ transactional: 3 });
  await prisma().email.updateMany({
    where: { projectId: project.id },
    data: { status: 'SKIPPED', reason: 'cancelled' },
  });
  expect(await usage()).toMatchObject({ transactional: 0 });
  expect(await outcome(sendEmail.run(project.ctx, { ...mail(), to: 'c@people.test' }))).toBe('accepted');
});

it('emails of last month do not count, and giving them back does not help this month', async () => {
  await cap({ transactional: 1 });
  const { emails } = await sendEmail.run(project.ctx, { ...mail(), to: 'a@people.test' });
  const id = emails[0]?.email ?? '';
  const lastMonth = new Date(Date.now() - 40 * 86_400_000);
  await prisma().usageCounter.deleteMany({ where: { projectId: project.id } });
  await prisma().email.update({ where: { id }, data: { createdAt: lastMonth } });
  expect(await outcome(sendEmail.run(project.ctx, { ...mail(), to: 'b@people.test' }))).toBe('accepted');
  await prisma().email.update({ where: { id }, data: { status: 'FAILED' } });
  expect(await usage()).toMatchObject({ transactional: 1 });
});

describe('campaigns', () => {
  const campaign = async () =>
    (await createCampaign.run(project.ctx, { ...mail(), name: 'N', audienceType: 'ALL' })).id;

  it('what was sent to campaigns in parallel never exceeds the cap', async () => {
    await cap({ campaigns: 5 });
    await contacts(['a', 'b']);
    const ids = await Promise.all([campaign(), campaign(), campaign(), campaign()]);
    const outcomes = await Promise.all(ids.map((id) => outcome(sendCampaign.run(project.ctx, { id }))));
    expect(outcomes.filter((each) => each === 'accepted')).toHaveLength(2);
    await Promise.all(ids.map((id) => freezeAudience(test.services, id)));
    expect(await usage()).toMatchObject({ campaigns: 4 });
    expect(await counted()).toBe(4);
  });

  it('an audience that shrank gives back, and one that no longer fits is cancelled', async () => {
    await cap({ campaigns: 3 });
    const ids = await contacts(['a', 'b', 'c']);
    const first = await campaign();
    await sendCampaign.run(project.ctx, { id: first });
    await prisma().contact.delete({ where: { id: ids[0] ?? '' } });
    await freezeAudience(test.services, first);
    expect(await usage()).toMatchObject({ campaigns: 2 });

    const second = await campaign();
    await prisma().campaign.update({
      where: { id: second },
      data: { status: 'SENDING', sentAt: new Date() },
    });
    await freezeAudience(test.services, second);
    expect(await prisma().campaign.findUniqueOrThrow({ where: { id: second } })).toMatchObject({
      status: 'CANCELLED',
      statusReason: 'billing_limit_exceeded',
      frozenAt: null,
    });
    expect(await usage()).toMatchObject({ campaigns: 2 });
  });
});

describe('retrying a campaign', () => {
  async function failedCampaign(): Promise<string> {
    await contacts(['a', 'b']);
    const { id } = await createCampaign.run(project.ctx, { ...mail(), name: 'N', audienceType: 'ALL' });
    await sendCampaign.run(project.ctx, { id });
    await freezeAudience(test.services, id);
    await prisma().email.updateMany({
      where: { campaignId: id },
      data: { status: 'FAILED', error: 'refused', batchId: null },
    });
    await prisma().deliveryBatch.deleteMany({ where: { campaignId: id } });
    return id;
  }
  const retry = (id: string) => outcome(retryCampaign.run(project.ctx, { id, statuses: ['FAILED'] }));

  it('takes again what its failed emails have given back', async () => {
    await cap({ campaigns: 2 });
    const id = await failedCampaign();
    expect(await usage()).toMatchObject({ campaigns: 0 });
    expect(await retry(id)).toBe('accepted');
    expect(await usage()).toMatchObject({ campaigns: 2 });
  });

  it('over the cap is refused and leaves them failed', async () => {
    await cap({ campaigns: 3 });
    const id = await failedCampaign();
    await cap({ campaigns: 1 });
    expect(await retry(id)).toBe('BILLING_LIMIT_EXCEEDED');
    expect(await usage()).toMatchObject({ campaigns: 0 });
    expect(await prisma().email.count({ where: { campaignId: id, status: 'FAILED' } })).toBe(2);
  });

  it('that no longer fits in the background leaves the rest failed, and the campaign goes on', async () => {
    await cap({ campaigns: 3 });
    const id = await failedCampaign();
    await cap({ campaigns: 1 });
    await prisma().campaign.update({
      where: { id },
      data: { retryStatuses: ['FAILED'], retryBefore: new Date(), status: 'SENDING' },
    });
    await requeueRest(test.services, id);
    expect(await usage()).toMatchObject({ campaigns: 0 });
    expect(await prisma().campaign.findUniqueOrThrow({ where: { id } })).toMatchObject({ retryBefore: null });
  });
});

it('a workflow email over the cap is stored as FAILED, and a step that runs twice takes its usage once', async () => {
  await cap({ workflows: 1 });
  const [contactId = ''] = await contacts(['a']);
  const template = await createTemplate.run(project.ctx, { ...mail(), name: 'T', type: 'TRANSACTIONAL' });
  const row = await prisma().template.findUniqueOrThrow({ where: { id: template.id } });
  const write = (workflowStepExecutionId: string) =>
    prisma().$transaction((db) =>
      writeWorkflowEmail(test.services, db, {
        project: project.project,
        template: row,
        contactId,
        customAddress: null,
        vars: {},
        workflowExecutionId: newId(),
        workflowStepExecutionId,
      }),
    );
  const step = newId();
  expect(await write(step)).toMatchObject({ kind: 'written', error: null });
  expect(await write(step)).toMatchObject({ kind: 'written', error: null });
  expect(await write(newId())).toMatchObject({ kind: 'written', error: 'billing limit exceeded' });
  const emails = await prisma().email.findMany({ where: { projectId: project.id }, orderBy: { id: 'asc' } });
  expect(emails.map(({ status, error, batchId }) => [status, error, batchId === null])).toEqual([
    ['PENDING', null, false],
    ['FAILED', 'billing limit exceeded', true],
  ]);
  expect(await usage()).toEqual({ transactional: 0, campaigns: 0, workflows: 1 });
});

it('email to the simulator needs no room below a cap and gives nothing back', async () => {
  await cap({ transactional: 1, campaigns: 1, workflows: 1 });
  const to = ['delivered@postrider.test', 'bounced+1@postrider.test', 'rejected@postrider.test'];
  const sent = await sendEmail.run(project.ctx, { ...mail(), to });
  expect(await usage()).toEqual({ transactional: 0, campaigns: 0, workflows: 0 });
  expect(await outcome(sendEmail.run(project.ctx, { ...mail(), to: [...to, 'a@people.test'] }))).toBe(
    'accepted',
  );
  expect(await outcome(sendEmail.run(project.ctx, { ...mail(), to: [...to, 'b@people.test'] }))).toBe(
    'BILLING_LIMIT_EXCEEDED',
  );
  await prisma().email.updateMany({
    where: { id: { in: sent.emails.map(({ email }) => email) } },
    data: { status: 'FAILED' },
  });
  expect(await usage()).toMatchObject({ transactional: 1 });
  await prisma().contact.updateMany({
    where: { projectId: project.id },
    data: { subscribed: true, consentSeq: 1n },
  });
  const { id } = await createCampaign.run(project.ctx, { ...mail(), name: 'N', audienceType: 'ALL' });
  await sendCampaign.run(project.ctx, { id });
  await freezeAudience(test.services, id);
  expect(await prisma().email.count({ where: { campaignId: id } })).toBe(4);
  expect(await usage()).toMatchObject({ campaigns: 1 });
});
