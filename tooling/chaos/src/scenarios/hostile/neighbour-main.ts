/** What the neighbour does and feels, in a process of its own: what measures must not wait for the attack. */
import { setTimeout as sleep } from 'node:timers/promises';
import { answerParent } from '@postrider/harness/answering-process';
import { createHttpPool } from '@postrider/harness/http-pool';
import { startPaced } from '@postrider/harness/paced';
import { emailIdsOf } from '@postrider/harness/wake-latency';
import { importFile } from './import-file.ts';

export interface NeighbourAccess {
  api: string;
  secretKey: string;
  from: string;
}

/** In milliseconds, one value per request. */
export interface Felt {
  healthMs: number[];
  sendMs: number[];
  importMs: number[];
  /** when each send was answered, in milliseconds since the epoch, by the id of the email */
  answeredAt: Map<string, number>;
  failures: string[];
}

export type NeighbourOrder = { begin: NeighbourAccess } | 'end';

const sendsPerSecond = 20;
const probesPerSecond = 10;
const importPauseMs = 500;
/** As long as an attacker waits: how slow answers may be is judged by their times. */
const patienceMs = 60_000;

let end: () => Promise<Felt> = () => Promise.reject(new Error('The neighbour has not begun.'));

answerParent(async (order: NeighbourOrder) => {
  if (order === 'end') return end();
  end = begin(order.begin);
  return null;
});

function begin({ api, secretKey, from }: NeighbourAccess): () => Promise<Felt> {
  const felt: Felt = { healthMs: [], sendMs: [], importMs: [], answeredAt: new Map(), failures: [] };
  const pool = createHttpPool(api, `Bearer ${secretKey}`, {}, patienceMs);
  const failed = (what: string, why: unknown): void => void felt.failures.push(`${what}: ${String(why)}`);
  const sending = startPaced(sendsPerSecond, async (index) => {
    const email = { to: `buyer${index}@people.test`, from, subject: 'Receipt', body: '<p>Thank you</p>' };
    const answer = await pool.post('/v1/send', JSON.stringify(email)).catch(String);
    if (typeof answer === 'string') return failed('/v1/send', answer);
    felt.sendMs.push(answer.ms);
    if (answer.status !== 200) return failed('/v1/send', `${answer.status} ${answer.body.slice(0, 200)}`);
    for (const id of emailIdsOf(answer.body)) felt.answeredAt.set(id, answer.at);
  });
  const probing = startPaced(probesPerSecond, async () => {
    const answer = await pool.get('/health/live').catch(String);
    if (typeof answer === 'string') return failed('/health/live', answer);
    felt.healthMs.push(answer.ms);
    if (answer.status !== 200) failed('/health/live', answer.status);
  });
  const over = new AbortController();
  const importing = (async () => {
    for (let index = 0; !over.signal.aborted; index += 1) {
      const { state, status, ms } = await importFile(api, secretKey, `email\nmember${index}@people.test\n`);
      felt.importMs.push(ms);
      if (state !== 'completed') failed('an import of one row', `${status} ${state}`);
      await sleep(importPauseMs, undefined, { signal: over.signal }).catch(() => undefined);
    }
  })();
  return async () => {
    over.abort();
    await Promise.all([sending.stop(), probing.stop(), importing]);
    pool.close();
    return felt;
  };
}
