import {
  addStep,
  createWorkflow,
  startExecution,
  updateWorkflow,
} from '@postrider/core/automation/workflows';
import { type Services, taskQueues } from '@postrider/core/base/kernel';
import { firstIdOf, newId } from '@postrider/core/base/lib';
import { reportUsage } from '@postrider/core/people/billing';
import { createTestProject, createTestServices, type TestServices } from '@postrider/core/testing';
import { type StripeStandIn, startStripeStandIn } from '@postrider/core/testing/stripe-stand-in.ts';
import { type DnsServer, startDns } from '@postrider/local/dns-server';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAnalyticsActivities } from '../analytics/analytics.activities.ts';
import { createBillingActivities } from '../billing/billing.activities.ts';
import { createContactActivities } from '../contacts/contacts.activities.ts';
import { createRemovalActivities } from '../removal/removal.activities.ts';
import { createRetentionActivities } from '../retention/retention.activities.ts';
import type { ScheduledWorkflow } from '../scheduled-workflow.ts';
import { signalling } from '../testing/jobs.ts';
import { createTimeSkippingEnvironment, withWorker } from '../testing/time-skipping.ts';
import { createWorkflowActivities } from '../workflows/workflows.activities.ts';
import { createReconcileActivities } from './reconcile.activities.ts';

let test: TestServices;
let services: Services;
let environment: TestWorkflowEnvironment;
let stripe: StripeStandIn;
let dns: DnsServer;

beforeAll(async () => {
  stripe = await startStripeStandIn();
  dns = await startDns();
  [test, environment] = await Promise.all([
    createTestServices({ env: { ...stripe.env, DNS_SERVERS: dns.address, EVENT_DAYS: '400' } }),
    createTimeSkippingEnvironment(),
  ]);
  services = signalling(environment, test.services);
}, 300_000);
afterAll(async () => {
  await environment.teardown();
  await test.close();
  await stripe.close();
  await dns.stop();
});

const drivers = { ensure: async () => 16 };
const reconciling = { drivers, overdueSeconds: 60, leaseMs: 60_000 };

/** Runs a scheduled workflow to its end, as its schedule would, or one that `reconcile` starts. */
const runScheduled = (
  workflow: ScheduledWorkflow | 'fillConsentLog' | 'normalizeAddresses',
  after: () => Promise<void> = async () => undefined,
) =>
  withWorker(
    environment,
    {
      ...createReconcileActivities(services, reconciling),
      ...createRetentionActivities(services),
      ...createContactActivities(services),
      ...createRemovalActivities(services),
      ...createAnalyticsActivities(services),
      ...createBillingActivities(services),
      ...createWorkflowActivities(services, { align: async () => undefined }),
    },
    async () => {
      await environment.client.workflow.execute(workflow, {
        taskQueue: taskQueues.control,
        workflowId: workflow,
      });
      await after();
    },
  );

it('reconcile ends executions that have long waited in a disabled project', async () => {
  const { prisma } = services.database;
  const project = await createTestProject(services);
  const { id } = await createWorkflow.run(project.ctx, { name: 'Long', eventName: 'signup' });
  const config = { amount: 30, unit: 'days' };
  await addStep.run(project.ctx, { id, type: 'DELAY', name: 'wait', position: { x: 0, y: 0 }, config });
  await updateWorkflow.run(project.ctx, { id, enabled: true });
  const contactId = newId();
  await prisma.contact.create({ data: { id: contactId, projectId: project.id, email: 'long@people.test' } });
  const execution = await startExecution.run(project.ctx, { id, contactId });
  const row = () => prisma.workflowExecution.findUniqueOrThrow({ where: { id: execution.id } });
  const dueAt = new Date(Date.now() + 86_400_000);
  await prisma.workflowExecution.update({ where: { id: execution.id }, data: { status: 'WAITING', dueAt } });
  await runScheduled('reconcile');
  expect(await row()).toMatchObject({ status: 'WAITING', dueAt });
  await prisma.project.update({ where: { id: project.id }, data: { disabled: true } });
  await runScheduled('reconcile');
  expect(await row()).toMatchObject({ status: 'CANCELLED', exitReason: 'Project disabled', dueAt: null });
  // A set that was on its way to it finds it as it is.
  expect(await prisma.workflowEntry.findFirstOrThrow({ where: { contactId } })).toMatchObject({
    active: false,
  });
});

