import type { ChaosStack } from '@postrider/harness/chaos-stack';
import { mailProcessesOf } from '@postrider/harness/process-tree';
import type { Service } from '@postrider/local/service';

/** Worker apps that share one database, like machines of one installation. */
export interface Fleet {
  workers: readonly Service[];
  /** The worker app that a delivery process belongs to. */
  ownerOf(mailPid: number): Promise<Service | undefined>;
  /** Waits until each worker app runs with its delivery process. */
  untilComplete(): Promise<void>;
}

/** @param env of each further worker */
export async function startFleet(
  { stack }: ChaosStack,
  size: number,
  env: (index: number) => Record<string, string> = () => ({}),
): Promise<Fleet> {
  const others = await Promise.all(
    Array.from({ length: size - 1 }, (_, index) => stack.addWorker(env(index + 1))),
  );
  const workers = [stack.processes.worker, ...others];
  return {
    workers,
    async ownerOf(mailPid) {
      for (const worker of workers)
        if (worker.pid !== undefined && (await mailProcessesOf(worker.pid)).includes(mailPid)) return worker;
      return undefined;
    },
    async untilComplete() {
      await Promise.all(workers.map((worker) => worker.ready()));
    },
  };
}
