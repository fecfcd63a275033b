/**
 * `npm run histories`: records the histories that `replay-histories.test.ts` replays. Runs the tests of the worker,
 * records the histories of their workflows, and keeps the few of each workflow type that differ most.
 *
 * Run it after adding a workflow, or after a deliberate change that running workflows follow through `patched`. A
 * history that no longer replays means that running workflows would break: that is not a reason to record again.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { historiesFolder, type StoredHistory, shapeOf } from './history.ts';

const perType = 3;

interface Recorded {
  file: string;
  /** which event follows which: the order that a replay can fail on */
  steps: Set<string>;
}

const recorded = await mkdtemp(join(tmpdir(), 'postrider-histories-'));
try {
  await runTests(recorded);
  const byType = Map.groupBy(await readdir(recorded), (file) => file.replace(/-\w+\.json$/, ''));
  await rm(historiesFolder, { recursive: true, force: true });
  await mkdir(historiesFolder, { recursive: true });
  for (const [type, files] of byType) {
    const kept = mostDifferent(await Promise.all(files.map(read)));
    for (const { file } of kept) await copyFile(join(recorded, file), join(historiesFolder, file));
    console.log(`${type}: ${kept.length} of ${files.length} shapes`);
  }
} finally {
  await rm(recorded, { recursive: true, force: true });
}

async function runTests(folder: string): Promise<void> {
  const root = fileURLToPath(new URL('../../../../', import.meta.url));
  const child = spawn(join(root, 'node_modules/.bin/vitest'), ['run', '--exclude', '**/replay-*.test.ts'], {
    cwd: join(root, 'apps/worker'),
    env: { ...process.env, RECORD_HISTORIES: folder },
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  if (code !== 0)
    throw new Error(`the worker's tests ended with ${String(code)}; the histories stay as they are`);
}

async function read(file: string): Promise<Recorded> {
  const shape = shapeOf(JSON.parse(await readFile(join(recorded, file), 'utf8')) as StoredHistory);
  return { file, steps: new Set(shape.map((event, index) => `${shape[index - 1] ?? ''} > ${event}`)) };
}

/** Chooses histories one by one: each is the one that adds most to those before it. */
function mostDifferent(all: Recorded[]): Recorded[] {
  const seen = new Set<string>();
  const news = ({ steps }: Recorded): number => [...steps].filter((step) => !seen.has(step)).length;
  const kept: Recorded[] = [];
  while (kept.length < perType) {
    const [best] = all.toSorted((a, b) => news(b) - news(a) || (a.file < b.file ? -1 : 1));
    if (!best || news(best) === 0) break;
    kept.push(best);
    for (const step of best.steps) seen.add(step);
  }
  return kept;
}
