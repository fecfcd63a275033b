import { type Sink, startSink } from '@postrider/local/sink';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCampaign } from '../../automation/campaigns/create-campaign.ts';
import { freezeAudience } from '../../automation/campaigns/freeze-audience.ts';
import { getCampaignAudience } from '../../automation/campaigns/get-campaign-audience.ts';
import { getCampaignStats } from '../../automation/campaigns/get-campaign-stats.ts';
import { retryCampaign } from '../../automation/campaigns/retry-campaign.ts';
import { sendCampaign } from '../../automation/campaigns/send-campaign.ts';
import { newId } from '../../base/lib/index.ts';
import { createTemplate } from '../../content/templates/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { sendEmail } from '../sending/send-email.ts';
import { writeWorkflowEmail } from '../sending/write-workflow-email.fixture.ts';
import { drained, withDelivery } from './delivery.fixture.ts';

let sink: Sink;
let test: TestServices;
let project: TestProject;
/** the address of the owner */
let owner: string;

const from = 'sandbox@platform.test';
const prisma = () => test.services.database.prisma;

beforeAll(async () => {
  sink = await startSink({ keepRaw: true });
  test = await createTestServices({
    env: { SMTP_URL: sink.url, PLATFORM_FROM: 'Platform <notices@Platform.test>' },
  });
  Object.assign(test.services.workflows, { signal: async () => undefined, signalDebounced: () => undefined });
});
afterAll(async () => {
  await test.close();
  await sink.stop();
});
beforeEach(async () => {
  sink.clear();
  project = await createTestProject(test.services);
  owner = (await prisma().user.findUniqueOrThrow({ where: { id: project.ownerId } })).email;
});

const deliver = () => withDelivery(test.services, sink.url, () => drained(test.services, project.id));

async function member(emailVerified: boolean): Promise<string> {
  const id = newId();
  const email = `${id}@people.test`;
  await prisma().user.create({
    data: { id, email, emailVerified, memberships: { create: { projectId: project.id, role: 'MEMBER' } } },
  });
  return email;
}

/** What became of every email of the project: its reason if it was skipped, its state otherwise. */
async function outcomes(): Promise<Record<string, string>> {
  const emails = await prisma().email.findMany({ where: { projectId: project.id } });
  return Object.fromEntries(emails.map(({ to, status, reason }) => [to, reason ?? status]));
}

const send = (to: string[]) =>
  sendEmail.runRaw(project.ctx, { to, from, subject: 'Hello', body: '<p>Hi</p>' });

describe('email from the sandbox sender (B11.4)', () => {
  it('needs no domain, and reaches only members whose address is proven', async () => {
    const [proven, unproven] = [await member(true), await member(false)];
    const elsewhere = (await createTestProject(test.services)).ownerId;
    const foreign = (await prisma().user.findUniqueOrThrow({ where: { id: elsewhere } })).email;
    await send([owner, proven, unproven, foreign, 'customer@people.test']);
    await deliver();
    expect(await outcomes()).toEqual({
      [owner]: 'SENT',
      [proven]: 'SENT',
      [unproven]: 'sandbox',
      [foreign]: 'sandbox',
      'customer@people.test': 'sandbox',
    });
    const messages = sink.messages();
    expect(messages.map(({ to }) => to.join()).sort()).toEqual([owner, proven].sort());
    for (const { raw } of messages) expect(raw).toContain('Subject: Hello\r\n');
  });

  it('is decided when it is sent: a member who has left gets nothing', async () => {
    const gone = await member(true);
    await send([gone]);
    await prisma().member.deleteMany({ where: { projectId: project.id, user: { email: gone } } });
    await deliver();
    expect(await outcomes()).toEqual({ [gone]: 'sandbox' });
  });

  it('is stored in a group and alone by the same rule', async () => {
    const attachment = { filename: 'a.txt', content: 'aGk=', contentType: 'text/plain' };
    await sendEmail.runRaw(project.ctx, {
      to: [owner, 'customer@people.test'],
      from: { email: from.toUpperCase() },
      subject: 'Hello',
      body: 'Hi',
      attachments: [attachment],
    });
    await deliver();
    expect(await outcomes()).toEqual({ [owner]: 'SENT', 'customer@people.test': 'sandbox' });
  });

  it('is no licence for other addresses of the platform', async () => {
    await expect(
      sendEmail.runRaw(project.ctx, { to: owner, from: 'notices@platform.test', subject: 'S', body: 'B' }),
    ).rejects.toMatchObject({ kind: 'forbidden' });
  });

  it('of a workflow is skipped at once, and the execution goes on', async () => {
    const template = await createTemplate.run(project.ctx, {
      name: 'T',
      subject: 'Hello',
      body: 'Hi',
      from,
      type: 'TRANSACTIONAL',
    });
    const contact = await prisma().contact.create({
      data: { id: newId(), projectId: project.id, email: 'customer@people.test' },
    });
    const row = await prisma().template.findUniqueOrThrow({ where: { id: template.id } });
    const write = (customAddress: string | null) =>
      writeWorkflowEmail(test.services, prisma(), {
        project: project.project,
        template: row,
        contactId: contact.id,
        customAddress,
        vars: {},
        workflowExecutionId: newId(),
        workflowStepExecutionId: newId(),
      });
    expect(await write(null)).toMatchObject({ kind: 'written', skipped: 'sandbox' });
    expect(await write(owner)).toMatchObject({ kind: 'written', skipped: null });
    await deliver();
    expect(await outcomes()).toEqual({ 'customer@people.test': 'sandbox', [owner]: 'SENT' });
  });

  it('of a campaign is counted by its reason, also where a retry finds the member gone', async () => {
    const proven = await member(true);
    const people = [owner, proven, 'a@people.test', 'b@people.test', 'c@people.test'];
    await prisma().contact.createMany({
      data: people.map((email) => ({ id: newId(), projectId: project.id, email, subscribed: true })),
    });
    const { id } = await createCampaign.run(project.ctx, {
      name: 'C',
      subject: 'Hello',
      body: 'Hi',
      from,
      audienceType: 'ALL',
    });
    expect(await getCampaignAudience.run(project.ctx, { id })).toEqual({
      matched: 5,
      willSend: 2,
      ...{ included: null, excluded: null },
      skipped: { unsubscribed: 0, topic: 0, suppressed: 0, invalid: 0, sandbox: 3 },
      notSubscribed: { unsubscribed: 0, never: 0, pending: 0, snoozed: 0 },
    });
    await sendCampaign.run(project.ctx, { id });
    await freezeAudience(test.services, id);
    await sink.setBehaviour({ reject: { share: 1, reply: '554 5.7.1 not today' } });
    await deliver();
    await sink.setBehaviour({ reject: { share: 0 } });
    expect(await outcomes()).toMatchObject({
      [owner]: 'FAILED',
      [proven]: 'FAILED',
      'a@people.test': 'sandbox',
    });

    await prisma().member.deleteMany({ where: { projectId: project.id, user: { email: proven } } });
    expect(await retryCampaign.run(project.ctx, { id, statuses: ['FAILED'] })).toEqual({ requeued: 2 });
    await deliver();
    expect(await outcomes()).toMatchObject({ [owner]: 'SENT', [proven]: 'sandbox' });
    expect(await getCampaignStats.run(project.ctx, { id })).toMatchObject({
      sentCount: 1,
      failedCount: 0,
      skippedCount: 4,
      skippedReasons: { sandbox: 4 },
    });
  });
});
