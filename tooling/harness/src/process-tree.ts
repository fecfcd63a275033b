import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { commandOf } from '@postrider/local/processes';

const run = promisify(execFile);

/** Ids of the child processes of a process. */
export async function childrenOf(pid: number): Promise<number[]> {
  if (process.platform !== 'linux') return childrenByPs(pid);
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(ids.map(parentOf));
  return ids.filter((_id, index) => parents[index] === pid);
}

/** A process and all below it, itself first. Looks at each process of the machine once. Only on Linux. */
export async function treeOf(root: number): Promise<number[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(ids.map(async (id) => [id, await parentOf(id)] as const));
  const below = Map.groupBy(parents, ([, parent]) => parent);
  const found = [root];
  for (const pid of found) found.push(...(below.get(pid) ?? []).map(([id]) => id));
  return found;
}

/** The delivery processes of a worker app. */
export async function mailProcessesOf(workerPid: number): Promise<number[]> {
  const children = await childrenOf(workerPid);
  const commands = await Promise.all(children.map(commandOf));
  return children.filter((_pid, index) => commands[index]?.includes('mail-worker'));
}

/** The current memory of a process, in bytes; 0 if it has ended. */
export async function residentBytes(pid: number): Promise<number> {
  if (process.platform !== 'linux') {
    const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]).catch(() => ({ stdout: '0' }));
    return Number(stdout.trim()) * 1024;
  }
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}

/** The id of the process that started it; 0 if it has ended. */
export async function parentOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // Field 4 of proc(5) stat: the second after the name, which is in parentheses and can contain any characters.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
}

async function childrenByPs(pid: number): Promise<number[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=']);
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([id, parent]) => (parent === pid && id !== undefined ? [id] : []));
}
