import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchStack } from '../harness/bench-stack.ts';
import { cpuSeconds } from '../harness/cpu-time.ts';
import { type Idle, idleOf, type Measured, type Processor } from './capacity.rules.ts';
import { hasEntries, isAtWork, tableBytes, tidy, vacuum, walPosition } from './capacity.store.ts';

/** What a phase took. */
export interface Spent extends Measured {
  /** seconds from its beginning until all was asked for, and until nothing was left to do; `seconds` also has the time until figures were added up */
  driving: number;
  working: number;
  /** growth by table, the largest first; as `bytes`, of the warm-up as well */
  grown: (readonly [table: string, bytes: number])[];
}

export interface MeasuredBesides {
  /** The same for a moment, which is not measured: vacuum has statements planned anew, and the first change of a page after a checkpoint writes all of it. */
  warm?(): Promise<void>;
  /** Whether it was done, besides what the queues say. */
  isDone?(): Promise<boolean>;
}

const pollMs = 100;
/** Schedules run at the beginning of each minute; so many seconds later they have ended. */
const settledAfter = 6;
/** Before the next ones. */
const quietUntil = 58;
/** Clicks take effect when it is known that they are part of no burst (behaviour B1.5). */
const judgedAfterMs = 3_000;
const longestMs = 20 * 60_000;

/** Measures phases of a stack. Processes that come and go count: what a process leaves behind is added to its parent (proc(5), cutime). */
export class Meter {
  readonly #stack: BenchStack;

  constructor(stack: BenchStack) {
    this.#stack = stack;
  }

  /** Waits until nothing is left to do, and has what was entered for figures added up, which the product does every minute. */
  async settle(isDone: () => Promise<boolean> = async () => true): Promise<number> {
    const { db, temporal } = this.#stack;
    await until(async () => !(await isAtWork(db)) && (await isDone()));
    const workingUntil = performance.now();
    await sleep(judgedAfterMs);
    await until(async () => !(await isAtWork(db)));
    await temporal.runSchedule('fold-figures');
    await until(async () => !(await hasEntries(db)));
    return workingUntil;
  }

  /** @param work resolves when all of it was asked for */
  async measure(work: () => Promise<void>, { warm, isDone }: MeasuredBesides = {}): Promise<Spent> {
    const { db } = this.#stack;
    await tidy(db);
    const tables = await tableBytes(db);
    if (warm) {
      await warm();
      await this.settle(isDone);
    }
    let [driving, working] = [0, 0];
    const taken = await this.#during(async () => {
      const begun = performance.now();
      await work();
      driving = (performance.now() - begun) / 1_000;
      working = ((await this.settle(isDone)) - begun) / 1_000;
    });
    await vacuum(db);
    const grown = [...(await tableBytes(db))]
      .map(([name, bytes]) => [name, bytes - (tables.get(name) ?? 0)] as const)
      .filter(([, bytes]) => bytes !== 0)
      .sort(([, one], [, other]) => other - one);
    return { ...taken, driving, working, bytes: grown.reduce((sum, [, bytes]) => sum + bytes, 0), grown };
  }

  /** What the stack takes without work, in a little more than a minute. */
  async measureIdle(): Promise<Idle> {
    await tidy(this.#stack.db);
    await this.settle();
    await untilSecond(settledAfter);
    const between = await this.#during(() => sleep((quietUntil - settledAfter) * 1_000));
    const across = await this.#during(() => untilSecond(settledAfter, true));
    return idleOf({ ...between, bytes: 0 }, { ...across, bytes: 0 });
  }

  /** Begins and ends at a time at which the work of each minute's beginning is not under way. */
  async #during(work: () => Promise<void>): Promise<Omit<Measured, 'bytes'>> {
    const { db } = this.#stack;
    await untilSettledMinute();
    const wal = await walPosition(db);
    const processor = await this.#processor();
    const [begun, minute] = [performance.now(), minuteNow()];
    await work();
    await untilSettledMinute();
    const seconds = (performance.now() - begun) / 1_000;
    const after = await this.#processor();
    return {
      ...{ seconds, minutes: minuteNow() - minute },
      node: after.node - processor.node,
      postgres: after.postgres - processor.postgres,
      temporal: after.temporal - processor.temporal,
      walBytes: (await walPosition(db)) - wal,
    };
  }

  async #processor(): Promise<Processor> {
    const { stack, postgres } = this.#stack;
    const { api, worker, temporal } = stack.processes;
    const [node, server, engine] = await Promise.all([
      cpuSeconds([api.pid ?? 0, worker.pid ?? 0]),
      cpuSeconds([postgres.pid]),
      cpuSeconds([temporal?.pid ?? 0]),
    ]);
    return { node, postgres: server, temporal: engine };
  }
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + longestMs;
  while (!(await isTrue())) {
    if (performance.now() > deadline)
      throw new Error(`Work is left over after ${longestMs / 60_000} minutes.`);
    await sleep(pollMs);
  }
}

const minuteNow = (): number => Math.floor(Date.now() / 60_000);
const secondNow = (): number => (Date.now() / 1_000) % 60;

const untilSettledMinute = async (): Promise<void> => {
  if (secondNow() < settledAfter) await untilSecond(settledAfter);
};

/** @param next of the next minute in any case */
async function untilSecond(second: number, next = false): Promise<void> {
  const wait = (second - secondNow() + 60) % 60;
  await sleep((next && secondNow() < second ? wait + 60 : wait) * 1_000);
}
