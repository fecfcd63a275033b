import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { composeServices } from '../../adapters/compose.ts';
import { freezeAudience } from '../../automation/campaigns/freeze-audience.ts';
import { createCampaign, retryCampaign, sendCampaign } from '../../automation/campaigns/index.ts';
import { AppError } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { createTemplate } from '../../content/templates/index.ts';
import { createDomain } from '../../people/domains/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { cancelEmail } from '../sending/cancel-email.ts';
import { rescheduleEmail } from '../sending/reschedule-email.ts';
import { sendEmail } from '../sending/send-email.ts';
import { writeWorkflowEmail } from '../sending/write-workflow-email.fixture.ts';
import { growths } from './ramp.rules.ts';

const firstCap = 20;
const dayMs = 86_400_000;

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices({ env: { NEW_PROJECT_RAMP: String(firstCap) } });
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, `${project.id}.test`);
});

const prisma = () => test.services.database.prisma;
const mail = () => ({ subject: 'S', body: '<p>B</p>', from: `a@${project.id}.test` });
const addresses = (count: number, name = newId()) =>
  Array.from({ length: count }, (_, n) => `${n}-${name}@people.test`);
const send = (count: number, ctx = project.ctx) => sendEmail.run(ctx, { ...mail(), to: addresses(count) });

const outcome = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'accepted',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );

const today = () => new Date(Math.floor(Date.now() / dayMs) * dayMs);

/** Makes what was sent so far the email of yesterday. */
async function sleepOver() {
  const yesterday = new Date(today().getTime() - dayMs);
  await prisma().email.updateMany({
    where: { projectId: project.id },
    data: { createdAt: new Date(yesterday.getTime() + 3_600_000) },
  });
  await prisma().sendRamp.updateMany({ where: { projectId: project.id }, data: { day: yesterday } });
}

const settle = (data: { bouncedAt?: Date; complainedAt?: Date }, count: number) =>
  prisma().$transaction(async (db) => {
    const emails = await db.email.findMany({ where: { projectId: project.id }, take: count });
    await db.email.updateMany({ where: { projectId: project.id }, data: { sentAt: new Date() } });
    await db.email.updateMany({ where: { id: { in: emails.map(({ id }) => id) } }, data });
  });

const contacts = async (count: number): Promise<string[]> => {
  const rows = addresses(count).map((email) => ({
    id: newId(),
    projectId: project.id,
    email,
    subscribed: true,
  }));
  await prisma().contact.createMany({ data: rows });
  return rows.map(({ id }) => id);
};

describe('the daily cap of a new project', () => {
  it('200 parallel sends in two processes, of one to three recipients and some with attachments: never over it', async () => {
    const other = composeServices(test.services.config, test.services.log, { connections: 10 });
    const contexts = [project.ctx, { ...project.ctx, services: other, db: other.database.prisma }];
    const attachments = [{ filename: 'a.txt', content: 'aGVsbG8=', contentType: 'text/plain' }];
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, index) => {
        const [ctx = project.ctx] = contexts.slice(index % 2);
        const to = addresses(1 + (index % 3));
        return outcome(sendEmail.run(ctx, { ...mail(), to, ...(index % 5 === 0 ? { attachments } : {}) }));
      }),
    );
    await other.close();
    expect(new Set(outcomes)).toEqual(new Set(['accepted', 'RATE_LIMIT_EXCEEDED']));
    expect(await prisma().email.count({ where: { projectId: project.id } })).toBe(firstCap);
  });

  it('is named by the refusal, with the time at which it resets; the neighbours of the request are accepted', async () => {
    const neighbour = await createTestProject(test.services);
    await verifiedDomain(test.services, neighbour.id, `${neighbour.id}.test`);
    const [refused, accepted] = await Promise.allSettled([
      send(firstCap + 1),
      sendEmail.run(neighbour.ctx, { ...mail(), from: `a@${neighbour.id}.test`, to: 'a@people.test' }),
    ]);
    expect(accepted.status).toBe('fulfilled');
    expect(refused).toMatchObject({
      reason: {
        code: 'RATE_LIMIT_EXCEEDED',
        message: `This project is new and can send ${firstCap} emails today (UTC), which this request would exceed`,
        details: {
          limit: firstCap,
          resetsAt: new Date(today().getTime() + dayMs).toISOString(),
          retryAfter: expect.any(Number),
        },
      },
    });
    expect(await prisma().contact.count({ where: { projectId: project.id } })).toBe(0);
  });

  it('counts no email that ended unsent, but one that bounced, and one that is requeued', async () => {
    await send(firstCap);
    const emails = await prisma().email.findMany({ where: { projectId: project.id }, take: 3 });
    const [failed = '', skipped = '', bounced = ''] = emails.map(({ id }) => id);
    const change = (id: string, data: object) => prisma().email.update({ where: { id }, data });
    await change(failed, { status: 'FAILED' });
    await change(skipped, { status: 'SKIPPED', reason: 'cancelled' });
    await change(bounced, { status: 'FAILED', bouncedAt: new Date() });
    await change(failed, { status: 'PENDING' });
    expect(await outcome(send(2))).toBe('RATE_LIMIT_EXCEEDED');
    expect(await outcome(send(1))).toBe('accepted');
    expect(await outcome(send(1))).toBe('RATE_LIMIT_EXCEEDED');
  });

  it('counts no suppressed recipient, and no request whose idempotency key is refused', async () => {
    await prisma().suppression.create({
      data: { projectId: project.id, email: 'gone@people.test', reason: 'BOUNCE' },
    });
    const request = { ...project.ctx.request, idempotencyKey: 'once' };
    const once = { ...project.ctx, request };
    await sendEmail.run(once, { ...mail(), to: 'b@people.test' });
    await outcome(sendEmail.run(once, { ...mail(), to: 'b@people.test' }));
    await sendEmail.run(project.ctx, { ...mail(), to: ['gone@people.test', ...addresses(firstCap - 1)] });
    expect(await outcome(send(1))).toBe('RATE_LIMIT_EXCEEDED');
  });

  it('does not concern a project that has sent on earlier days', async () => {
    await send(1);
    await sleepOver();
    // As if the setting were new.
    await prisma().sendRamp.delete({ where: { projectId: project.id } });
    expect(await outcome(send(firstCap + 1))).toBe('accepted');
  });
});

