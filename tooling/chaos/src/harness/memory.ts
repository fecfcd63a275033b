import { residentBytes } from '@postrider/harness/process-tree';

const everyMs = 250;

/** Samples the memory of each process. */
export function watchEachMemory(pids: readonly number[]): { stop(): Map<number, number> } {
  const most = new Map<number, number>();
  const look = async (): Promise<void> => {
    await Promise.all(
      pids.map(async (pid) => most.set(pid, Math.max(most.get(pid) ?? 0, await residentBytes(pid)))),
    );
  };
  void look();
  const timer = setInterval(() => void look(), everyMs);
  return {
    /** @returns the peak memory of each process, in bytes */
    stop() {
      clearInterval(timer);
      return most;
    },
  };
}
