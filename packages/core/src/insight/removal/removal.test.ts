import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStripePayments } from '../../adapters/stripe/index.ts';
import { upsertContact } from '../../audience/contacts/index.ts';
import { trackEvent } from '../../audience/events/index.ts';
import { createSegment } from '../../audience/segments/index.ts';
import { createCampaign } from '../../automation/campaigns/index.ts';
import { addStep, createWorkflow, startExecution, updateWorkflow } from '../../automation/workflows/index.ts';
import type { Context } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { createTemplate } from '../../content/templates/index.ts';
import { uploadImage } from '../../content/uploads/index.ts';
import { getEmail, sendEmail } from '../../mail/sending/index.ts';
import { resolveKey, resolveMembership } from '../../people/projects/index.ts';
import {
  createTestProject,
  createTestServices,
  sendingCampaign,
  type TestProject,
  type TestServices,
  verifiedDomain,
  waitingMail,
} from '../../testing/index.ts';
import { startStripeStandIn } from '../../testing/stripe-stand-in.ts';
import { deleteProject, getResetState, removeBatch, resetProject } from './index.ts';
import { furtherParts, resetParts } from './parts.store.ts';

let test: TestServices;
/** the ids of workflows that were signalled */
const signals: string[] = [];
beforeAll(async () => {
  test = await createTestServices();
  Object.assign(test.services.workflows, {
    signal: async (job: { id: (input: unknown) => string }, input: unknown) =>
      void signals.push(job.id(input)),
    signalDebounced: () => undefined,
  });
});
afterAll(() => test.close());

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A project with rows of every kind that its users can create. */
async function fullProject(): Promise<TestProject & { owner: Context; uploadKey: string }> {
  const project = await createTestProject(test.services);
  const { ctx, id } = project;
  const domain = `${id}.example.com`;
  await verifiedDomain(test.services, id, domain);
  const mail = { subject: 'S', body: '<p>B</p>', from: `hello@${domain}` };
  await sendEmail.run(ctx, { ...mail, to: ['a@people.test', 'b@people.test'] });
  await createTemplate.run(ctx, { ...mail, name: 'T' });
  await createSegment.run(ctx, { name: 'S', type: 'STATIC' });
  await createCampaign.run(ctx, { ...mail, name: 'C', audienceType: 'ALL' });
  await waitingMail(test.services, id, { count: 5, campaignId: await sendingCampaign(test.services, id) });
  await trackEvent.run(project.publicCtx, { email: 'c@people.test', event: 'signup' });
  const contact = await upsertContact.run(ctx, { email: 'd@people.test', subscribed: false });
  const workflow = await createWorkflow.run(ctx, { name: 'W', eventName: 'signup' });
  const config = { amount: 30, unit: 'days' };
  await addStep.run(ctx, { id: workflow.id, type: 'DELAY', name: 'wait', position: { x: 0, y: 0 }, config });
  await updateWorkflow.run(ctx, { id: workflow.id, enabled: true });
  await startExecution.run(ctx, { id: workflow.id, contactId: contact.id });
  const { key: uploadKey } = await uploadImage.run(ctx, {
    image: png,
    filename: 'a.png',
    contentType: 'image/png',
  });
  await test.services.database.prisma.suppression.create({
    data: { projectId: id, email: 'x@people.test', reason: 'BOUNCE' },
  });
  return { ...project, owner: await project.userCtx('OWNER'), uploadKey };
}

