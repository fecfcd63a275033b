import { type AnsweringProcess, startAnswering } from '@postrider/harness/answering-process';
import { createProject, insertContacts, type TestProject } from '@postrider/harness/project.store';
import type { Bench, BenchOptions, BenchResult, Series } from '../harness/bench.ts';
import { type BenchStack, startBenchStack } from '../harness/bench-stack.ts';
import { cpuSeconds } from '../harness/cpu-time.ts';
import { measureSigningRate } from '../harness/signing-rate.ts';
import { type BaselineRates, measureBaseline } from './baseline.ts';
import type { ReferenceRun } from './campaign-reference.ts';
import { rateAtSink } from './rate-at-sink.ts';
import { type CampaignFigures, sendCampaign } from './send-campaign.ts';

export const campaignBench: Bench = {
  name: 'campaign',
  summary:
    'a tracked campaign, unsigned and signed, beside nodemailer without a database, nodemailer writing the same rows, and what the cores can sign',
  async run(options) {
    const stack = await startBenchStack(options);
    try {
      return await measure(stack, options);
    } finally {
      await stack.stop();
    }
  },
};

/** One round of everything, so that each ratio compares figures of the same minutes. */
interface Round {
  unsigned: CampaignFigures;
  signed: CampaignFigures;
  plain: ReferenceFigures;
  withRows: ReferenceFigures;
  signatures: number;
  baseline: BaselineRates | null;
}

interface ReferenceFigures {
  rate: number;
  /** CPU time per message of the reference and PostgreSQL, in milliseconds */
  cpuMs: number;
}

async function measure(stack: BenchStack, options: BenchOptions): Promise<BenchResult> {
  const reference = await startAnswering(new URL('./campaign-reference.ts', import.meta.url), {
    DATABASE_URL: stack.reference.url,
    SMTP_URL: stack.sink.url,
  });
  try {
    const projects = await prepare(stack, options.recipients);
    const rounds: Round[] = [];
    for (let number = 1; number <= options.rounds; number += 1) {
      const log = (line: string): void => options.log(`round ${number}, ${line}`);
      rounds.push(await measureRound(stack, reference, projects, { ...options, log }));
    }
    const notes = [
      `${options.recipients} recipients, open and click tracking; messages/s by the sink's clock from the first to the last. nodemailer: pool of 10 connections, one process.`,
      'nodemailer with rows writes the same Email and Event rows and counters; it has no leases, no fence and no record of what was begun.',
    ];
    if (options.profile) notes.push('', 'Statements:', ...(await stack.slowest(16)));
    return { series: toSeries(rounds), notes };
  } finally {
    await reference.stop();
  }
}

type Projects = Record<'unsigned' | 'signed' | 'reference', TestProject>;

async function prepare(stack: BenchStack, recipients: number): Promise<Projects> {
  const appSecret = stack.stack.env.APP_SECRET ?? '';
  const unsigned = await createProject(stack.db, { appSecret, signed: false });
  const signed = await createProject(stack.db, { appSecret, signed: true });
  const reference = await createProject(stack.reference.db, { appSecret, signed: false });
  await insertContacts(stack.db, unsigned.id, recipients);
  await insertContacts(stack.db, signed.id, recipients);
  await insertContacts(stack.reference.db, reference.id, recipients);
  return { unsigned, signed, reference };
}

async function measureRound(
  stack: BenchStack,
  reference: AnsweringProcess,
  projects: Projects,
  { recipients, baseline: folder, log }: BenchOptions,
): Promise<Round> {
  const workers = [stack.stack.processes.worker.pid ?? 0];
  const own = async (name: 'unsigned' | 'signed'): Promise<CampaignFigures> => {
    const figures = await sendCampaign(stack, projects[name], recipients, workers);
    log(
      `${name}: ${figures.rate.toFixed(0)} messages/s, ${figures.seconds.toFixed(1)} s from send to SENT, ` +
        `${figures.memory.toFixed(0)} MiB, ${figures.cpuMs.toFixed(3)} ms CPU each`,
    );
    return figures;
  };
  const nodemailer = async (ledger: boolean): Promise<ReferenceFigures> => {
    const run = { projectId: projects.reference.id, recipients, ledger };
    const figures = await sendByReference(stack, reference, run);
    log(
      `nodemailer ${ledger ? 'with rows' : 'without a database'}: ${figures.rate.toFixed(0)} messages/s, ${figures.cpuMs.toFixed(3)} ms CPU each`,
    );
    return figures;
  };
  const unsigned = await own('unsigned');
  const plain = await nodemailer(false);
  const withRows = await nodemailer(true);
  const signed = await own('signed');
  const signatures = await measureSigningRate();
  log(`all cores sign ${signatures.toFixed(0)} times a second`);
  const baseline = folder === undefined ? null : await measureBaseline(folder, recipients);
  if (baseline)
    log(`baseline: ${baseline.unsigned.toFixed(0)} messages/s, signed ${baseline.signed.toFixed(0)}`);
  return { unsigned, signed, plain, withRows, signatures, baseline };
}

