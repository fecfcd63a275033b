import { createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createMailTransport } from '../../adapters/index.ts';
import { deleteContact } from '../../audience/contacts/index.ts';
import { freezeAudience } from '../../automation/campaigns/freeze-audience.ts';
import { createCampaign, sendCampaign, testCampaign } from '../../automation/campaigns/index.ts';
import { keyTypeOf, type MailTransport } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { createTemplate } from '../../content/templates/index.ts';
import { createDomain, verifyDomain } from '../../people/domains/index.ts';
import { createKey } from '../../people/keys/index.ts';
import { createProject, regenerateKeys, updateProject } from '../../people/projects/index.ts';
import { checkReputation } from '../../people/reputation/index.ts';
import {
  createTestProject,
  createTestServices,
  createTestUser,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { startSesStandIn } from '../../testing/ses-stand-in.ts';
import { drained, statusesOf, withDelivery } from '../delivery/delivery.fixture.ts';
import { sendEmail, sweepSources } from '../sending/index.ts';
import { writeWorkflowEmail } from '../sending/write-workflow-email.fixture.ts';
import { getEmailSource, readOnThread, submitMessage } from '../submission/index.ts';
import { runDueTasks } from './simulator-tasks.ts';

/** A mail server that only counts who comes. */
let listener: Server;
let connections = 0;
let smtpUrl: string;
let test: TestServices;
let project: TestProject;
beforeAll(async () => {
  listener = createServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined);
    socket.write('220 counting ESMTP\r\n');
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const address = listener.address();
  smtpUrl = `smtp://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  test = await createTestServices({
    env: { SMTP_URL: smtpUrl, NEW_PROJECT_RAMP: '5', STRIPE_SECRET_KEY: 'sk_x' },
  });
});
afterAll(async () => {
  await test.close();
  listener.close();
});
beforeEach(async () => {
  connections = 0;
  project = await createTestProject(test.services, { environment: 'TEST' });
  const { id } = await createDomain.run(project.ctx, { domain: 'shop.example' });
  domainId = id;
});
afterEach(() => expect(connections).toBe(0));

let domainId: string;
const db = () => test.services.database.prisma;
const from = 'hello@shop.example';
const mail = {
  subject: 'Hello {{name ?? you}}',
  body: '<p>Hi</p><a href="https://shop.example/a">A</a>',
  from,
};

async function sendOneByOne(count: number, of = project): Promise<string[]> {
  const sent = await Promise.all(
    Array.from({ length: count }, (_, n) =>
      sendEmail.run(of.ctx, { ...mail, to: `${n}-${newId()}@people.test` }),
    ),
  );
  return sent.flatMap(({ emails }) => emails.map(({ email }) => email));
}

async function contacts(count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, n) => ({
    id: newId(),
    projectId: project.id,
    email: `contact-${n}@people.test`,
    subscribed: true,
  }));
  await db().contact.createMany({ data: rows });
  return rows.map(({ id }) => id);
}

async function sendCampaignTo(): Promise<string> {
  const { id } = await createCampaign.run(project.ctx, {
    ...mail,
    name: 'N',
    audienceType: 'ALL',
    type: 'MARKETING',
  });
  await sendCampaign.run(project.ctx, { id });
  await freezeAudience(test.services, id);
  return id;
}

async function workflowEmails(contactIds: readonly string[]): Promise<void> {
  const template = await createTemplate.run(project.ctx, { ...mail, name: 'T', type: 'TRANSACTIONAL' });
  const row = await db().template.findUniqueOrThrow({ where: { id: template.id } });
  for (const contactId of contactIds)
    await db().$transaction((tx) =>
      writeWorkflowEmail(test.services, tx, {
        project: project.project,
        template: row,
        contactId,
        customAddress: null,
        vars: {},
        workflowExecutionId: newId(),
        workflowStepExecutionId: newId(),
      }),
    );
}

async function submissions(count: number): Promise<void> {
  const message = Buffer.from(`From: ${from}\r\nTo: ann@people.test\r\nSubject: Submitted\r\n\r\nHello\r\n`);
  for (let n = 0; n < count; n += 1) {
    const submission = await readOnThread(test.services, project.id, message);
    await submitMessage.run(project.ctx, { submission, recipients: [`submitted-${n}@people.test`] });
  }
}

const deliver = (
  transport: string | MailTransport = smtpUrl,
  until = () => drained(test.services, project.id, 120_000),
) => withDelivery(test.services, transport, until);

describe('a test project', () => {
  it('1,000 emails of every kind open no connection to the mail server, and all have an end', async () => {
    const people = await contacts(400);
    await sendOneByOne(340);
    const campaignId = await sendCampaignTo();
    await workflowEmails(people.slice(0, 200));
    await submissions(40);
    const owner = await db().user.findUniqueOrThrow({ where: { id: project.ownerId } });
    const { id: draft } = await createCampaign.run(project.ctx, { ...mail, name: 'D', audienceType: 'ALL' });
    for (let n = 0; n < 20; n += 1) await testCampaign.run(project.ctx, { id: draft, email: owner.email });
    expect(await db().email.count({ where: { projectId: project.id } })).toBeGreaterThanOrEqual(1_000);
    await deliver();
    const counts = await statusesOf(test.services, project.id);
    expect(Object.keys(counts).every((status) => status === 'SENT' || status === 'DELIVERED')).toBe(true);
    await db().simulatorTask.updateMany({ data: { dueAt: new Date(0) } });
    await runDueTasks(test.services);
    expect(await db().campaignCounter.findUnique({ where: { campaignId } })).toMatchObject({
      deliveredCount: 400,
    });
  }, 240_000);

  it('with Amazon SES asks nothing of it, not even for its domains', async () => {
    const ses = await startSesStandIn();
    vi.stubEnv('AWS_ENDPOINT_URL_SESV2', ses.url);
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    const other = await createTestServices({ env: { MAIL_TRANSPORT: 'ses', AWS_REGION: 'eu-central-1' } });
    try {
      const tested = await createTestProject(other.services, { environment: 'TEST' });
      await createDomain.run(tested.ctx, { domain: 'shop.example' });
      await sendOneByOne(50, tested);
      const transport = await createMailTransport(other.services.config, { connections: 1, processes: 1 });
      await withDelivery(other.services, transport, () => drained(other.services, tested.id));
      expect(ses.messages).toEqual([]);
      expect(ses.identities.size).toBe(0);
      expect(await other.services.database.prisma.email.count({ where: { status: 'PENDING' } })).toBe(0);
    } finally {
      await other.close();
      await ses.close();
      vi.unstubAllEnvs();
    }
  });

  it('needs no mail server that works', async () => {
    const live = await createTestProject(test.services);
    await verifiedDomain(test.services, live.id, 'shop.example');
    const dead = 'smtp://127.0.0.1:1';
    await withDelivery(
      test.services,
      dead,
      async () => {
        await sendOneByOne(1, live);
        await vi.waitFor(
          async () => expect(await db().route.count({ where: { pausedAt: { not: null } } })).toBe(1),
          {
            timeout: 60_000,
          },
        );
        await sendOneByOne(3);
        await drained(test.services, project.id);
      },
      { leaseMs: 2_000 },
    );
    expect(await db().email.count({ where: { projectId: live.id, status: 'PENDING' } })).toBe(1);
    await db().deliveryBatch.deleteMany({ where: { projectId: live.id } });
    await db().route.deleteMany({});
  });

  it('a bounce of its own name bounces, one of a customer bounces nowhere', async () => {
    const { emails } = await sendEmail.run(project.ctx, {
      ...mail,
      to: ['bounced@customer.example', 'bounced@postrider.test'],
    });
    await deliver();
    await db().simulatorTask.updateMany({ data: { dueAt: new Date(0) } });
    await runDueTasks(test.services);
    const statusOf = async (n: number) =>
      (await db().email.findUniqueOrThrow({ where: { id: emails[n]?.email ?? '' } })).status;
    expect([await statusOf(0), await statusOf(1)]).toEqual(['DELIVERED', 'BOUNCED']);
    await db().email.updateMany({ where: { projectId: project.id }, data: { bouncedAt: new Date() } });
    // The bounce has asked for it.
    expect(await db().reputationCheck.count({ where: { projectId: project.id } })).toBe(1);
    await checkReputation(test.services, project.id);
    expect(await db().project.findUnique({ where: { id: project.id } })).toMatchObject({ disabled: false });
  });

  it('has no caps: neither of billing nor of new projects', async () => {
    await db().project.update({ where: { id: project.id }, data: { billingLimitTransactional: 1 } });
    await sendOneByOne(30);
    expect(await db().usageCounter.count({ where: { projectId: project.id } })).toBe(0);
    expect(await db().sendRamp.count({ where: { projectId: project.id } })).toBe(0);
    await deliver();
  });

  it('sends from the sandbox to anybody', async () => {
    const { emails } = await sendEmail.run(project.ctx, {
      ...mail,
      from: test.services.config.sandboxFrom,
      to: 'stranger@people.test',
    });
    await deliver();
    expect((await db().email.findUniqueOrThrow({ where: { id: emails[0]?.email ?? '' } })).status).toBe(
      'SENT',
    );
  });

  it('shows the whole message of each email, for 7 days, to nobody else', async () => {
    const [id = ''] = await sendOneByOne(1);
    expect(await getEmailSource.run(project.ctx, { id })).toEqual({ source: null });
    await deliver();
    const { source } = await getEmailSource.run(project.ctx, { id });
    expect(source).toContain(`X-Postrider-Email: ${id}`);
    expect(source).toContain('DKIM-Signature:');
    expect(source?.replaceAll('=\r\n', '')).toContain('/t/c/');
    const stranger = await createTestProject(test.services, { environment: 'TEST' });
    await expect(getEmailSource.run(stranger.ctx, { id })).rejects.toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
    });
    expect(await sweepSources(test.services, new Date(Date.now() + 8 * 86_400_000), 10_000)).toBeGreaterThan(
      0,
    );
    expect(await getEmailSource.run(project.ctx, { id })).toEqual({ source: null });
  });

  it('clears the message of an email with its contact', async () => {
    const [id = ''] = await sendOneByOne(1);
    await deliver();
    const { contactId } = await db().email.findUniqueOrThrow({ where: { id } });
    await deleteContact.run(project.ctx, { id: contactId ?? '' });
    expect(await db().messageSource.count({ where: { emailId: id } })).toBe(0);
    expect(await getEmailSource.run(project.ctx, { id })).toEqual({ source: null });
  });

  it('keeps the newest 200 MB of messages', async () => {
    const ids = await sendOneByOne(3);
    await deliver();
    const sizes = [10, 150 * 1_048_576, 100 * 1_048_576];
    for (const [n, id] of ids.entries())
      await db().messageSource.update({
        where: { emailId: id },
        data: { size: sizes[n] ?? 0, createdAt: new Date(Date.now() - 60_000 + n * 1_000) },
      });
    const shown = async () =>
      Promise.all(ids.map(async (id) => (await getEmailSource.run(project.ctx, { id })).source !== null));
    expect(await shown()).toEqual([false, false, true]);
    expect(await sweepSources(test.services, new Date(), 10_000)).toBe(2);
    expect(await shown()).toEqual([false, false, true]);
  });

  it('is chosen when a project is created, with keys of its own kind, and by no later request', async () => {
    const userId = await createTestUser(test.services);
    const person = { ...(await project.userCtx('OWNER')), project: null };
    const ctx = {
      ...person,
      actor: { type: 'user' as const, userId, emailVerified: true, projectId: null, role: null },
    };
    const created = await createProject.runRaw(ctx, { name: 'Tests', environment: 'TEST' });
    expect(created).toMatchObject({ environment: 'TEST' });
    expect(created.secret).toMatch(/^sk_test_[0-9a-f]{64}$/);
    expect(created.public).toMatch(/^pk_test_[0-9a-f]{64}$/);
    expect([keyTypeOf(created.secret ?? ''), keyTypeOf(created.public)]).toEqual(['secret', 'public']);
    const rotated = await regenerateKeys.run(ctx, { id: created.id });
    expect(rotated.secret).toMatch(/^sk_test_[0-9a-f]{64}$/);
    const named = await createKey.run(ctx, { id: created.id, name: 'CI', scope: 'send' });
    expect(named.key).toMatch(/^sk_test_[0-9a-f]{64}$/);
    expect(named.prefix).toBe(named.key.slice(0, 16));
    const changed = await updateProject.runRaw(ctx, { id: created.id, name: 'Still', environment: 'LIVE' });
    expect(changed).toMatchObject({ name: 'Still', environment: 'TEST' });
    const live = await createProject.runRaw(ctx, { name: 'Live' });
    expect(live).toMatchObject({ environment: 'LIVE' });
    expect(live.secret).toMatch(/^sk_[0-9a-f]{64}$/);
  });

  it('has every domain verified at once, which blocks no other project', async () => {
    expect(await db().domain.findUnique({ where: { id: domainId } })).toMatchObject({
      status: 'VERIFIED',
      verifiedBy: 'TEST',
    });
    expect(await verifyDomain.run(project.ctx, { id: domainId })).toMatchObject({
      verified: true,
      verifiedBy: 'TEST',
    });
    await createDomain.run(project.ctx, { domain: 'only.example' });
    const live = await createTestProject(test.services);
    expect(await createDomain.run(live.ctx, { domain: 'only.example' })).toMatchObject({
      status: 'PENDING',
      verifiedBy: null,
    });
    const elsewhere = await createTestProject(test.services);
    await verifiedDomain(test.services, elsewhere.id, 'taken.example');
    expect(await createDomain.run(project.ctx, { domain: 'taken.example' })).toMatchObject({
      status: 'VERIFIED',
    });
  });
});