it('the sweep removes data whose retention has ended, batch by batch', async () => {
  const { prisma } = services.database;
  const { id: projectId } = await createTestProject(services);
  const old = new Date(Date.now() - 90 * 86_400_000);
  await prisma.idempotencyKey.createMany({
    data: Array.from({ length: 1_200 }, (_, index) => ({
      projectId,
      key: `key ${index}`,
      request: 'r',
      ...(index === 0 ? {} : { createdAt: old }),
    })),
  });
  await runScheduled('sweep');
  expect(await prisma.idempotencyKey.findMany({ where: { projectId } })).toMatchObject([{ key: 'key 0' }]);
});

it('the daily run for slices drops those of expired events', async () => {
  const { prisma } = services.database;
  const { id: projectId } = await createTestProject(services);
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  const boundary = firstIdOf(daysAgo(450));
  for (const statement of [
    'DELETE FROM "Event"',
    'ALTER TABLE "Event" DETACH PARTITION "Event_1"',
    `ALTER TABLE "Event" ATTACH PARTITION "Event_1" FOR VALUES FROM (MINVALUE) TO ('${boundary}')`,
    `CREATE TABLE "Event_2" PARTITION OF "Event" FOR VALUES FROM ('${boundary}') TO (MAXVALUE)`,
  ])
    await prisma.$executeRawUnsafe(statement);
  const store = (at: Date) =>
    prisma.event.create({ data: { id: firstIdOf(at), projectId, name: 'seen', createdAt: at } });
  await store(daysAgo(500));
  const { id } = await store(daysAgo(10));
  await runScheduled('slices');
  expect(await prisma.event.findMany({ where: { projectId } })).toMatchObject([{ id }]);
  expect(await prisma.$queryRaw`SELECT to_regclass('"Event_1"')::text AS "first"`).toEqual([{ first: null }]);
});

it('addresses that an earlier version has stored get their normal form', async () => {
  const { prisma } = services.database;
  const { id: projectId } = await createTestProject(services);
  const emails = ['ann@müller.example', 'ann@xn--mller-kva.example', 'bob@people.test'];
  await prisma.contact.createMany({ data: emails.map((email) => ({ id: newId(), projectId, email })) });
  await prisma.addressPass.updateMany({ data: { completedAt: null, position: '' } });
  await runScheduled('normalizeAddresses');
  await runScheduled('normalizeAddresses');
  const rows = await prisma.contact.findMany({ where: { projectId }, orderBy: { email: 'asc' } });
  expect(rows.map(({ email }) => email)).toEqual(['ann@xn--mller-kva.example', 'bob@people.test']);
});

it('only snoozes whose date has passed are ended', async () => {
  const { prisma } = services.database;
  const { id: projectId } = await createTestProject(services);
  const snoozed = (email: string, inMs: number) => ({
    id: newId(),
    projectId,
    email,
    subscribed: false,
    snoozedUntil: new Date(Date.now() + inMs),
  });
  await prisma.contact.createMany({
    data: [snoozed('over@people.test', -1_000), snoozed('not-yet@people.test', 3_600_000)],
  });
  await runScheduled('endSnoozes');
  const rows = await prisma.contact.findMany({ where: { projectId }, orderBy: { email: 'asc' } });
  expect(
    rows.map(({ email, subscribed, snoozedUntil }) => [email, subscribed, snoozedUntil !== null]),
  ).toEqual([
    ['not-yet@people.test', false, true],
    ['over@people.test', true, false],
  ]);
});

