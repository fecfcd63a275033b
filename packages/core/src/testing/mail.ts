import type { Services } from '../base/kernel/index.ts';
import { newId } from '../base/lib/index.ts';
import { priorities } from '../mail/ledger/ledger.rules.ts';
import { verifiedDomain } from './verified-domain.ts';

export interface WaitingEmail {
  id: string;
  batchId: string;
  contactId: string;
  to: string;
}

export interface WaitingMailOptions {
  count: number;
  campaignId?: string | null;
  type?: 'TRANSACTIONAL' | 'MARKETING';
  /** by default the project's domain `mail.test`; null for the sandbox sender */
  domainId?: string | null;
  body?: string;
  /** emails per delivery batch; by default 500 of a campaign, and one each otherwise, as by as many requests */
  batchSize?: number;
}

/** Pending emails in a project's outbox, written as rows for tests of the ledger. */
export async function waitingMail(
  services: Services,
  projectId: string,
  {
    count,
    campaignId = null,
    type = 'TRANSACTIONAL',
    domainId,
    body = '<p>Hello</p>',
    batchSize = campaignId ? 500 : 1,
  }: WaitingMailOptions,
): Promise<WaitingEmail[]> {
  const { prisma } = services.database;
  const signedBy = domainId === undefined ? await senderDomain(services, projectId) : domainId;
  const contentId = newId();
  const sourceType = campaignId ? 'CAMPAIGN' : 'TRANSACTIONAL';
  await prisma.content.create({
    data: {
      id: contentId,
      projectId,
      hash: Uint8Array.from(Buffer.from(contentId)),
      type,
      sourceType,
      subject: 'Hello',
      body,
      from: 'sender@mail.test',
      projectName: 'Test project',
    },
  });
  let batchId = newId();
  const emails = Array.from({ length: count }, (_, index) => {
    const id = newId();
    if (index % batchSize === 0) batchId = newId();
    return { id, batchId, contactId: newId(), to: `${id}@people.test` };
  });
  await prisma.contact.createMany({
    data: emails.map(({ contactId, to }) => ({ id: contactId, projectId, email: to, subscribed: true })),
  });
  await prisma.email.createMany({
    data: emails.map(({ id, batchId, contactId, to }) => ({
      id,
      batchId,
      projectId,
      contactId,
      to,
      type,
      sourceType,
      contentId,
      campaignId,
    })),
  });
  await prisma.deliveryBatch.createMany({
    data: [...Map.groupBy(emails, (email) => email.batchId)].map(([id, members]) => ({
      id,
      projectId,
      priority: priorities[sourceType],
      campaignId,
      domainId: signedBy,
      emailIds: members.map((email) => email.id),
    })),
  });
  return emails;
}

async function senderDomain(services: Services, projectId: string): Promise<string> {
  const domain = 'mail.test';
  const known = await services.database.prisma.domain.findFirst({ where: { projectId, domain } });
  return known?.id ?? verifiedDomain(services, projectId, domain);
}

/** A SENDING campaign with its counters, written as rows. */
export async function sendingCampaign(services: Services, projectId: string): Promise<string> {
  const { prisma } = services.database;
  const id = newId();
  await prisma.campaign.create({
    data: {
      id,
      projectId,
      name: 'Test campaign',
      subject: 'Hello',
      body: '<p>Hello</p>',
      from: 'sender@mail.test',
      type: 'TRANSACTIONAL',
      audienceType: 'ALL',
      status: 'SENDING',
      sentAt: new Date(),
      frozenAt: new Date(),
    },
  });
  await prisma.campaignCounter.create({ data: { campaignId: id, projectId } });
  return id;
}

/** Waits until what requests for links asked for has been written. */
export async function pendingMailSent({ database: { prisma } }: Services, timeoutMs = 10_000): Promise<void> {
  const until = performance.now() + timeoutMs;
  while ((await prisma.pendingMail.count()) > 0) {
    if (performance.now() > until) throw new Error('a request for a link is still waiting');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Platform emails to an address, in the order in which they were written; `token` is that of the link, if it has one. */
export async function platformMailTo(
  services: Services,
  address: string,
): Promise<{ subject: string; body: string; token: string | null }[]> {
  await pendingMailSent(services);
  const { database, secrets } = services;
  const { prisma } = database;
  const emails = await prisma.email.findMany({
    where: { sourceType: 'SYSTEM', to: address },
    orderBy: { id: 'asc' },
    select: { contentId: true },
  });
  const contents = await prisma.content.findMany({
    where: { id: { in: emails.flatMap(({ contentId }) => contentId ?? []) } },
  });
  return emails.map(({ contentId }) => {
    const { subject, sealedBody } = contents.find(({ id }) => id === contentId) ?? {};
    const body = sealedBody ? secrets.decrypt(sealedBody, 'Content.sealedBody', contentId) : '';
    const token = /=([0-9a-f]{64})"/.exec(body)?.[1] ?? null;
    return { subject: subject ?? '', body, token };
  });
}
