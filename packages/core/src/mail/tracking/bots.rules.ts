import { createIsbotFromList, isbot, list } from 'isbot';
import { mailProxies } from './client-names.rules.ts';

/** Words that give a prefetcher, scanner or crawler away whatever its name is (behaviour B1.5). */
const words = /bot|crawler|spider|preview|scanner|monitoring/i;

/** Short texts that browsers and mail programs send. A pattern that matches one of them looks for a form, not for the name of a machine. */
const nameless = ['Mozilla/5.0', 'Mozilla/5.0 (Macintosh)', 'Mozilla/5.0 Reader'];
const namesMachine = createIsbotFromList(
  list.filter((pattern) => !nameless.some((text) => new RegExp(pattern, 'i').test(text))),
);

/**
 * Whether a request was made by a machine and not by a reader. A request without a User-Agent counts as one of a machine. Proxies of
 * mail services load images for people, so they are not crawlers although the list has them (decision 032).
 */
export function isBot(userAgent: string | null | undefined): boolean {
  const text = userAgent?.trim() ?? '';
  if (text === '' || words.test(text)) return true;
  if (mailProxies.some((proxy) => proxy.userAgent.test(text))) return false;
  // A text that begins as those of browsers do is taken for a browser unless it names a machine. Libraries are also recognized by their form.
  return text.startsWith('Mozilla/') ? namesMachine(text) : isbot(text);
}