it('the usage of a subscription is reported, and only what came since the last report', async () => {
  const { prisma } = services.database;
  const { id: projectId } = await createTestProject(services);
  await prisma.project.update({
    where: { id: projectId },
    data: { customer: 'cus_1', subscription: 'sub_1' },
  });
  const now = new Date();
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()));
  const key = { projectId_month: { projectId, month } };
  await prisma.usageCounter.create({
    data: { projectId, month, transactional: 3, campaigns: 2, workflows: 1 },
  });
  await runScheduled('reportUsage');
  await prisma.usageCounter.update({ where: key, data: { transactional: 10 } });
  // The answer to the first attempt is lost; the repetition has the same identifier.
  const name = 'POST /v1/billing/meter_events';
  stripe.answers.set(name, { status: 400, body: { error: { type: 'api_error', message: 'lost' } } });
  await expect(reportUsage(services)).rejects.toThrow('not all usage could be reported');
  stripe.answers.delete(name);
  await prisma.usageCounter.update({ where: key, data: { transactional: 11 } });
  await runScheduled('reportUsage');
  await runScheduled('reportUsage');
  const reports = stripe.requests.filter(({ path }) => path === '/v1/billing/meter_events');
  const total = (count: number) => `postrider/${projectId}/${month.toISOString().slice(0, 10)}/${count}`;
  expect(reports.map(({ fields }) => [fields['payload[value]'], fields['identifier']])).toEqual([
    ['6', total(6)],
    ['7', total(13)],
    ['7', total(13)],
    ['1', total(14)],
  ]);
});

it('mailbox providers of new contacts are found', async () => {
  const { prisma } = services.database;
  const { id: projectId } = await createTestProject(services);
  // An hour ago: contacts of the last minutes are left for a later run.
  const id = `${(Date.now() - 3_600_000).toString(16).padStart(12, '0').replace(/^.{8}/, '$&-')}-7${newId().slice(15)}`;
  await prisma.contact.create({ data: { id, projectId, email: 'ada@firm.example' } });
  dns.set('firm.example', 'MX', ['10 aspmx.l.google.com']);
  await runScheduled('findProviders');
  expect(await prisma.mailboxDomain.findUnique({ where: { domain: 'firm.example' } })).toMatchObject({
    provider: 'google',
    dueAt: null,
  });
});

it('entries of analytics are added up', async () => {
  const { prisma } = services.database;
  const { id: projectId } = await createTestProject(services);
  const entry = { projectId, at: new Date(), domain: 'mail.test', provider: 'google', sent: 2 };
  await prisma.figureEntry.createMany({ data: [entry, entry] });
  await runScheduled('foldFigures');
  expect(await prisma.figureEntry.count({ where: { projectId } })).toBe(0);
  const [figure] = await prisma.figure.findMany({ where: { projectId, dimension: 'domain', unit: 'day' } });
  expect(figure).toMatchObject({ key: 'mail.test', sent: 4 });
});

// Last: from then on the database refuses what has no act, as the data of the other tests.
it('contacts of an earlier version get into the consent log', async () => {
  const { prisma } = services.database;
  const { id: projectId } = await createTestProject(services);
  await prisma.consentPass.updateMany({ data: { completedAt: null, position: '' } });
  const id = newId();
  await prisma.contact.create({ data: { id, projectId, email: 'before@people.test', subscribed: false } });
  await runScheduled('fillConsentLog');
  expect(await prisma.contact.findUniqueOrThrow({ where: { id } })).toMatchObject({ stated: true });
  // It is looked through once more after an hour, for what older processes wrote meanwhile.
  await prisma.consentPass.updateMany({
    where: { part: 'history' },
    data: { completedAt: new Date(Date.now() - 3_700_000) },
  });
  await runScheduled('fillConsentLog');
  expect(await prisma.consentPass.count({ where: { completedAt: null } })).toBe(0);
});
