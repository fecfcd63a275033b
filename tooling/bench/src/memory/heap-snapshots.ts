import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const shown = 20;
const patienceMs = 120_000;

/** Has processes write a heap snapshot into `folder` with SIGUSR2. */
export const snapshotEnv = {
  NODE_OPTIONS: '--heapsnapshot-signal=SIGUSR2',
};

/** What a snapshot says about itself: https://github.com/v8/v8/blob/main/src/profiler/heap-snapshot-generator.cc */
interface Snapshot {
  snapshot: { meta: { node_fields: string[]; node_types: [string[], ...unknown[]] } };
  nodes: number[];
  strings: string[];
}

/** Takes a snapshot of a process. @returns lines of its largest constructors by their own size */
export async function largestConstructors(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/cwd`;
  const before = new Set(await snapshotsIn(folder));
  process.kill(pid, 'SIGUSR2');
  const file = await newSnapshot(folder, before);
  try {
    return describe(JSON.parse(await readFile(file, 'utf8')) as Snapshot);
  } finally {
    await rm(file, { force: true });
  }
}

const snapshotsIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith('.heapsnapshot'));

/** It is complete once it can be parsed: it is written while the process stands still. */
async function newSnapshot(folder: string, before: ReadonlySet<string>): Promise<string> {
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline) {
    for (const name of await snapshotsIn(folder)) {
      const file = join(folder, name);
      if (!before.has(name) && (await readFile(file, 'utf8')).trimEnd().endsWith('}')) return file;
    }
    await sleep(500);
  }
  throw new Error('no heap snapshot was written');
}

function describe({ snapshot, nodes, strings }: Snapshot): string[] {
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const at = (name: string): number => fields.indexOf(name);
  const [type, name, size] = [at('type'), at('name'), at('self_size')];
  const sums = new Map<string, { count: number; bytes: number }>();
  for (let node = 0; node < nodes.length; node += fields.length) {
    const kind = types[0][nodes[node + type] ?? 0] ?? '';
    const label =
      kind === 'object' || kind === 'native' ? (strings[nodes[node + name] ?? 0] ?? '') : `(${kind})`;
    const sum = sums.get(label) ?? { count: 0, bytes: 0 };
    sum.count += 1;
    sum.bytes += nodes[node + size] ?? 0;
    sums.set(label, sum);
  }
  return [...sums]
    .sort(([, one], [, other]) => other.bytes - one.bytes)
    .slice(0, shown)
    .map(
      ([label, { count, bytes }]) =>
        `${(bytes / 2 ** 20).toFixed(1).padStart(8)} MB ${String(count).padStart(8)}  ${label.slice(0, 60)}`,
    );
}
