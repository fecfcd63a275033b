import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Part } from './memory.budgets.ts';

const everyMs = 200;
/** The kernel reports hundredths of a second, independent of its own timer frequency (proc(5), USER_HZ). */
const ticksPerSecond = 100;

/** What tells a process of the stack by its command line; the first that fits counts. */
const parts: readonly [RegExp, Part][] = [
  [/worker\/src\/mail-worker\.ts/, 'delivery'],
  [/worker\/src\/small\.ts/, 'small'],
  [/api\/src\/server\.ts/, 'api'],
  [/worker\/src\/main\.ts/, 'worker'],
  [/mailbox\/main\.ts/, 'mailbox'],
  [/server start-dev/, 'temporal'],
  [/postgres/, 'postgres'],
];

/** Memory by part at one moment, in MB. */
export type Sample = Map<Part, number>;

/**
 * The processes of a stack, by the id of the one that started them. PSS counts a page that several processes share once, so parts can be
 * added up: PostgreSQL's processes share its buffers.
 */
export interface Sampler {
  /** Begins a phase. Samples are taken until it ends. */
  begin(): { end(): Promise<Sample[]> };
  /** CPU time that all of them have used, in seconds */
  cpuSeconds(): Promise<number>;
  pidsOf(part: Part): Promise<number[]>;
}

export function sampleStack(root: number): Sampler {
  return {
    begin() {
      const samples: Sample[] = [];
      let isOver = false;
      const work = (async () => {
        while (!isOver) {
          const begun = performance.now();
          samples.push(await memoryOf(await processesBelow(root)));
          await sleep(Math.max(0, everyMs - (performance.now() - begun)));
        }
      })();
      return {
        async end() {
          isOver = true;
          await work;
          return samples;
        },
      };
    },
    async cpuSeconds() {
      const ticks = await Promise.all([...(await processesBelow(root)).keys()].map(ticksOf));
      return ticks.reduce((sum, one) => sum + one, 0) / ticksPerSecond;
    },
    async pidsOf(part) {
      return [...(await processesBelow(root))].flatMap(([pid, own]) => (own === part ? [pid] : []));
    },
  };
}

/** The part of every process below `root`, which is the starter. What it runs for a moment counts as the starter's, too. */
async function processesBelow(root: number): Promise<Map<number, Part>> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = new Map(await Promise.all(ids.map(async (id) => [id, await parentOf(id)] as const)));
  const found = [root];
  for (let index = 0; index < found.length; index += 1) {
    for (const [id, parent] of parents) if (parent === found[index]) found.push(id);
  }
  return new Map(await Promise.all(found.map(async (id) => [id, await partOf(id)] as const)));
}

async function partOf(pid: number): Promise<Part> {
  const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ');
  return parts.find(([pattern]) => pattern.test(command))?.[1] ?? 'starter';
}

async function memoryOf(processes: ReadonlyMap<number, Part>): Promise<Sample> {
  const sample: Sample = new Map();
  for (const [pid, part] of processes) sample.set(part, (sample.get(part) ?? 0) + (await pssOf(pid)));
  return sample;
}

/** In MB; 0 if it has ended. */
async function pssOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) / 1_024;
}

async function parentOf(pid: number): Promise<number> {
  return Number((await statOf(pid))[1] ?? 0);
}

async function ticksOf(pid: number): Promise<number> {
  const fields = await statOf(pid);
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
}

/** The fields of proc(5) stat from the third on: the name before them is in parentheses and can contain any characters. */
async function statOf(pid: number): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
