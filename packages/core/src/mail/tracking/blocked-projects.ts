import { setTimeout as delay } from 'node:timers/promises';
import { type Database, databaseIsAway } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import { type BlockedProject, findBlockedProjects } from './links.store.ts';

/** How old the list may be, and how long a click waits for a newer one, in milliseconds. */
const validMs = 2_000;
const patienceMs = 500;

interface Blocked {
  projects: Map<string, BlockedProject>;
  /** of the last attempt to read the list, as `performance.now()` */
  readAt: number;
  reading: Promise<void> | null;
}

const byDatabase = new WeakMap<Database, Blocked>();

/**
 * How a project's links are blocked; null if they are not. Based on a list of at most 2 seconds ago, or on the last one that is known
 * while the database is away.
 */
export async function findBlocked({ database }: Services, projectId: string): Promise<BlockedProject | null> {
  const blocked = byDatabase.get(database) ?? {
    projects: new Map<string, BlockedProject>(),
    readAt: Number.NEGATIVE_INFINITY,
    reading: null,
  };
  byDatabase.set(database, blocked);
  if (performance.now() - blocked.readAt > validMs) {
    blocked.reading ??= read(database, blocked);
    await Promise.race([blocked.reading, delay(patienceMs, undefined, { ref: false })]);
  }
  return blocked.projects.get(projectId) ?? null;
}

async function read({ durable }: Database, blocked: Blocked): Promise<void> {
  try {
    const present = await findBlockedProjects(durable);
    // A deleted project is not in the list any more once its rows are removed, while its emails may be in caches for longer.
    for (const [id, known] of blocked.projects) if (known.deleted && !present.has(id)) present.set(id, known);
    blocked.projects = present;
  } catch (error) {
    // A redirect does not fail because the database is away.
    if (!databaseIsAway(error)) throw error;
  } finally {
    blocked.readAt = performance.now();
    blocked.reading = null;
  }
}
