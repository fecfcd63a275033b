import { residentBytes } from '@postrider/harness/process-tree';

const everyMs = 250;

/** Samples the memory of processes. */
export function watchMemory(pids: readonly number[]): { stop(): number } {
  let most = 0;
  const look = async (): Promise<void> => {
    const sizes = await Promise.all(pids.map(residentBytes));
    most = Math.max(
      most,
      sizes.reduce((sum, bytes) => sum + bytes, 0),
    );
  };
  void look();
  const timer = setInterval(() => void look(), everyMs);
  return {
    /** @returns the peak of their total memory, in bytes */
    stop() {
      clearInterval(timer);
      return most;
    },
  };
}
