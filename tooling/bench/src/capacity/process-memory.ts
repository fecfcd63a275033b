import { type Part, processesBelow, pssOf } from '@postrider/harness/stack-processes';
import { median } from '@postrider/harness/statistics';
import type { BenchStack } from '../harness/bench-stack.ts';

export interface PartMemory {
  part: Part;
  processes: number;
  /** PSS of all of them, in MB */
  together: number;
  /** the usual one, and the largest */
  median: number;
  most: number;
}

/** Memory of the product and its servers, the largest part first. */
export async function measureMemory({ stack, postgres }: BenchStack): Promise<PartMemory[]> {
  const { api, worker, temporal } = stack.processes;
  const roots = [api.pid, worker.pid, temporal?.pid, postgres.pid].filter((pid) => pid !== undefined);
  const processes = (await Promise.all(roots.map(processesBelow))).flatMap((found) => [...found]);
  const sizes = await Promise.all(processes.map(async ([pid, part]) => ({ part, mb: await pssOf(pid) })));
  return [...Map.groupBy(sizes, ({ part }) => part)]
    .map(([part, list]) => {
      const each = list.map(({ mb }) => mb);
      return {
        ...{ part, processes: each.length, together: each.reduce((sum, mb) => sum + mb, 0) },
        ...{ median: median(each), most: Math.max(...each) },
      };
    })
    .sort((one, other) => other.together - one.together);
}
