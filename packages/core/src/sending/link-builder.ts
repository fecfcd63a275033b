import type { Secrets } from '../kernel/secrets.ts';
import { encodeLink } from './links.ts';
import type { LinkBuilder, LinkOwner } from './message/index.ts';

export interface ContactUrls {
  unsubscribeUrl: string;
  subscribeUrl: string;
  manageUrl: string;
}

/** The public URLs in emails (B1.5, B1.6), each with a signed token. */
export function createLinkBuilder(
  apiUrl: string,
  secrets: Secrets,
): LinkBuilder & { urlsOf(owner: LinkOwner): ContactUrls } {
  const publicPrefix = `${apiUrl}/u/`;
  // One email needs the same token several times in a row, and signing it is most of the cost of composing.
  let last = { contactId: '' as string | null, emailId: '' as string | null, url: '' };
  const preferences = ({ contactId, emailId }: LinkOwner): string => {
    if (last.contactId !== contactId || last.emailId !== emailId) {
      const url = publicPrefix + encodeLink(secrets, { kind: 'preferences', contactId, emailId });
      last = { contactId, emailId, url };
    }
    return last.url;
  };
  return {
    urlsOf(owner) {
      const base = preferences(owner);
      return {
        unsubscribeUrl: `${base}/unsubscribe`,
        subscribeUrl: `${base}/subscribe`,
        manageUrl: `${base}/manage`,
      };
    },
    isPublicLink: (url) => url.startsWith(publicPrefix),
    oneClickUrl: preferences,
    unsubscribeUrl: (owner) => `${preferences(owner)}/unsubscribe`,
    subscribeUrl: (owner) => `${preferences(owner)}/subscribe`,
    manageUrl: (owner) => `${preferences(owner)}/manage`,
    openPixelUrl: (emailId) => `${apiUrl}/t/o/${encodeLink(secrets, { kind: 'open', emailId })}.gif`,
    clickUrl: (emailId, target) => `${apiUrl}/t/c/${encodeLink(secrets, { kind: 'click', emailId, target })}`,
  };
}
