import type { ChaosStack } from '@postrider/harness/chaos-stack';
import {
  descriptorsOf,
  type Part,
  processesBelow,
  pssOf,
  threadsOf,
} from '@postrider/harness/stack-processes';
import type { Requests } from './load.ts';
import { countConnections, oldestDue, readTables, type TableSample, writtenMb } from './soak.store.ts';

/** One process at one moment. */
export interface ProcessSample {
  pid: number;
  part: Part;
  /** PSS */
  mb: number;
  descriptors: number;
  threads: number;
}

/** The whole stack at one moment. */
export interface Sample {
  /** since the load began */
  seconds: number;
  processes: ProcessSample[];
  /** to PostgreSQL */
  connections: number;
  tables: TableSample[];
  /** written to the log of PostgreSQL since its beginning */
  walMb: number;
  /** open runs at Temporal; null while it does not answer */
  workflows: number | null;
  /** how long the first of each queue is due */
  oldestSeconds: { email: number; events: number };
  /** of the time since the sample before */
  requests: Requests;
}

/** What is judged: the starter is this program, and processes of PostgreSQL come and go with connections. */
const judged: ReadonlySet<Part> = new Set(['api', 'worker', 'delivery', 'small', 'temporal']);

/** @returns null while the database is down: a process may have been killed a moment ago */
export async function takeSample(
  { db, temporal }: Pick<ChaosStack, 'db' | 'temporal'>,
  seconds: number,
  takeRequests: () => Requests,
): Promise<Sample | null> {
  const ids = [...(await processesBelow(process.pid))].filter(([, part]) => judged.has(part));
  const processes = await Promise.all(
    ids.map(async ([pid, part]) => {
      const [mb, descriptors, threads] = await Promise.all([pssOf(pid), descriptorsOf(pid), threadsOf(pid)]);
      return { pid, part, mb, descriptors, threads };
    }),
  );
  try {
    const [connections, tables, walMb, oldestSeconds] = [
      await countConnections(db),
      await readTables(db),
      await writtenMb(db),
      await oldestDue(db),
    ];
    const workflows = await temporal.countOpen().catch(() => null);
    const alive = processes.filter(({ mb }) => mb > 0);
    return {
      ...{ seconds, processes: alive, connections, tables, walMb, workflows, oldestSeconds },
      requests: takeRequests(),
    };
  } catch {
    return null;
  }
}
