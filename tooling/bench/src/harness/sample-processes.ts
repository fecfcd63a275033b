import { residentBytes } from '@postrider/harness/process-tree';

/** Memory of several processes at one moment, in MiB, by name. */
export async function sampleMemory(processes: ReadonlyMap<string, number>): Promise<Map<string, number>> {
  const entries = [...processes].map(
    async ([name, pid]) => [name, (await residentBytes(pid)) / 2 ** 20] as const,
  );
  return new Map(await Promise.all(entries));
}
