import { availableParallelism } from 'node:os';
import { newId } from '@postrider/core/base/lib';
import { type AnsweringProcess, startAnswering } from '@postrider/harness/answering-process';
import { createProject, insertContacts } from '@postrider/harness/project.store';
import { median } from '@postrider/harness/statistics';
import type { Bench, BenchOptions, BenchResult, Series } from '../harness/bench.ts';
import { type BenchStack, startBenchStack } from '../harness/bench-stack.ts';
import { cpuSeconds } from '../harness/cpu-time.ts';
import type { SinkLoad } from '../sink/sink-load.ts';
import { markSent, writeEmails } from './campaign-reference.store.ts';
import { sendCampaign } from './send-campaign.ts';

const perStatement = 250;
const statementsAtOnce = 2;
const connections = 10;

/** Each part of what a campaign cannot do without, and the campaign itself. */
const parts = ['campaign', 'rows of emails', 'rows of sent emails', 'messages'] as const;
type Part = (typeof parts)[number];
type Round = Record<Part, { seconds: number; cpuMs: number }>;

export const floorBench: Bench = {
  name: 'floor',
  summary:
    'a campaign beside what it cannot do without: its rows by bare statements, and as many messages of its size by a loop that composes nothing',
  async run(options) {
    const stack = await startBenchStack(options);
    const load = await startAnswering(new URL('../sink/sink-load.ts', import.meta.url), {});
    try {
      return await measure(stack, load, options);
    } finally {
      await load.stop();
      await stack.stop();
    }
  },
};

async function measure(
  stack: BenchStack,
  load: AnsweringProcess,
  { rounds, recipients, log }: BenchOptions,
): Promise<BenchResult> {
  const appSecret = stack.stack.env.APP_SECRET ?? '';
  const project = await createProject(stack.db, { appSecret, signed: false });
  const reference = await createProject(stack.reference.db, { appSecret, signed: false });
  await insertContacts(stack.db, project.id, recipients);
  await insertContacts(stack.reference.db, reference.id, recipients);
  const { api, worker } = stack.stack.processes;
  const workers = [worker.pid ?? 0];
  const pids = [stack.postgres.pid, stack.sink.pid, load.pid, api.pid ?? 0, ...workers];
  const timed = async (part: Part, work: () => Promise<unknown>): Promise<Round[Part]> => {
    const cpuBefore = await cpuSeconds(pids);
    const begun = performance.now();
    await work();
    const seconds = (performance.now() - begun) / 1_000;
    const cpuMs = (((await cpuSeconds(pids)) - cpuBefore) * 1_000) / recipients;
    log(`${part}: ${seconds.toFixed(1)} s, ${cpuMs.toFixed(3)} ms CPU each`);
    return { seconds, cpuMs };
  };
  const all: Round[] = [];
  for (let number = 1; number <= rounds; number += 1) {
    const campaign = await timed('campaign', () => sendCampaign(stack, project, recipients, workers));
    const bytes = (await stack.sink.messages()).reduce((sum, { size }) => sum + size, 0);
    const id = newId();
    const write = () => writeEmails(stack.reference.db, reference.id, id, newId());
    all.push({
      campaign,
      'rows of emails': await timed('rows of emails', write),
      'rows of sent emails': await timed('rows of sent emails', () => markAll(stack, id)),
      messages: await timed('messages', () =>
        load.ask<number>({
          port: stack.sink.port,
          messages: recipients,
          connections,
          size: Math.round(bytes / recipients),
        } satisfies SinkLoad),
      ),
    });
  }
  return { series: toSeries(all), notes: [noteOf(all, recipients)] };
}

/** Marks all emails of a campaign as sent, with their events, by statements of as many as a claim takes. */
async function markAll({ reference }: BenchStack, campaignId: string): Promise<void> {
  const { rows } = await reference.db.query<{ id: string }>(
    'SELECT "id" FROM "Email" WHERE "campaignId" = $1 ORDER BY "id"',
    [campaignId],
  );
  const ids = rows.map(({ id }) => id);
  const lane = async (): Promise<void> => {
    while (ids.length > 0) await markSent(reference.db, campaignId, ids.splice(0, perStatement));
  };
  await Promise.all(Array.from({ length: statementsAtOnce }, lane));
}

const toSeries = (rounds: readonly Round[]): Series[] =>
  parts.flatMap((part) => [
    { label: part, unit: 's', rounds: rounds.map((round) => round[part].seconds), digits: 1 },
    { label: `${part}, CPU`, unit: 'ms each', rounds: rounds.map((round) => round[part].cpuMs), digits: 3 },
  ]);

function noteOf(rounds: readonly Round[], recipients: number): string {
  const cores = availableParallelism();
  const sum = (those: readonly Part[]): number =>
    those.reduce((total, part) => total + median(rounds.map((round) => round[part].cpuMs)), 0);
  const atLeast = (cpuMs: number): string => `${((cpuMs * recipients) / cores / 1_000).toFixed(1)} s`;
  return (
    `CPU of PostgreSQL, mail server, load, api and worker. With all ${cores} cores at work, the campaign needs at least ${atLeast(sum(['campaign']))}, ` +
    `its bare rows and messages ${atLeast(sum(parts.slice(1)))}: without composing, claims, leases, fences and figures.`
  );
}
