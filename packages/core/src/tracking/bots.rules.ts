import { isbot } from 'isbot';

/** Words that give a prefetcher, scanner or crawler away whatever its name is (behaviour B1.5). */
const words = /bot|crawler|spider|preview|scanner|monitoring/i;

/** Whether a request was made by a machine and not by a reader; one that does not say who it is counts as one. */
export function isBot(userAgent: string | null | undefined): boolean {
  const name = userAgent?.trim() ?? '';
  return name === '' || words.test(name) || isbot(name);
}
