import { createIsbotFromList, isbot, list } from 'isbot';
import { mailProxies } from './client-names.rules.ts';

/** Words that give a prefetcher, scanner or crawler away whatever its name is (behaviour B1.5). */
const words = /bot|crawler|spider|preview|scanner|monitoring/i;

/** Short texts of browsers and mail programs. The patterns of the list that match them judge a form, not a name. */
const nameless = ['Mozilla/5.0', 'Mozilla/5.0 (Macintosh)', 'Mozilla/5.0 Reader'];
const namesMachine = createIsbotFromList(
  list.filter((pattern) => !nameless.some((text) => new RegExp(pattern, 'i').test(text))),
);

/**
 * Whether a request was made by a machine and not by a reader; one that does not say who it is counts as one. Proxies of mail services
 * load images for people, and are no crawlers although the list has them (decision 032).
 */
export function isBot(userAgent: string | null | undefined): boolean {
  const text = userAgent?.trim() ?? '';
  if (text === '' || words.test(text)) return true;
  if (mailProxies.some((proxy) => proxy.userAgent.test(text))) return false;
  // What browsers begin with counts as one unless it names a machine; the programs of libraries are known by their form, too.
  return text.startsWith('Mozilla/') ? namesMachine(text) : isbot(text);
}
