import { readFile } from 'node:fs/promises';

const cgroup = '/sys/fs/cgroup';

/**
 * The share of the memory that is left: of the container, where it has a limit, else of the machine. What the kernel keeps of files counts as
 * left. Null where neither is known.
 */
export async function readMemoryLeft(): Promise<number | null> {
  return (await leftInContainer()) ?? (await leftOnMachine());
}

/** By cgroup v2: https://docs.kernel.org/admin-guide/cgroup-v2.html */
async function leftInContainer(): Promise<number | null> {
  const limit = Number(await read(`${cgroup}/memory.max`));
  // `max` without a limit.
  if (!(limit > 0)) return null;
  const used = Number(await read(`${cgroup}/memory.current`));
  const files = Number(/^inactive_file (\d+)$/m.exec(await read(`${cgroup}/memory.stat`))?.[1] ?? 0);
  return Math.max(0, limit - used + files) / limit;
}

async function leftOnMachine(): Promise<number | null> {
  const text = await read('/proc/meminfo');
  const of = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0);
  const total = of('MemTotal');
  return total > 0 ? of('MemAvailable') / total : null;
}

const read = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');
