import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';

/** What figures depend on. */
export interface Machine {
  cores: number;
  cpu: string;
  memoryGiB: number;
  node: string;
  /** how many programs wanted a core in the minute before: figures of a busy machine are worth little */
  load: number;
}

export const readMachine = (): Machine => ({
  cores: availableParallelism(),
  cpu: cpus()[0]?.model ?? 'unknown',
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.version,
  load: loadavg()[0] ?? 0,
});

export const describeMachine = ({ cores, cpu, memoryGiB, node, load }: Machine): string =>
  `${cores} cores (${cpu}), ${memoryGiB} GiB, Node ${node}, ${process.platform} ${process.arch}, load ${load.toFixed(1)} before the run`;
