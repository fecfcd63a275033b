import { readFile } from 'node:fs/promises';
import { treeOf } from '@postrider/harness/process-tree';

/** The kernel reports hundredths of a second, independent of its own timer frequency (proc(5), USER_HZ). */
const ticksPerSecond = 100;

/**
 * CPU time in seconds that these processes and their descendants have used so far. Unlike a rate, it hardly changes
 * when other programs keep the machine busy. Zero on systems without /proc.
 */
export async function cpuSeconds(pids: readonly number[]): Promise<number> {
  const each = await Promise.all(pids.map(treeTicks));
  return each.reduce((sum, ticks) => sum + ticks, 0) / ticksPerSecond;
}

async function treeTicks(pid: number): Promise<number> {
  if (process.platform !== 'linux') return 0;
  const each = await Promise.all((await treeOf(pid)).map(ownTicks));
  return each.reduce((sum, ticks) => sum + ticks, 0);
}

/** The time of the process and its ended children: fields 14 to 17 of proc(5) stat. */
async function ownTicks(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, text) => sum + Number(text), 0);
}
