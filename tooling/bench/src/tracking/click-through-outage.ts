import { setTimeout as sleep } from 'node:timers/promises';
import { createHttpPool } from '@postrider/harness/http-pool';
import { startPaced } from '@postrider/harness/paced';
import { percentile } from '@postrider/harness/statistics';
import type { BenchStack } from '../harness/bench-stack.ts';
import { clickPaths, reader } from './tracked-links.ts';
import { countClicks } from './tracking.store.ts';

const clicksPerSecond = 180;
const outageMs = 10_000;
/** before and after the outage */
const aroundMs = 3_000;
const writtenWithinMs = 60_000;

export interface OutageFigures {
  redirected: number;
  /** clicks that were answered with an error; these readers try again */
  refused: number;
  recorded: number;
  /** p99 of the redirects while the database was stopped, in milliseconds */
  p99: number;
}

/**
 * Follows links at a constant rate while PostgreSQL is stopped for 10 s, each once. Two thirds of the clicks are in emails that were
 * visited before, which the process knows; the others are in emails that it has to look up.
 */
export async function clickThroughOutage(
  { stack, db, postgres }: BenchStack,
  emailIds: readonly string[],
): Promise<OutageFigures> {
  const { visited, paths } = plan(stack.env.APP_SECRET ?? '', emailIds);
  const pool = createHttpPool(stack.urls.api.replace('localhost', '127.0.0.1'), null, reader);
  const counts = { redirected: 0, refused: 0 };
  const during: number[] = [];
  let isDown = false;
  const follow = async (path: string): Promise<void> => {
    const wasDown = isDown;
    const { status, ms } = await pool.get(path);
    if (status === 302 && wasDown) during.push(ms);
    counts[status === 302 ? 'redirected' : 'refused'] += 1;
  };
  try {
    for (const path of visited) await follow(path);
    const clicks = startPaced(clicksPerSecond, async (index) => {
      const path = paths[index];
      if (path !== undefined) await follow(path);
    });
    await sleep(aroundMs);
    isDown = true;
    await postgres.stop();
    await sleep(outageMs);
    await postgres.start();
    isDown = false;
    await sleep(aroundMs);
    await clicks.stop();
  } finally {
    pool.close();
  }
  const recorded = await untilRecorded(() => countClicks(db, emailIds), counts.redirected);
  return { ...counts, recorded, p99: percentile(during, 99) };
}

/**
 * One link of half of the emails, and then, in turn, a second one, the third of another email, and one of the rest: readers who follow three links
 * of one within two seconds count as machines (behaviour B1.5).
 */
function plan(appSecret: string, emailIds: readonly string[]): { visited: string[]; paths: string[] } {
  const half = emailIds.length / 2;
  const known = clickPaths(appSecret, emailIds.slice(0, half));
  const unknown = clickPaths(appSecret, emailIds.slice(half)).slice(0, half);
  const [visited, second, third] = [0, 1, 2].map((linkId) => known.slice(linkId * half, (linkId + 1) * half));
  const away = Math.floor(half / 2);
  const paths = unknown.flatMap((path, index) => [
    second?.[index] ?? '',
    third?.[(index + away) % half] ?? '',
    path,
  ]);
  return { visited: visited ?? [], paths };
}

/** The last count, as soon as it is the wanted one; a lower one after a minute. */
async function untilRecorded(count: () => Promise<number>, wanted: number): Promise<number> {
  const until = Date.now() + writtenWithinMs;
  for (;;) {
    const found = await count();
    if (found >= wanted || Date.now() > until) return found;
    await sleep(200);
  }
}
