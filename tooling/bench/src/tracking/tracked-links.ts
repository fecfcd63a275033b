import { createSecrets } from '@postrider/core/base/kernel';
import { encodeLink } from '@postrider/core/mail/message';

/** Links of the newsletter's body. */
export const linksPerEmail = 3;

/** A person's browser: requests without a name of one would count as a crawler's. */
export const reader = {
  'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
};

/** The paths of all links of these emails, so that following all of them visits every email before one is visited again. */
export function clickPaths(appSecret: string, emailIds: readonly string[]): string[] {
  const secrets = createSecrets(appSecret);
  return Array.from({ length: linksPerEmail }, (_, linkId) =>
    emailIds.map((emailId) => `/t/c/${encodeLink(secrets, { kind: 'click', emailId, target: { linkId } })}`),
  ).flat();
}

/** The path of one link of each email: readers who follow several links of one within two seconds count as machines (behaviour B1.5). */
export const onePathEach = (appSecret: string, emailIds: readonly string[]): string[] =>
  clickPaths(appSecret, emailIds).slice(0, emailIds.length);
