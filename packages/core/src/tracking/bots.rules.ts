import { createIsbotFromList, isbot, list } from 'isbot';

/** Words that give a prefetcher, scanner or crawler away whatever its name is (behaviour B1.5). */
const words = /bot|crawler|spider|preview|scanner|monitoring/i;

/** Short texts of browsers and mail programs. The patterns of the list that match them judge a form, not a name. */
const nameless = ['Mozilla/5.0', 'Mozilla/5.0 (Macintosh)', 'Mozilla/5.0 Reader'];
const namesMachine = createIsbotFromList(
  list.filter((pattern) => !nameless.some((text) => new RegExp(pattern, 'i').test(text))),
);

/** Whether a request was made by a machine and not by a reader; one that does not say who it is counts as one. */
export function isBot(userAgent: string | null | undefined): boolean {
  const text = userAgent?.trim() ?? '';
  // What browsers begin with counts as one unless it names a machine; the programs of libraries are known by their form, too.
  const isMachine = text.startsWith('Mozilla/') ? namesMachine : isbot;
  return text === '' || words.test(text) || isMachine(text);
}
