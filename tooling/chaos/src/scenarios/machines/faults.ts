import { setTimeout as sleep } from 'node:timers/promises';
import { countUncertain, isHolding, sendingProcesses } from '@postrider/harness/campaign.store';
import type { ChaosStack } from '@postrider/harness/chaos-stack';
import type { Random } from '@postrider/harness/random';
import { signal } from '@postrider/local/processes';
import type { Fleet } from './fleet.ts';

export const machineFaults = [
  'kill -9 of a delivery process',
  'kill -9 of a machine',
  'SIGSTOP and SIGCONT',
] as const;

export type MachineFault = (typeof machineFaults)[number];

export interface Suffered {
  fault: MachineFault;
  /** emails that became UNCERTAIN and stayed so */
  uncertain: number;
}

/** More than twice the lease of `machines`: the others take over what the stopped process holds. */
const twiceTheLeaseMs = 6_500;
const takeoverPatienceMs = 40_000;
/** A process that continues sends what it had read, and its answers correct the ledger. */
const correctionPatienceMs = 10_000;

/** Strikes one delivery process that holds email, and waits until the ledger has dealt with it. */
export async function strikeMachine(
  { db }: ChaosStack,
  fleet: Fleet,
  fault: MachineFault,
  random: Random,
  stopMs = twiceTheLeaseMs,
): Promise<Suffered> {
  const before = await countUncertain(db);
  const pid = await untilHolder(db, random);
  if (fault === 'SIGSTOP and SIGCONT') {
    signal(pid, 'SIGSTOP');
    await sleep(stopMs);
    signal(pid, 'SIGCONT');
    await until(async () => (await countUncertain(db)) <= before, correctionPatienceMs);
  } else {
    if (fault === 'kill -9 of a machine') await (await fleet.ownerOf(pid))?.kill();
    else signal(pid, 'SIGKILL');
    const isFree = await until(async () => !(await isHolding(db, pid)), takeoverPatienceMs);
    if (!isFree)
      throw new Error(
        `After ${takeoverPatienceMs / 1_000} s, email is still assigned to the killed process ${pid}.`,
      );
  }
  return { fault, uncertain: (await countUncertain(db)) - before };
}

async function untilHolder(db: ChaosStack['db'], random: Random): Promise<number> {
  const deadline = Date.now() + takeoverPatienceMs;
  while (Date.now() < deadline) {
    const pid = random.shuffle(await sendingProcesses(db)).at(0);
    if (pid !== undefined) return pid;
    await sleep(20);
  }
  throw new Error(`No delivery process has sent email for ${takeoverPatienceMs / 1_000} s.`);
}

async function until(condition: () => Promise<boolean>, patienceMs: number): Promise<boolean> {
  const deadline = Date.now() + patienceMs;
  while (!(await condition())) {
    if (Date.now() > deadline) return false;
    await sleep(50);
  }
  return true;
}
