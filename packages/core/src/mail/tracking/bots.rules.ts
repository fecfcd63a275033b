import { createIsbotFromList, isbot, list } from 'isbot';
import { mailProxies } from './client-names.rules.ts';

/** Words that give a prefetcher, scanner or crawler away whatever its name is (behaviour B1.5). */
const words = /bot|crawler|spider|preview|scanner|monitoring/i;

/**
 * Gateways that follow the links of email before they deliver it, in the words by which they tell their names within a text that is otherwise
 * one of a browser. Names that browsers of people have too, such as those of antivirus programs, are not among them.
 */
const gateways =
  /barracuda|proofpoint|urldefense|mimecast|messagelabs|symantec|tmcas|fireeye|forcepoint|websense|ironport|fortiguard|fortimail|fortisandbox|avanan|vadesecure|greathorn|perception-?point|cloudmark|paloalto|mailmarshal|trustwave|hornetsecurity|spamtitan|mailguard|retarus|ironscales|abnormal-?security|safe ?links|safe ?browsing|urlscan|virustotal|phishtank|link ?check|link ?scan|url ?scan|anti-?spam/i;

/** Programs of Office request a link before they have the browser open it. When they show an email, they say the same of themselves. */
const officeMark = /ms-office|microsoft office/i;

/** What browsers and mail programs say of a request that nobody has asked for yet. */
const prefetchWords = /prefetch|prerender|preview/i;

/** Whether a click is the test of a link by a program of Office (behaviour B1.5). */
export const testsLinks = (userAgent: string | null | undefined): boolean =>
  officeMark.test((userAgent ?? '').slice(0, 512));

/** Whether a request says by one of these headers that it is a prefetch: `Sec-Purpose`, `Purpose`, `X-Purpose`, `X-Moz`. */
export const isPrefetch = (values: readonly (string | undefined)[]): boolean =>
  values.some((value) => value !== undefined && prefetchWords.test(value.slice(0, 512)));

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
  if (text === '' || words.test(text) || gateways.test(text)) return true;
  if (mailProxies.some((proxy) => proxy.userAgent.test(text))) return false;
  // A text that begins as those of browsers do is taken for a browser unless it names a machine. Libraries are also recognized by their form.
  return text.startsWith('Mozilla/') ? namesMachine(text) : isbot(text);
}
