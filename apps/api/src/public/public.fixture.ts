import { encodeLink } from '@postrider/core/mail/message';
import { sendingCampaign, waitingMail } from '@postrider/core/testing';
import type { TestApp } from '../../test/harness.ts';

/** A user agent of a person. */
export const reader = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.2.0',
};

export interface Mail {
  emailId: string;
  contactId: string;
  to: string;
  campaignId: string;
  /** path of the contact's pages */
  pages: string;
  openPath: string;
  clickPath(url: string): string;
}

/** A campaign email that was sent to a new contact, with the paths of its links. */
export async function sentMail(test: TestApp, body?: string): Promise<Mail> {
  const [mail] = await sentMails(test, 1, body);
  if (!mail) throw new Error('no email was made');
  return mail;
}

/** The same for as many contacts of one campaign. */
export async function sentMails(
  { services, project }: TestApp,
  count: number,
  body = '<p>Hello</p>',
): Promise<Mail[]> {
  const { prisma } = services.database;
  const campaignId = await sendingCampaign(services, project.id);
  const rows = await waitingMail(services, project.id, { count, campaignId, body });
  await prisma.deliveryBatch.deleteMany({ where: { campaignId } });
  await prisma.email.updateMany({
    where: { campaignId },
    data: { status: 'SENT', sentAt: new Date(), tracked: true, batchId: null },
  });
  const { secrets } = services;
  return rows.map(({ id: emailId, contactId, to }) => ({
    emailId,
    contactId,
    to,
    campaignId,
    pages: `/u/${encodeLink(secrets, { kind: 'preferences', contactId, emailId })}`,
    openPath: `/t/o/${encodeLink(secrets, { kind: 'open', emailId })}.gif`,
    clickPath: (url) => `/t/c/${encodeLink(secrets, { kind: 'click', emailId, target: { url } })}`,
  }));
}

/** The same text with its middle character changed. */
export function changedByOne(text: string): string {
  const at = Math.floor(text.length / 2);
  return text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
}
