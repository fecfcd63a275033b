import { afterAll, beforeAll, expect, it } from 'vitest';
import { deleteContact } from '../../audience/contacts/index.ts';
import { freezeAudience } from '../../automation/campaigns/freeze-audience.ts';
import { buildTemplate, buildWorkflow } from '../../automation/workflows/runtime/runtime.fixture.ts';
import { eventTypes, type StoredType } from '../../base/event-types/index.ts';
import { newId } from '../../base/lib/index.ts';
import { deleteDomain } from '../../people/domains/index.ts';
import {
  createTestProject,
  createTestServices,
  sendingCampaign,
  type TestProject,
  type TestServices,
  verifiedDomain,
  waitingMail,
} from '../../testing/index.ts';
import { storeNews } from '../news/news.store.ts';
import { storeInteractions } from '../tracking/interactions.store.ts';
import { sendEmail } from './send-email.ts';
import { writeWorkflowEmail } from './write-workflow-email.fixture.ts';

/** Whatever becomes of an email, and by whatever way it came, its events say so, with the same fields (behaviour B6.1). */
let test: TestServices;
let project: TestProject;
beforeAll(async () => {
  test = await createTestServices();
  project = await createTestProject(test.services);
});
afterAll(() => test.close());

const prisma = () => test.services.database.prisma;
const blocked = 'blocked@people.test';
const base = [
  'campaignId',
  'emailId',
  'from',
  'fromName',
  'messageId',
  'sourceType',
  'subject',
  'templateId',
];

/** Emails that were given to a mail server, but whose answer was lost. */
async function uncertain(count: number): Promise<string[]> {
  const emails = await waitingMail(test.services, project.id, { count });
  for (const { id, batchId } of emails) {
    await prisma().deliveryBatch.delete({ where: { id: batchId } });
    await prisma().email.update({
      where: { id },
      data: { status: 'UNCERTAIN', batchId: null, uncertainAt: new Date() },
    });
  }
  return emails.map(({ id }) => id);
}

it('the emails by state are those that the events name', async () => {
  const { services } = test;
  await verifiedDomain(services, project.id, 'shop.test');
  await prisma().suppression.create({ data: { projectId: project.id, email: blocked, reason: 'MANUAL' } });
  const mail = { from: 'team@shop.test', subject: 'Hello', body: '<p>Hi</p>' };

  // Accepted in a group with others, and alone.
  await sendEmail.run(project.ctx, { ...mail, to: [blocked, 'waits@people.test'] });
  await sendEmail.run(project.ctx, {
    ...mail,
    to: [blocked],
    attachments: [{ filename: 'a.txt', content: 'aGk=', contentType: 'text/plain' }],
  });

  // By a workflow.
  const templateId = await buildTemplate(services, project.id, { from: mail.from });
  const template = await prisma().template.findUniqueOrThrow({ where: { id: templateId } });
  const { id: contactId } = await prisma().contact.findFirstOrThrow({ where: { email: blocked } });
  const workflow = await buildWorkflow(services, project.id, {});
  await writeWorkflowEmail(services, prisma(), {
    project: { id: project.id, name: 'Test', language: 'en', tracking: 'ENABLED' },
    template,
    contactId,
    customAddress: null,
    vars: {},
    workflowExecutionId: workflow.id,
    workflowStepExecutionId: newId(),
  });

  // By a campaign that is frozen, and contacts that are erased before it leaves.
  const campaignId = await sendingCampaign(services, project.id);
  await prisma().campaign.update({ where: { id: campaignId }, data: { frozenAt: null, from: mail.from } });
  await freezeAudience(services, campaignId);
  // Its contact had another email that waits.
  const waiting = await prisma().email.findFirstOrThrow({ where: { campaignId, status: 'PENDING' } });
  await deleteContact.run(project.ctx, { id: waiting.contactId ?? '' });

  // Proved to have been sent.
  const [opened = '', delivered = '', bounced = ''] = await uncertain(3);
  await storeInteractions(services.database.grouped, [
    {
      id: newId(),
      type: 'open',
      emailId: opened,
      link: null,
      bot: false,
      client: 'Other',
      device: 'desktop',
      receivedAt: performance.now(),
      times: 1,
    },
  ]);
  for (const [emailId, kind] of [
    [delivered, 'delivered'],
    [bounced, 'bounce'],
  ] as const)
    await storeNews(services.database.durable, {
      key: `events/${emailId}`,
      emailId,
      kind,
      bounceType: kind === 'bounce' ? 'Permanent' : null,
      diagnosis:
        kind === 'bounce' ? '{"class": "no_mailbox", "code": null, "reply": 550, "text": "550 no"}' : null,
      class: kind === 'bounce' ? 'no_mailbox' : null,
      at: new Date(),
      isProven: true,
      detail: null,
    });

  // Its domain is removed.
  const domainId = await verifiedDomain(services, project.id, 'lost.test');
  await sendEmail.run(project.ctx, { ...mail, from: 'team@lost.test', to: ['late@people.test'] });
  await deleteDomain.run(project.ctx, { id: domainId });

  const emails = await prisma().email.findMany({ where: { projectId: project.id } });
  const named = (name: string) =>
    prisma().event.findMany({ where: { projectId: project.id, name }, orderBy: { emailId: 'asc' } });
  const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id).toSorted();
  const cases = {
    'email.sent': emails.filter(({ sentAt }) => sentAt !== null),
    'email.failed': emails.filter(({ status }) => status === 'FAILED'),
    'email.skipped': emails.filter(({ status }) => status === 'SKIPPED'),
  };
  expect(cases['email.skipped'].map(({ sourceType }) => sourceType).toSorted()).toEqual([
    'CAMPAIGN',
    'CAMPAIGN',
    'TRANSACTIONAL',
    'TRANSACTIONAL',
    'TRANSACTIONAL',
    'WORKFLOW',
  ]);
  for (const [name, rows] of Object.entries(cases)) {
    const events = await named(name);
    expect(rows.length, name).toBeGreaterThan(0);
    expect(events.map(({ emailId }) => emailId ?? '').toSorted(), name).toEqual(idsOf(rows));
    for (const { data } of events) {
      const failed = name === 'email.failed' ? ['failureClass'] : [];
      const own = name === 'email.sent' ? ['sentAt'] : ['error', 'reason', ...failed];
      expect(Object.keys(data as object).toSorted(), name).toEqual([...base, ...own].toSorted());
      expect(data, name).toMatchObject({
        messageId: expect.stringMatching(/^<.+@.+>$/),
        from: expect.any(String),
      });
    }
  }
  // The catalogue of event types says what each of them has.
  const told = await prisma().event.findMany({
    where: { projectId: project.id, name: { startsWith: 'email.' } },
  });
  expect(new Set(told.map(({ name }) => name)).size).toBeGreaterThan(5);
  for (const { name, data } of told) {
    const parsed = eventTypes[name as StoredType].data.strict().safeParse(data);
    expect([name, parsed.error?.issues]).toEqual([name, undefined]);
  }
});
