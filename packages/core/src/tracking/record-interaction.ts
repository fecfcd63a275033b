import { retryConflicts } from '../db/index.ts';
import type { Services } from '../kernel/index.ts';
import { isBot } from './bots.rules.ts';
import { addToCampaign, storeBotInteraction, storeInteraction } from './interactions.store.ts';

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
  const delta = await retryConflicts(() => storeInteraction(database.pool, interaction));
  if (!delta?.campaignId) return;
  const { campaignId, ...change } = delta;
  if (Object.values(change).every((by) => by === 0)) return;
  await addToCampaign(database.asyncCommit, campaignId, change);
}
