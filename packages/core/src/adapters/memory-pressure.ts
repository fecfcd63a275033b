import { readFileSync } from 'node:fs';
import { Gauge, register } from 'prom-client';

/** Shares of the memory that are left, below which it is short, and very short. */
const short = 0.2;
const veryShort = 0.1;

/** The memory of this machine or control group, in bytes. */
interface Memory {
  total: number;
  available: number;
}

/** 0; 1 below 20 % of the memory left; 2 below 10 %. */
export function pressureOf({ total, available }: Memory): 0 | 1 | 2 {
  const left = available / total;
  if (left < veryShort) return 2;
  return left < short ? 1 : 0;
}

/** Serves `postrider_memory_pressure`, read from the control group where it has a limit, else from the machine. */
export function showMemoryPressure(): void {
  const name = 'postrider_memory_pressure';
  register.removeSingleMetric(name);
  new Gauge({
    name,
    help: 'How short memory is: 0, 1 below 20 % left, 2 below 10 %',
    aggregator: 'max',
    collect() {
      const memory = readMemory();
      this.set(memory === null ? Number.NaN : pressureOf(memory));
    },
  });
}

/** Null where the system does not say it. */
function readMemory(): Memory | null {
  return ofControlGroup() ?? ofMachine();
}

function ofControlGroup(): Memory | null {
  const folder = '/sys/fs/cgroup';
  const total = Number(read(`${folder}/memory.max`));
  const used = Number(read(`${folder}/memory.current`));
  // Without a limit the file says "max".
  if (!Number.isFinite(total) || !Number.isFinite(used) || total === 0) return null;
  // What files have in memory is given back when it is needed.
  const files = Number(/^inactive_file (\d+)$/m.exec(read(`${folder}/memory.stat`))?.[1] ?? 0);
  return { total, available: total - used + files };
}

function ofMachine(): Memory | null {
  const text = read('/proc/meminfo');
  const kilobytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0);
  const total = kilobytes('MemTotal');
  return total === 0 ? null : { total, available: kilobytes('MemAvailable') };
}

/** Empty for a file that there is not. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}
