import type { Secrets } from '../kernel/secrets.ts';
import { encodeLink } from './links.ts';
import type { LinkBuilder } from './message/index.ts';

interface LinkOwner {
  contactId: string | null;
  emailId: string | null;
}

export interface ContactUrls {
  unsubscribeUrl: string;
  subscribeUrl: string;
  manageUrl: string;
}

/** Public addresses that stand in mails (B1.5, B1.6), each with a signed token. */
export function createLinkBuilder(
  apiUrl: string,
  secrets: Secrets,
): LinkBuilder & { urlsOf(owner: LinkOwner): ContactUrls } {
  const preferences = (owner: LinkOwner): string =>
    `${apiUrl}/u/${encodeLink(secrets, { kind: 'preferences', contactId: owner.contactId, emailId: owner.emailId })}`;
  return {
    urlsOf(owner) {
      const base = preferences(owner);
      return {
        unsubscribeUrl: `${base}/unsubscribe`,
        subscribeUrl: `${base}/subscribe`,
        manageUrl: `${base}/manage`,
      };
    },
    oneClickUrl: preferences,
    unsubscribeUrl: (owner) => `${preferences(owner)}/unsubscribe`,
    subscribeUrl: (owner) => `${preferences(owner)}/subscribe`,
    manageUrl: (owner) => `${preferences(owner)}/manage`,
    openPixelUrl: (emailId) => `${apiUrl}/t/o/${encodeLink(secrets, { kind: 'open', emailId })}.gif`,
    clickUrl: (emailId, target) => `${apiUrl}/t/c/${encodeLink(secrets, { kind: 'click', emailId, target })}`,
  };
}
