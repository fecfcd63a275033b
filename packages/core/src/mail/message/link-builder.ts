import type { Secrets } from '../../base/kernel/secrets.ts';
import { clickToken, encodeConfirmLink, encodeLink, tokensOf } from './links.ts';
import type { ContactUrls, LinkBuilder, LinkOwner } from './message-content.ts';

/** The public URLs in emails (B1.5, B1.6), each with a token. */
export function createLinkBuilder(
  linksUrl: string,
  secrets: Secrets,
): LinkBuilder & { urlsOf(owner: LinkOwner): ContactUrls } {
  const publicPrefix = `${linksUrl}/u/`;
  const pixelPrefix = `${linksUrl}/t/o/`;
  const clickPrefix = `${linksUrl}/t/c/`;
  const urlsOf = (preferences: string): ContactUrls => {
    const base = publicPrefix + preferences;
    return {
      unsubscribeUrl: `${base}/unsubscribe`,
      subscribeUrl: `${base}/subscribe`,
      manageUrl: `${base}/manage`,
    };
  };
  return {
    linksFor: (owners) =>
      tokensOf(secrets, owners).map((tokens) => ({ ...tokens, ...urlsOf(tokens.preferences) })),
    urlsOf: ({ contactId, emailId }) =>
      urlsOf(encodeLink(secrets, { kind: 'preferences', contactId, emailId })),
    isPublicLink: (url) => url.startsWith(publicPrefix),
    oneClickUrl: (preferences) => publicPrefix + preferences,
    openPixelUrl: (open) => `${pixelPrefix}${open}.gif`,
    clickUrl: (click, linkId) => clickPrefix + clickToken(secrets, click, linkId),
    renderedClickUrl: (emailId, url) =>
      clickPrefix + encodeLink(secrets, { kind: 'click', emailId, target: { url } }),
  };
}

/** The link that confirms a subscription request, whose id is that of the email that asks for it. */
export const confirmUrlOf = (
  { linksUrl, secrets }: { linksUrl: string; secrets: Secrets },
  requestId: string,
): string => `${linksUrl}/s/${encodeConfirmLink(secrets, requestId)}`;
