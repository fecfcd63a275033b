import { buildVariables } from '../../content/templates/language/index.ts';
import type {
  LinkBuilder,
  LinkOwner,
  MessageContent,
  MessageRecipient,
  OwnerLinks,
} from './message-content.ts';

const api = 'https://api.example.net';

/** Readable links, so that tests can state where each one occurs. */
export const testLinks: LinkBuilder = {
  linksFor: (owners) => owners.map(linksOf),
  oneClickUrl: (preferences) => `${api}/u/${preferences}`,
  openPixelUrl: (open) => `${api}/t/o/${open}.gif`,
  clickUrl: (click, linkId) => `${api}/t/c/${click}-${linkId}`,
  renderedClickUrl: (emailId, url) => `${api}/t/c/${emailId}-${encodeURIComponent(url.toWellFormed())}`,
  isPublicLink: (url) => url.startsWith(`${api}/u/`),
};

const noEmail = '00000000-0000-7000-8000-000000000000';

function linksOf({ contactId, emailId }: LinkOwner): OwnerLinks {
  const email = emailId ?? noEmail;
  const preferences = `${contactId ?? 'contact-0'}.${email.slice(-4)}`;
  const base = `${api}/u/${preferences}`;
  return {
    preferences,
    open: email,
    click: email,
    unsubscribeUrl: `${base}/unsubscribe`,
    subscribeUrl: `${base}/subscribe`,
    manageUrl: `${base}/manage`,
  };
}

export function makeContent(more: Partial<MessageContent> = {}): MessageContent {
  return {
    subject: 'Hello',
    preheader: null,
    body: '<p>Hello</p>',
    text: null,
    type: 'TRANSACTIONAL',
    sourceType: 'TRANSACTIONAL',
    from: 'news@shop.example',
    fromName: null,
    replyTo: null,
    headers: {},
    attachments: [],
    projectId: '01900000-0000-7000-8000-00000000000a',
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
    proof: 'abcdefghij',
    to,
    toName: null,
    locale: null,
    vars: buildVariables({
      contact: { id: owner.contactId ?? '', email: to, subscribed: true, data },
      project: { language: 'en' },
      urls: linksOf(owner),
    }),
    ...owner,
  };
}
