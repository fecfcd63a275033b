import { retryConflicts } from '../db/index.ts';
import type { Services } from '../kernel/index.ts';
import { isBot } from './bots.rules.ts';
import { storeBotInteraction, storeInteraction } from './interactions.store.ts';

interface Interaction {
  type: 'open' | 'click';
  emailId: string;
  link: string | null;
}

interface Visitor {
  userAgent?: string | null | undefined;
  method: 'GET' | 'HEAD';
}

/** Records an open or click, counting it unless it comes from a bot or a HEAD request (behaviour B1.5). */
export async function recordInteraction(
  { database }: Services,
  interaction: Interaction,
  { userAgent, method }: Visitor,
): Promise<void> {
  if (method === 'HEAD') return;
  if (isBot(userAgent)) {
    await storeBotInteraction(database.pool, interaction);
    return;
  }
  await retryConflicts(() => storeInteraction(database.asyncCommit, interaction));
}
