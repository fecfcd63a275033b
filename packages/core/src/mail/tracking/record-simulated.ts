import type { Services } from '../../base/kernel/index.ts';
import { storeInteractions } from './interactions.store.ts';
import { mailClientOf } from './mail-client.ts';
import { resolveClick } from './record-click.ts';

/** A mail program on a computer. */
const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Thunderbird/140.0';

/**
 * Stores an open or a click of the simulator, once for each id, however often it is called.
 *
 * @param token of a click: that of the link
 * @returns false while another transaction has locked the email: to be called again
 */
export async function recordSimulated(
  services: Services,
  { id, type, emailId, token }: { id: string; type: 'open' | 'click'; emailId: string; token: string | null },
): Promise<boolean> {
  const link = token === null ? null : await resolveClick(services, token);
  if (type === 'click' && link === null) return true;
  const interaction = { id, type, emailId, link, ...mailClientOf(userAgent) };
  const { busy, projects } = await storeInteractions(
    services.database.grouped,
    [{ ...interaction, receivedAt: performance.now(), times: 1 }],
    { isRepeat: true },
  );
  for (const projectId of projects) services.scheduleFollowUps(projectId);
  return busy.length === 0;
}
