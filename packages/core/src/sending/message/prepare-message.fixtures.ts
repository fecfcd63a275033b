import { buildVariables } from '../../templates/language/index.ts';
import type { LinkBuilder, LinkOwner, MessageContent, MessageRecipient } from './message-content.ts';

const api = 'https://api.example.net';

/** Readable links, so that tests can state where each one occurs. */
export const testLinks: LinkBuilder = {
  unsubscribeUrl: (owner) => `${api}/u/${tokenOf(owner)}/unsubscribe`,
  subscribeUrl: (owner) => `${api}/u/${tokenOf(owner)}/subscribe`,
  manageUrl: (owner) => `${api}/u/${tokenOf(owner)}/manage`,
  oneClickUrl: (owner) => `${api}/u/${tokenOf(owner)}`,
  openPixelUrl: (emailId) => `${api}/t/o/${emailId}.gif`,
  clickUrl: (emailId, target) =>
    `${api}/t/c/${emailId}-${'linkId' in target ? target.linkId : encodeURIComponent(target.url.toWellFormed())}`,
  isPublicLink: (url) => url.startsWith(`${api}/u/`),
};

function tokenOf(owner: LinkOwner): string {
  return `${owner.contactId ?? 'nobody'}.${owner.emailId?.slice(-4)}`;
}

export function makeContent(more: Partial<MessageContent> = {}): MessageContent {
  return {
    subject: 'Hello',
    preheader: null,
    body: '<p>Hello</p>',
    type: 'TRANSACTIONAL',
    sourceType: 'TRANSACTIONAL',
    from: 'news@shop.example',
    fromName: null,
    replyTo: null,
    headers: {},
    attachments: [],
    projectName: 'Shop',
    language: 'en',
    tracking: false,
    ...more,
  };
}

export function makeRecipient(
  data: Record<string, unknown> = {},
  more: Partial<MessageRecipient> = {},
): MessageRecipient {
  const owner = { contactId: 'contact-1', emailId: '01900000-0000-7000-8000-000000000001', ...more };
  const to = more.to ?? 'kim@example.org';
  return {
    to,
    toName: null,
    locale: null,
    vars: buildVariables({
      contact: { id: owner.contactId ?? '', email: to, subscribed: true, data },
      project: { language: 'en' },
      urls: {
        unsubscribeUrl: testLinks.unsubscribeUrl(owner),
        subscribeUrl: testLinks.subscribeUrl(owner),
        manageUrl: testLinks.manageUrl(owner),
      },
    }),
    ...owner,
  };
}
