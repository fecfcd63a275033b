import { readdir, readFile } from 'node:fs/promises';
import { treeOf } from './process-tree.ts';

/** The parts of a stack. `small` is api, worker and delivery in one; the rest of the starter's processes counts as the starter. */
export type Part = 'api' | 'worker' | 'delivery' | 'small' | 'temporal' | 'postgres' | 'mailbox' | 'starter';

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

/** The kernel reports hundredths of a second, independent of its own timer frequency (proc(5), USER_HZ). */
const ticksPerSecond = 100;

/** The part of every process below `root`, which is the starter. What it runs for a moment counts as the starter's, too. */
export async function processesBelow(root: number): Promise<Map<number, Part>> {
  const found = await treeOf(root);
  return new Map(await Promise.all(found.map(async (id) => [id, await partOf(id)] as const)));
}

/** Memory in MB, where a page that several processes share counts once: PostgreSQL's share its buffers. 0 for a process that has ended. */
export async function pssOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) / 1_024;
}

/** Processor time that a process has used, in seconds. */
export async function cpuSecondsOf(pid: number): Promise<number> {
  const fields = await statOf(pid);
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / ticksPerSecond;
}

/** How many files, sockets and pipes a process has open. */
export const descriptorsOf = (pid: number): Promise<number> => entriesOf(`/proc/${pid}/fd`);

export const threadsOf = (pid: number): Promise<number> => entriesOf(`/proc/${pid}/task`);

const entriesOf = async (folder: string): Promise<number> => (await readdir(folder).catch(() => [])).length;

async function partOf(pid: number): Promise<Part> {
  const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ');
  return parts.find(([pattern]) => pattern.test(command))?.[1] ?? 'starter';
}

/** The fields of proc(5) stat from the third on: the name before them is in parentheses and can contain any characters. */
async function statOf(pid: number): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
