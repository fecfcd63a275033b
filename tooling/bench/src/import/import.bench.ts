import { setTimeout as sleep } from 'node:timers/promises';
import { createProject, type TestProject } from '@postrider/harness/project.store';
import type { Bench, BenchOptions, Series } from '../harness/bench.ts';
import { type BenchStack, startBenchStack } from '../harness/bench-stack.ts';
import { watchMemory } from '../harness/memory.ts';
import { upsertBare } from './import-reference.store.ts';
import { csvOf, rowsPerFile } from './import-rows.ts';

const batch = 5_000;
const pollMs = 200;
/** A job without progress for this time counts as stuck. */
const stallMs = 120_000;

export const importBench: Bench = {
  name: 'import',
  summary: 'contacts from CSV files through the API beside the same upsert as bare SQL with the same indexes',
  async run(options) {
    const stack = await startBenchStack(options);
    try {
      return await measure(stack, options);
    } finally {
      await stack.stop();
    }
  },
};

interface Figures {
  rate: number;
  /** peak memory of api and worker during the first file, and overall, in MiB */
  first: number;
  most: number;
}

async function measure(stack: BenchStack, { rounds, rows, log }: BenchOptions) {
  const appSecret = stack.stack.env.APP_SECRET ?? '';
  const own: Figures[] = [];
  const bare: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const figures = await importAll(stack, await createProject(stack.db, { appSecret, signed: false }), rows);
    own.push(figures);
    log(
      `round ${round}, import: ${figures.rate.toFixed(0)} rows/s, memory ${figures.first.toFixed(0)} MiB during the first file, ` +
        `${figures.most.toFixed(0)} MiB at most`,
    );
    const project = await createProject(stack.reference.db, { appSecret, signed: false });
    const begun = performance.now();
    await upsertBare(stack.reference.db, project.id, rows, batch);
    const rate = rows / ((performance.now() - begun) / 1_000);
    bare.push(rate);
    log(`round ${round}, bare SQL: ${rate.toFixed(0)} rows/s`);
  }
  return {
    series: toSeries(own, bare),
    notes: [
      `${rows} new contacts a round, in files of ${rowsPerFile} rows, one after the other; from the first upload to the end of the last job.`,
      `The reference sends batches of ${batch} rows that are in memory already; it reads no file, checks no address and counts nothing.`,
    ],
  };
}

function toSeries(own: Figures[], bare: number[]): Series[] {
  const of = (key: keyof Figures): number[] => own.map((one) => one[key]);
  return [
    { label: 'import', unit: 'rows/s', rounds: of('rate'), against: 'bare SQL', goal: { atLeast: 0.5 } },
    { label: 'bare SQL', unit: 'rows/s', rounds: bare },
    {
      label: 'memory of api and worker, most',
      unit: 'MiB',
      rounds: of('most'),
      against: 'during the first file',
    },
    { label: 'during the first file', unit: 'MiB', rounds: of('first') },
  ];
}

async function importAll({ stack }: BenchStack, project: TestProject, rows: number): Promise<Figures> {
  const pids = [stack.processes.api.pid ?? 0, stack.processes.worker.pid ?? 0];
  const all = watchMemory(pids);
  const firstFile = watchMemory(pids);
  let first = 0;
  const begun = performance.now();
  for (let at = 1; at <= rows; at += rowsPerFile) {
    await importFile(stack.urls.api, project, csvOf(at, Math.min(rowsPerFile, rows - at + 1)));
    if (at === 1) first = firstFile.stop();
  }
  const seconds = (performance.now() - begun) / 1_000;
  return { rate: rows / seconds, first: first / 2 ** 20, most: all.stop() / 2 ** 20 };
}

interface Job {
  state: string;
  progress: number;
  failedReason: string | null;
}

async function importFile(api: string, { secretKey }: TestProject, csv: string): Promise<void> {
  const headers = { authorization: `Bearer ${secretKey}` };
  const form = new FormData();
  form.set('file', new Blob([csv], { type: 'text/csv' }), 'contacts.csv');
  const answer = await fetch(new URL('/contacts/import', api), { method: 'POST', headers, body: form });
  if (answer.status !== 202) throw new Error(`the import answered ${answer.status}: ${await answer.text()}`);
  const { jobId } = (await answer.json()) as { jobId: string };
  let seen = -1;
  let movedAt = Date.now();
  for (;;) {
    const job = (await (await fetch(new URL(`/contacts/import/${jobId}`, api), { headers })).json()) as Job;
    if (job.state === 'completed') return;
    if (job.state === 'failed') throw new Error(`the import failed: ${job.failedReason}`);
    if (job.progress !== seen) movedAt = Date.now();
    seen = job.progress;
    if (Date.now() - movedAt > stallMs) throw new Error(`the import stands still at ${seen} %`);
    await sleep(pollMs);
  }
}
