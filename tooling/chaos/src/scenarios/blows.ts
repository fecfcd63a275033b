import { setTimeout as sleep } from 'node:timers/promises';
import { holdingProcesses } from '@postrider/harness/campaign.store';
import { type ChaosStack, chaosEnv } from '@postrider/harness/chaos-stack';
import { mailProcessesOf } from '@postrider/harness/process-tree';
import type { Random } from '@postrider/harness/random';
import { signal } from '@postrider/local/processes';

/** A fault injected into the running product. Resolves when the harness has undone it. */
export type Blow = (chaos: ChaosStack, random: Random) => Promise<void>;

/** Twice the lease of these runs, so that another process takes over the batches of the stopped one. */
const sleepMs = 8_000;
/** How long to wait for a process with a batch: while email is due there is one, except between two claims. */
const holderPatienceMs = 30_000;

export const blows = {
  async 'kill -9 of the api'({ stack }) {
    await stack.processes.api.kill();
  },
  async 'kill -9 of the worker with its delivery processes'({ stack }) {
    await stack.processes.worker.kill();
  },
  async 'kill -9 of one delivery process'({ stack, db }, random) {
    const pid = (await holdingProcesses(db)).at(0) ?? random.shuffle(await mailProcesses(stack)).at(0);
    if (pid !== undefined) signal(pid, 'SIGKILL');
  },
  async 'SIGSTOP of the delivering process for longer than its lease'({ db }) {
    const pid = await untilHolder(db);
    signal(pid, 'SIGSTOP');
    await sleep(sleepMs);
    signal(pid, 'SIGCONT');
  },
  async 'kill -9 and restart of PostgreSQL'({ stack }) {
    const { postgres } = stack.processes;
    if (!postgres) throw new Error('This run needs a PostgreSQL of its own.');
    await postgres.kill();
    await postgres.start();
  },
  async 'kill -9 and restart of Temporal'({ stack }) {
    const temporal = temporalOf(stack);
    await temporal.kill();
    await temporal.start();
  },
  async "wiping Temporal's store"({ stack }) {
    await temporalOf(stack).wipe();
  },
} as const satisfies Record<string, Blow>;

export type BlowName = keyof typeof blows;

function temporalOf(stack: ChaosStack['stack']) {
  const { temporal } = stack.processes;
  if (!temporal) throw new Error('This run needs a Temporal server of its own.');
  return temporal;
}

async function mailProcesses(stack: ChaosStack['stack']): Promise<number[]> {
  const { pid } = stack.processes.worker;
  return pid === undefined ? [] : mailProcessesOf(pid);
}

async function untilHolder(db: ChaosStack['db']): Promise<number> {
  const deadline = Date.now() + holderPatienceMs;
  while (Date.now() < deadline) {
    const [pid] = await holdingProcesses(db).catch(() => []);
    if (pid !== undefined) return pid;
    await sleep(20);
  }
  throw new Error(`No delivery process held anything for ${holderPatienceMs / 1_000} s.`);
}

const killedProcesses: Partial<Record<BlowName, number>> = {
  'kill -9 of the worker with its delivery processes': Number(chaosEnv.MAIL_WORKERS),
  'kill -9 of one delivery process': 1,
};

/** How many delivery processes these blows kill. Each may leave as many emails UNCERTAIN as it had connections. */
export const countKilled = (names: readonly BlowName[]): number =>
  names.reduce((sum, name) => sum + (killedProcesses[name] ?? 0), 0);
