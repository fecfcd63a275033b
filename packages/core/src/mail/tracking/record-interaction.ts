import type { Database } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { testsLinks } from './bots.rules.ts';
import { InteractionQueue } from './interaction-queue.ts';
import { type Interaction, storeInteractions } from './interactions.store.ts';
import { LimitOfRows } from './limit-of-rows.ts';
import { machineClient, mailClientOf } from './mail-client.ts';

interface Visitor {
  userAgent?: string | null | undefined;
  isPrefetch?: boolean | undefined;
  method: 'GET' | 'HEAD';
}

const megabyte = 1_048_576;
const queues = new WeakMap<Database, InteractionQueue>();

/**
 * Accepts an open or click to be recorded; it counts unless it comes from a machine, a click once it is known to be part of no burst. HEAD requests record nothing (behaviour B1.5).
 * Resolves as soon as it is queued, in general at once.
 */
export async function recordInteraction(
  services: Services,
  interaction: Pick<Interaction, 'type' | 'emailId' | 'link'>,
  { userAgent, isPrefetch = false, method }: Visitor,
): Promise<void> {
  if (method === 'HEAD') return;
  const isTest = isPrefetch || (interaction.type === 'click' && testsLinks(userAgent));
  const { bot, client, device } = isTest ? machineClient : mailClientOf(userAgent);
  await queueOf(services).add({
    id: newId(),
    type: interaction.type,
    emailId: interaction.emailId,
    link: interaction.link,
    bot,
    client,
    device,
    receivedAt: performance.now(),
    times: 1,
  });
}

/** Resolves when all accepted opens and clicks are stored; while the database is away it waits. */
export const interactionsStored = (services: Services): Promise<void> => queueOf(services).settled();

/** How many opens and clicks were accepted and are not stored yet. */
export const countUnstoredInteractions = (services: Services): number => queueOf(services).length;

function queueOf(services: Services): InteractionQueue {
  const { database, log } = services;
  const existing = queues.get(database);
  if (existing) return existing;
  const limit = new LimitOfRows();
  const queue = new InteractionQueue({
    alike: (interaction) => limit.alike(interaction),
    most: { count: 200_000, bytes: 64 * megabyte },
    groupSize: 500,
    patience: { ms: 15_000, requests: 5_000 },
    longestPauseMs: 1_000,
    async store(group, options) {
      const { busy, projects } = await storeInteractions(database.grouped, group, options);
      for (const projectId of projects) services.scheduleFollowUps(projectId);
      return busy;
    },
    refused: (error, interaction) =>
      log.error({ err: error, interaction }, 'the database refuses an interaction'),
  });
  queues.set(database, queue);
  return queue;
}
