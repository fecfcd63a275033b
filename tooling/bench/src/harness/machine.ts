import { availableParallelism, cpus, totalmem } from 'node:os';

/** What figures depend on. */
export interface Machine {
  cores: number;
  cpu: string;
  memoryGiB: number;
  node: string;
}

export const readMachine = (): Machine => ({
  cores: availableParallelism(),
  cpu: cpus()[0]?.model ?? 'unknown',
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.version,
});

export const describeMachine = ({ cores, cpu, memoryGiB, node }: Machine): string =>
  `${cores} cores (${cpu}), ${memoryGiB} GiB, Node ${node}, ${process.platform} ${process.arch}`;