describe('growth', () => {
  it('the cap doubles with the first send of a new day, and ends after the last growth', async () => {
    await send(firstCap);
    await settle({ bouncedAt: new Date() }, 4);
    await sleepOver();
    expect(await outcome(send(2 * firstCap + 1))).toBe('RATE_LIMIT_EXCEEDED');
    expect(await outcome(send(2 * firstCap))).toBe('accepted');
    expect(await outcome(send(1))).toBe('RATE_LIMIT_EXCEEDED');

    await prisma().sendRamp.update({ where: { projectId: project.id }, data: { growth: growths - 1 } });
    await sleepOver();
    await send(1);
    expect(await prisma().sendRamp.findUnique({ where: { projectId: project.id } })).toMatchObject({
      growth: growths,
    });
    expect(await outcome(send(900))).toBe('accepted');
  });

  it.each([
    ['bounces', { bouncedAt: new Date() }, 5],
    ['complaints', { complainedAt: new Date() }, 3],
  ])('a day with %s at their warning level leaves the cap as it is', async (_, data, count) => {
    await send(firstCap);
    await settle(data, count);
    await sleepOver();
    expect(await outcome(send(firstCap + 1))).toBe('RATE_LIMIT_EXCEEDED');
    expect(await outcome(send(firstCap))).toBe('accepted');
    expect(await outcome(send(1))).toBe('RATE_LIMIT_EXCEEDED');
  });
});

describe('campaigns', () => {
  const campaign = async () =>
    (await createCampaign.run(project.ctx, { ...mail(), name: 'N', audienceType: 'ALL' })).id;

  it('over the cap are refused, and one that no longer fits when its audience is frozen is cancelled', async () => {
    await contacts(firstCap);
    const [first, second] = [await campaign(), await campaign()];
    expect(await outcome(sendCampaign.run(project.ctx, { id: first }))).toBe('accepted');
    expect(await outcome(sendCampaign.run(project.ctx, { id: second }))).toBe('accepted');
    await freezeAudience(test.services, first);
    await freezeAudience(test.services, second);
    expect(await prisma().campaign.findUniqueOrThrow({ where: { id: second } })).toMatchObject({
      status: 'CANCELLED',
      statusReason: 'daily_limit_exceeded',
    });
    expect(await prisma().email.count({ where: { projectId: project.id } })).toBe(firstCap);
    expect(await outcome(sendCampaign.run(project.ctx, { id: await campaign() }))).toBe(
      'RATE_LIMIT_EXCEEDED',
    );
  });

  it('a retry takes again what failed emails have given back, and is refused over the cap', async () => {
    await contacts(firstCap);
    const id = await campaign();
    await sendCampaign.run(project.ctx, { id });
    await freezeAudience(test.services, id);
    await prisma().email.updateMany({
      where: { campaignId: id },
      data: { status: 'FAILED', error: 'refused', batchId: null },
    });
    await prisma().deliveryBatch.deleteMany({ where: { campaignId: id } });
    await send(1);
    const retry = () => outcome(retryCampaign.run(project.ctx, { id, statuses: ['FAILED'] }));
    expect(await retry()).toBe('RATE_LIMIT_EXCEEDED');
    await sleepOver();
    expect(await retry()).toBe('accepted');
    expect(await outcome(send(firstCap + 1))).toBe('RATE_LIMIT_EXCEEDED');
    expect(await outcome(send(firstCap))).toBe('accepted');
  });
});

it('a workflow email over the cap is stored as FAILED', async () => {
  await send(firstCap);
  const [contactId = ''] = await contacts(1);
  const template = await createTemplate.run(project.ctx, { ...mail(), name: 'T', type: 'TRANSACTIONAL' });
  const row = await prisma().template.findUniqueOrThrow({ where: { id: template.id } });
  const written = await prisma().$transaction((db) =>
    writeWorkflowEmail(test.services, db, {
      project: project.project,
      template: row,
      contactId,
      customAddress: null,
      vars: {},
      workflowExecutionId: newId(),
      workflowStepExecutionId: newId(),
    }),
  );
  expect(written).toMatchObject({ kind: 'written', error: 'daily limit of a new project exceeded' });
  expect(await prisma().email.count({ where: { projectId: project.id, status: 'FAILED' } })).toBe(1);
});