async function sendByReference(
  { sink, postgres }: BenchStack,
  reference: AnsweringProcess,
  run: ReferenceRun,
): Promise<ReferenceFigures> {
  await sink.clear();
  const pids = [reference.pid, postgres.pid];
  const cpuBefore = await cpuSeconds(pids);
  await reference.ask<number>(run);
  const cpuMs = (((await cpuSeconds(pids)) - cpuBefore) * 1_000) / run.recipients;
  return { rate: rateAtSink(await sink.messages(), run.recipients), cpuMs };
}

function toSeries(rounds: readonly Round[]): Series[] {
  const of = (value: (round: Round) => number): number[] => rounds.map(value);
  const unit = 'messages/s';
  const rate = of(({ unsigned }) => unsigned.rate);
  const signedRate = of(({ signed }) => signed.rate);
  const baselines = rounds.flatMap(({ baseline }) => baseline ?? []);
  const plain = 'nodemailer without a database';
  const withRows = 'nodemailer with rows';
  return [
    { label: 'campaign', unit, rounds: rate, against: plain, goal: { atLeast: 5 } },
    { label: plain, unit, rounds: of((round) => round.plain.rate) },
    { label: 'campaign (the same)', unit, rounds: rate, against: withRows },
    { label: withRows, unit, rounds: of((round) => round.withRows.rate) },
    {
      label: 'campaign, RSA-2048',
      unit,
      rounds: signedRate,
      against: 'signatures of all cores',
      goal: { atLeast: 0.85 },
    },
    { label: 'signatures of all cores', unit: '1/s', rounds: of(({ signatures }) => signatures) },
    ...(baselines.length === 0 ? [] : baselineSeries(rate, signedRate, baselines)),
    {
      label: 'CPU per message, worker and PostgreSQL',
      unit: 'ms',
      rounds: of(({ unsigned }) => unsigned.cpuMs),
      against: 'CPU per message, nodemailer with rows',
      digits: 3,
    },
    {
      label: 'the same, RSA-2048',
      unit: 'ms',
      rounds: of(({ signed }) => signed.cpuMs),
      against: 'CPU per message, nodemailer with rows',
      digits: 3,
    },
    {
      label: 'CPU per message, nodemailer with rows',
      unit: 'ms',
      rounds: of((round) => round.withRows.cpuMs),
      digits: 3,
    },
    { label: 'send to SENT', unit: 's', rounds: of(({ unsigned }) => unsigned.seconds), digits: 1 },
    { label: 'send to SENT, RSA-2048', unit: 's', rounds: of(({ signed }) => signed.seconds), digits: 1 },
    { label: 'memory of the delivery processes', unit: 'MiB', rounds: of(({ unsigned }) => unsigned.memory) },
    { label: 'their memory, RSA-2048', unit: 'MiB', rounds: of(({ signed }) => signed.memory) },
  ];
}

function baselineSeries(rate: number[], signedRate: number[], baselines: BaselineRates[]): Series[] {
  const unit = 'messages/s';
  return [
    { label: 'campaign (again)', unit, rounds: rate, against: 'baseline', goal: { atLeast: 6 } },
    { label: 'baseline', unit, rounds: baselines.map(({ unsigned }) => unsigned) },
    { label: 'campaign, RSA-2048 (again)', unit, rounds: signedRate, against: 'baseline, RSA-2048' },
    { label: 'baseline, RSA-2048', unit, rounds: baselines.map(({ signed }) => signed) },
  ];
}
