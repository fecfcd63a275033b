import { type Sink, startSink } from '@postrider/local/sink';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { composeServices } from '../../adapters/compose.ts';
import { createTemplate } from '../../content/templates/index.ts';
import { drained, withDelivery } from '../../mail/delivery/delivery.fixture.ts';
import { sendEmail } from '../../mail/sending/send-email.ts';
import {
  createTestProject,
  createTestServices,
  sendingCampaign,
  type TestProject,
  type TestServices,
  verifiedDomain,
  waitingMail,
} from '../../testing/index.ts';
import { createDomain } from './create-domain.ts';
import { settleLocalDomains } from './settle-local-domains.ts';

let sink: Sink;
/** an installation with the local mailbox, and the same one with a mail server */
let local: TestServices;
let real: ReturnType<typeof composeServices>;
let project: TestProject;
beforeAll(async () => {
  sink = await startSink();
  local = await createTestServices({ env: { SMTP_URL: sink.url, MAILBOX_URL: 'http://localhost:8025' } });
  real = composeServices({ ...local.services.config, mailboxUrl: null }, local.services.log, {
    connections: 5,
  });
});
afterAll(async () => {
  await real.close();
  await local.close();
  await sink.stop();
});
beforeEach(async () => {
  sink.clear();
  project = await createTestProject(local.services);
});

const db = () => local.services.database.prisma;
const find = (id: string) => db().domain.findUniqueOrThrow({ where: { id } });
const mail = { from: 'hello@shop.example', subject: 'Hello', body: '<p>Hi</p>' };
const asReal = () => ({ ...project.ctx, services: real, db: real.database.prisma });

describe('a domain that only the local mailbox has verified', () => {
  it('is VERIFIED at once, and its email reaches the mailbox', async () => {
    const domain = await createDomain.run(project.ctx, { domain: 'shop.example' });
    expect(domain).toMatchObject({ status: 'VERIFIED', verified: true, verifiedBy: 'LOCAL_MAILBOX' });
    await sendEmail.run(project.ctx, { ...mail, to: 'ann@people.test' });
    await withDelivery(local.services, sink.url, () => drained(local.services, project.id));
    expect(sink.messages()).toHaveLength(1);
  });

  it('cannot send one byte through a server that is set later', async () => {
    const { id } = await createDomain.run(project.ctx, { domain: 'shop.example' });
    await sendEmail.run(project.ctx, { ...mail, to: ['ann@people.test', 'bob@people.test'] });
    const campaignId = await sendingCampaign(local.services, project.id);
    await waitingMail(local.services, project.id, { count: 2, campaignId, domainId: id });
    // What another process has accepted before it learns of the change.
    const late = await waitingMail(local.services, project.id, { count: 1, domainId: id });
    // Before the domain is looked at, the statement that accepts refuses it.
    for (const attachments of [[], [{ filename: 'a.txt', content: 'aGVsbG8=', contentType: 'text/plain' }]])
      await expect(
        sendEmail.run(asReal(), { ...mail, to: 'early@people.test', attachments }),
      ).rejects.toThrow('shop.example');
    await settleLocalDomains(real);
    expect(await find(id)).toMatchObject({ status: 'PENDING', verifiedAt: null });
    await db().email.updateMany({
      where: { id: { in: late.map((one) => one.id) } },
      data: { status: 'PENDING', error: null, batchId: late[0]?.batchId ?? null },
    });
    await db().deliveryBatch.createMany({
      data: late.map((one) => ({
        id: one.batchId,
        projectId: project.id,
        priority: 0,
        domainId: id,
        emailIds: [one.id],
      })),
    });
    await withDelivery(real, sink.url, () => drained(real, project.id));
    expect(sink.messages()).toEqual([]);
    const emails = await db().email.findMany({ where: { projectId: project.id } });
    expect(emails).toHaveLength(5);
    expect(new Set(emails.map(({ status, error }) => `${status} ${error}`))).toEqual(
      new Set(['FAILED sender domain not verified']),
    );
    expect(await db().campaignCounter.findUnique({ where: { campaignId } })).toMatchObject({
      failedCount: 2,
    });
    await expect(sendEmail.run(asReal(), { ...mail, to: 'cyd@people.test' })).rejects.toMatchObject({
      message: expect.stringContaining('shop.example'),
    });
    await expect(createTemplate.run(asReal(), { ...mail, name: 'T' })).rejects.toThrow('shop.example');
    await settleLocalDomains(local.services);
    expect(await find(id)).toMatchObject({ status: 'VERIFIED', verifiedBy: 'LOCAL_MAILBOX' });
  });

  it('leaves alone those that DNS has verified, and the one of the demo project', async () => {
    const proven = await verifiedDomain(local.services, project.id, 'proven.example');
    const demo = await verifiedDomain(local.services, project.id, 'mail.demo.example');
    await db().domain.update({ where: { id: demo }, data: { verifiedBy: null } });
    await settleLocalDomains(real);
    expect(await find(proven)).toMatchObject({ status: 'VERIFIED', verifiedBy: 'DNS' });
    expect(await find(demo)).toMatchObject({ status: 'VERIFIED', verifiedBy: null });
  });
});
