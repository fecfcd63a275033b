/** Runs one attack, in a process of its own: its requests are large, and what measures the neighbour must not wait for them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { answerParent } from '@postrider/harness/answering-process';
import { type AttackerAccess, attackerWith } from './attacker.ts';
import { type Attack, attacks } from './attacks.ts';

/** `begin` is answered when the attack is prepared, `end` with how often it was started, after its open requests. */
export type AttackOrder = { begin: { index: number; access: AttackerAccess } } | 'end';

const over = new AbortController();
let lanes: Promise<number>[] = [];

answerParent(async (order: AttackOrder) => {
  if (order !== 'end') return begin(order.begin.index, order.begin.access);
  over.abort();
  return (await Promise.all(lanes)).reduce((sum, count) => sum + count, 0);
});

async function begin(index: number, access: AttackerAccess): Promise<void> {
  const attack = attacks[index];
  if (!attack) throw new Error(`There is no attack ${index}.`);
  const round = await attack.prepare(attackerWith(access));
  lanes = Array.from({ length: attack.lanes }, () => repeat(round, attack));
}

/** @returns how often the attack was started */
async function repeat(round: () => Promise<unknown>, { pauseMs }: Pick<Attack, 'pauseMs'>): Promise<number> {
  for (let count = 0; ; count += 1) {
    if (over.signal.aborted) return count;
    await round();
    await sleep(pauseMs, undefined, { signal: over.signal }).catch(() => undefined);
  }
}
