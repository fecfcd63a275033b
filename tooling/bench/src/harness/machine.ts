import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';

/** The properties of the machine that the figures depend on. */
export interface Machine {
  cores: number;
  cpu: string;
  memoryGiB: number;
  node: string;
  /** load average of the minute before the run: figures of a busy machine mean little */
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