it('a project whose owner has not proven an address gets no domain, and sends from the sandbox', async () => {
  const owner = await project.userCtx('OWNER');
  const verify = (emailVerified: boolean) =>
    prisma().user.updateMany({
      where: { memberships: { some: { projectId: project.id, role: 'OWNER' } } },
      data: { emailVerified },
    });
  const add = () =>
    outcome(createDomain.run(owner, { projectId: project.id, domain: `more.${project.id}.test` }));
  await verify(false);
  expect(await add()).toBe('EMAIL_VERIFICATION_REQUIRED');
  const sent = { ...mail(), from: test.services.config.sandboxFrom, to: 'a@people.test' };
  expect(await outcome(sendEmail.run(project.ctx, sent))).toBe('accepted');
  await verify(true);
  expect(await add()).toBe('accepted');
});

it('together with billing, what the daily cap refuses takes no usage', async () => {
  const billed = await createTestServices({
    env: { NEW_PROJECT_RAMP: String(firstCap), STRIPE_SECRET_KEY: 'sk_test_unused' },
  });
  const own = await createTestProject(billed.services);
  await verifiedDomain(billed.services, own.id, `${own.id}.test`);
  const sendTo = (count: number) =>
    outcome(sendEmail.run(own.ctx, { ...mail(), from: `a@${own.id}.test`, to: addresses(count) }));
  expect(await sendTo(firstCap + 1)).toBe('RATE_LIMIT_EXCEEDED');
  expect(await sendTo(firstCap)).toBe('accepted');
  const usage = await billed.services.database.prisma.$queryRaw`
    SELECT "transactional" FROM usage_of(${own.id}::uuid, date_trunc('month', now() AT TIME ZONE 'UTC')::date)`;
  expect(usage).toEqual([{ transactional: firstCap }]);
  await billed.close();
});

describe('scheduled email of a new project', () => {
  const scheduled = (at: number, count = 1) =>
    sendEmail.runRaw(project.ctx, {
      ...mail(),
      to: addresses(count),
      scheduledAt: new Date(at).toISOString(),
    });
  const endOfDay = () => today().getTime() + dayMs;

  it('lies in the present UTC day, so that the allowances of several days cannot leave at once', async () => {
    expect(await outcome(scheduled(endOfDay() + 60_000))).toBe('RATE_LIMIT_EXCEEDED');
    expect(await outcome(scheduled(endOfDay() + 60_000, 60))).toBe('RATE_LIMIT_EXCEEDED');
    expect(await outcome(scheduled(endOfDay() - 1))).toBe('accepted');
    await expect(scheduled(endOfDay())).rejects.toThrow(
      expect.objectContaining({ details: expect.objectContaining({ limit: firstCap }) }),
    );
    expect(await prisma().email.count({ where: { projectId: project.id } })).toBe(1);
    // What was refused has used none of the allowance.
    expect(await outcome(scheduled(endOfDay() - 1, firstCap - 1))).toBe('accepted');
  });

  it('is not moved to a later day', async () => {
    const { emails } = await scheduled(endOfDay() - 1);
    const id = emails[0]?.email ?? '';
    const move = (at: number) =>
      rescheduleEmail.runRaw(project.ctx, { id, scheduledAt: new Date(at).toISOString() });
    expect(await outcome(move(endOfDay()))).toBe('RATE_LIMIT_EXCEEDED');
    expect(await outcome(move(endOfDay() - 2))).toBe('accepted');
    await prisma().sendRamp.updateMany({ where: { projectId: project.id }, data: { growth: growths } });
    expect(await outcome(move(endOfDay() + 5 * dayMs))).toBe('accepted');
    expect(await outcome(scheduled(endOfDay() + 5 * dayMs))).toBe('accepted');
  });

  it('gives back what it has used when it is cancelled', async () => {
    const { emails } = await scheduled(endOfDay() - 1, firstCap);
    expect(await outcome(send(1))).toBe('RATE_LIMIT_EXCEEDED');
    await cancelEmail.run(project.ctx, { id: emails[0]?.email ?? '' });
    expect(await outcome(send(1))).toBe('accepted');
  });
});

it('email to the simulator needs no room below the daily cap and gives nothing back', async () => {
  const to = Array.from({ length: firstCap + 5 }, (_, n) => `delivered+${n}@postrider.test`);
  expect(await outcome(sendEmail.run(project.ctx, { ...mail(), to }))).toBe('accepted');
  await prisma().email.updateMany({ where: { projectId: project.id }, data: { status: 'FAILED' } });
  expect(await outcome(send(firstCap))).toBe('accepted');
  expect(await outcome(send(1))).toBe('RATE_LIMIT_EXCEEDED');
  expect(await outcome(sendEmail.run(project.ctx, { ...mail(), to }))).toBe('accepted');
});