/** How many rows of a project each table with a project has. */
async function rowsOf(projectId: string): Promise<Record<string, number>> {
  const { durable } = test.services.database;
  const counts: Record<string, number> = {};
  for (const table of await tablesOfProjects()) {
    const { rows } = await durable.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM "${table}" WHERE "projectId" = $1`,
      [projectId],
    );
    if (rows[0] && rows[0].n > 0) counts[table] = rows[0].n;
  }
  return counts;
}

async function tablesOfProjects(): Promise<string[]> {
  const { rows } = await test.services.database.durable.query<{ name: string }>(
    `SELECT c.table_name AS name FROM information_schema.columns c
     JOIN pg_class t ON t.relname = c.table_name AND t.relnamespace = 'public'::regnamespace
     WHERE c.table_schema = 'public' AND c.column_name = 'projectId' AND NOT t.relispartition ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

async function removeAll(projectId: string): Promise<void> {
  for (let call = 0; call < 20; call += 1) if (!(await removeBatch(test.services, projectId))) return;
  throw new Error('the removal does not end');
}

async function hasFile(key: string): Promise<boolean> {
  const file = await test.services.files.open(key);
  file?.destroy();
  return file !== null;
}

it('every table with a project is in a list of what is removed', async () => {
  const listed = new Set([...resetParts, ...furtherParts].flatMap(({ tables }) => tables));
  // The record of the removal itself.
  expect(
    (await tablesOfProjects()).filter((table) => table !== 'ProjectRemoval' && !listed.has(table as never)),
  ).toEqual([]);
});

describe('projects.reset', () => {
  it('removes what existed at the call, and keeps domains, members, keys, uploads and later rows', async () => {
    const project = await fullProject();
    const neighbour = await fullProject();
    const before = await rowsOf(neighbour.id);
    const { Domain: domains } = await rowsOf(project.id);
    await expect(resetProject.run(project.owner, { id: project.id })).resolves.toEqual({
      message: expect.any(String),
    });
    const mail = { subject: 'S', body: '<p>B</p>', from: `hello@${project.id}.example.com` };
    const sent = await sendEmail.run(project.ctx, { ...mail, to: ['a@people.test', 'new@people.test'] });
    const later = await createTemplate.run(project.ctx, { ...mail, name: 'Later' });
    await removeAll(project.id);

    const { prisma } = test.services.database;
    const contacts = await prisma.contact.findMany({
      where: { projectId: project.id },
      orderBy: { email: 'asc' },
    });
    expect(contacts.map(({ email }) => email)).toEqual(['a@people.test', 'new@people.test']);
    for (const { email } of sent.emails) {
      expect(await getEmail.run(project.ctx, { id: email })).toMatchObject({ status: 'PENDING' });
    }
    expect(
      await prisma.template.findMany({ where: { projectId: project.id }, select: { id: true } }),
    ).toEqual([{ id: later.id }]);
    const left = await rowsOf(project.id);
    expect(Object.keys(left).sort()).toEqual(
      [
        'AuditLog',
        'CachedFigure',
        'ConsentAct',
        'Contact',
        'ContactCount',
        'Content',
        'DeliveryBatch',
        'Domain',
        'Email',
        'EmailTally',
        'EmailTallyEntry',
        'ErasedContact',
        'Event',
        'Member',
        'OptOut',
        'ProjectRemoval',
        'StorageEntry',
        'Template',
        'TemplateVersion',
        'Topic',
        'Upload',
      ].filter((table) => table in left),
    );
    expect(left).toMatchObject({ Email: 2, DeliveryBatch: 1, Member: 1, Upload: 1, OptOut: 1 });
    expect(left['Domain']).toBe(domains);
    expect(await rowsOf(neighbour.id)).toEqual(before);
    expect(await getResetState.run(project.owner, { id: project.id })).toMatchObject({
      running: false,
      progress: 100,
    });
  });

  it('keeps the figures of what comes after the call, and counts the contacts that it leaves', async () => {
    const project = await fullProject();
    const { id: projectId } = project;
    const { prisma } = test.services.database;
    const facts = { sent: 1, delivered: 0, opened: 0, clicked: 0, bounced: 0, complained: 0 };
    const quarterOf = (at: Date) => new Date(Math.floor(at.getTime() / 900_000) * 900_000);
    const dayOf = (at: Date) => new Date(Math.floor(at.getTime() / 86_400_000) * 86_400_000);
    const write = async (at: Date, scopeId: string) => {
      const figure = { projectId, key: 'k', ...facts, unsubscribed: 0, opens: 0, clicks: 0 };
      await prisma.figure.createMany({
        data: [
          { ...figure, scopeId: projectId, dimension: 'provider', unit: 'quarter', at: quarterOf(at) },
          { ...figure, scopeId: projectId, dimension: 'provider', unit: 'day', at: dayOf(at) },
          { ...figure, scopeId, dimension: 'provider', unit: 'total', at: new Date(0) },
        ],
      });
      await prisma.linkFigure.create({
        data: { projectId, scopeId, hash: Uint8Array.from([1]), clicks: 1, clickers: 1 },
      });
    };
    const past = new Date(Date.now() - 3 * 86_400_000);
    await write(past, await sendingCampaign(test.services, projectId));
    await resetProject.run(project.owner, { id: projectId });
    await write(new Date(), await sendingCampaign(test.services, projectId));
    const mail = { subject: 'S', body: '<p>B</p>', from: `hello@${projectId}.example.com` };
    await sendEmail.run(project.ctx, { ...mail, to: ['a@people.test', 'new@people.test'] });
    await removeAll(projectId);
    const figures = await prisma.figure.findMany({ where: { projectId }, orderBy: { unit: 'asc' } });
    expect(figures.map(({ unit }) => unit)).toEqual(['quarter', 'day', 'total']);
    expect(await prisma.linkFigure.count({ where: { projectId } })).toBe(1);
    const counted = await prisma.contactCount.aggregate({
      where: { projectId },
      _sum: { created: true, removed: true },
    });
    expect(counted._sum).toEqual({
      created: await prisma.contact.count({ where: { projectId } }),
      removed: 0,
    });
  });

  it('cancels campaigns at once, so that nothing more of them is sent', async () => {
    const project = await fullProject();
    await resetProject.run(project.owner, { id: project.id });
    const running = await test.services.database.prisma.campaign.count({
      where: { projectId: project.id, status: { in: ['SENDING', 'SCHEDULED'] } },
    });
    expect(running).toBe(0);
  });

  it('an opt-out outlives its contact', async () => {
    const project = await fullProject();
    await resetProject.run(project.owner, { id: project.id });
    await removeAll(project.id);
    await trackEvent.run(project.publicCtx, { email: 'd@people.test', event: 'signup' });
    const contact = await test.services.database.prisma.contact.findFirstOrThrow({
      where: { projectId: project.id, email: 'd@people.test' },
    });
    expect(contact.subscribed).toBe(false);
  });
});

describe('projects.delete', () => {
  it('is gone at once for keys and members, and later in every table and in the files', async () => {
    const project = await fullProject();
    const neighbour = await fullProject();
    const before = await rowsOf(neighbour.id);
    const from = signals.length;
    await deleteProject.run(project.owner, { id: project.id });
    const refused = { code: 'INVALID_API_KEY' };
    const required = 'secret';
    await expect(
      resolveKey(test.services, project.secretKey, { required, countRequest: true }),
    ).rejects.toMatchObject(refused);
    expect(await resolveMembership(test.services, project.ownerId, project.id)).toBeNull();
    await expect(deleteProject.run(project.owner, { id: project.id })).rejects.toMatchObject({
      code: 'PROJECT_ACCESS_DENIED',
    });
    expect(await hasFile(project.uploadKey)).toBe(true);
    await removeAll(project.id);
    expect(await rowsOf(project.id)).toEqual({ AuditLog: 1, ProjectRemoval: 1 });
    expect([...new Set(signals.slice(from).map((id) => id.slice(0, id.indexOf('/'))))].sort()).toEqual([
      'campaign',
      'domain',
      'removal',
      'segment',
    ]);
    expect(await test.services.database.prisma.project.count({ where: { id: project.id } })).toBe(0);
    expect(await hasFile(project.uploadKey)).toBe(false);
    expect(await rowsOf(neighbour.id)).toEqual(before);
  });

  it('stops what delivery processes hold before it answers, and waits for them before the project is removed', async () => {
    const project = await fullProject();
    const { prisma } = test.services.database;
    const [batch] = await prisma.deliveryBatch.findMany({ where: { projectId: project.id } });
    const id = batch?.id ?? '';
    await prisma.deliveryBatch.update({ where: { id }, data: { token: newId(), leaseUntil: new Date() } });
    await deleteProject.run(project.owner, { id: project.id });
    expect(await prisma.deliveryBatch.findUnique({ where: { id } })).toMatchObject({ stopped: true });
    for (let call = 0; call < 3; call += 1) expect(await removeBatch(test.services, project.id)).toBe(true);
    expect(await prisma.project.count({ where: { id: project.id } })).toBe(1);
    await prisma.deliveryBatch.delete({ where: { id } });
    await removeAll(project.id);
    expect(await rowsOf(project.id)).toEqual({ AuditLog: 1, ProjectRemoval: 1 });
  });

  it.each(['MEMBER'] as const)('403 for a %s', async (role) => {
    const project = await createTestProject(test.services);
    const ctx = await project.userCtx(role);
    for (const operation of [deleteProject, resetProject]) {
      await expect(operation.run(ctx, { id: project.id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
  });
});

it('deleting a project ends its subscription, and goes on only once the payment provider has answered', async () => {
  const stripe = await startStripeStandIn();
  const payments = createStripePayments({
    secretKey: stripe.env.STRIPE_SECRET_KEY,
    webhookSecret: undefined,
    apiBase: stripe.env.STRIPE_API_BASE,
  });
  const services = { ...test.services, payments };
  const { prisma } = services.database;
  const project = await createTestProject(services);
  const owner = await project.userCtx('OWNER');
  await prisma.project.update({
    where: { id: project.id },
    data: { customer: 'cus_1', subscription: 'sub_1' },
  });
  await deleteProject.run(owner, { id: project.id });
  stripe.answers.set('DELETE /v1/subscriptions/sub_1', {
    status: 400,
    body: { error: { type: 'invalid_request_error', message: 'not now' } },
  });
  await expect(removeBatch(services, project.id)).rejects.toThrow('not now');
  expect(await prisma.project.findUniqueOrThrow({ where: { id: project.id } })).toMatchObject({
    subscription: 'sub_1',
  });
  stripe.answers.clear();
  while (await removeBatch(services, project.id));
  expect(await prisma.project.findUnique({ where: { id: project.id } })).toBeNull();
  expect(stripe.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'DELETE /v1/subscriptions/sub_1',
    'DELETE /v1/subscriptions/sub_1',
  ]);
  await stripe.close();
});
