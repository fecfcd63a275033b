import { generateKeyPairSync } from 'node:crypto';
import { sendCampaignNow, untilCampaignSent } from '@postrider/chaos/harness/campaign';
import { mailProcessesOf } from '@postrider/chaos/harness/process-tree';
import { createProject, insertContacts, type TestProject } from '@postrider/chaos/harness/project.store';
import type { Bench, BenchOptions, Series } from '../harness/bench.ts';
import { type BenchStack, startBenchStack } from '../harness/bench-stack.ts';
import { cpuSeconds } from '../harness/cpu-time.ts';
import { watchMemory } from '../harness/memory.ts';
import { type ReferenceProcess, startReference } from '../harness/reference-process.ts';
import { newsletterBody, newsletterSubject } from './campaign-content.ts';
import type { ReferenceRun } from './campaign-reference.ts';
import { rateAtSink } from './rate-at-sink.ts';

const stallMs = 60_000;

export const campaignBench: Bench = {
  name: 'campaign',
  summary:
    'a campaign with ledger and tracking beside plain pooled nodemailer, unsigned and with RSA-2048 DKIM',
  async run(options) {
    const stack = await startBenchStack(options);
    try {
      return await measure(stack, options);
    } finally {
      await stack.stop();
    }
  },
};

type Variant = 'unsigned' | 'signed';

interface Figures {
  rate: number;
  /** CPU time per message of the worker app and PostgreSQL, or of the reference and PostgreSQL, in milliseconds */
  cpuMs: number;
  /** from the send request to the status SENT, in seconds */
  seconds: number;
  /** peak memory of all delivery processes together, in MiB */
  memory: number;
}

type Plain = Pick<Figures, 'rate' | 'cpuMs'>;

async function measure(stack: BenchStack, options: BenchOptions) {
  const { rounds, recipients, log } = options;
  const reference = await startReference(new URL('./campaign-reference.ts', import.meta.url), {
    DATABASE_URL: stack.reference.url,
    SMTP_URL: stack.sink.url,
  });
  try {
    const projects = await prepare(stack, recipients);
    const dkimKey = privateKey();
    const runs = (variant: Variant, ledger = true): ReferenceRun => ({
      projectId: projects.reference.id,
      recipients,
      ledger,
      ...(variant === 'signed' ? { dkimKey } : {}),
    });
    const figures = { unsigned: [] as Figures[], signed: [] as Figures[] };
    const plain = { unsigned: [] as Plain[], signed: [] as Plain[] };
    for (let round = 1; round <= rounds; round += 1) {
      for (const variant of ['unsigned', 'signed'] as const) {
        const own = await sendOurs(stack, projects[variant], recipients);
        figures[variant].push(own);
        log(
          `round ${round}, ${variant}: ${own.rate.toFixed(0)} messages/s, ${own.seconds.toFixed(1)} s from send to SENT, ` +
            `${own.memory.toFixed(0)} MiB, ${own.cpuMs.toFixed(2)} ms CPU each`,
        );
        const other = await sendPlain(stack, reference, runs(variant));
        plain[variant].push(other);
        log(
          `round ${round}, nodemailer ${variant}: ${other.rate.toFixed(0)} messages/s, ${other.cpuMs.toFixed(2)} ms CPU each`,
        );
      }
    }
    const bare = [await sendPlain(stack, reference, runs('unsigned', false))];
    const notes = [
      `${recipients} recipients; messages/s by the sink's clock from the first to the last. nodemailer: 10 connections, one process.`,
      'The reference writes the same Email and Event rows and counters; it has no leases, no fence and no record of what was begun.',
    ];
    if (options.profile) notes.push('', 'Statements:', ...(await stack.slowest(16)));
    return { series: toSeries(figures, plain, bare), notes };
  } finally {
    await reference.stop();
  }
}

function toSeries(own: Record<Variant, Figures[]>, plain: Record<Variant, Plain[]>, bare: Plain[]): Series[] {
  const of = (variant: Variant, key: keyof Figures): number[] => own[variant].map((one) => one[key]);
  const ofPlain = (figures: Plain[], key: keyof Plain): number[] => figures.map((one) => one[key]);
  const unit = 'messages/s';
  return [
    {
      label: 'campaign',
      unit,
      rounds: of('unsigned', 'rate'),
      against: 'nodemailer with ledger',
      goal: { atLeast: 1.5 },
    },
    {
      label: 'campaign, RSA-2048',
      unit,
      rounds: of('signed', 'rate'),
      against: 'nodemailer with ledger',
      goal: { atLeast: 0.8 },
    },
    { label: 'nodemailer with ledger', unit, rounds: ofPlain(plain.unsigned, 'rate') },
    {
      label: 'nodemailer with ledger, RSA-2048',
      unit,
      rounds: ofPlain(plain.signed, 'rate'),
      against: 'nodemailer with ledger',
    },
    {
      label: 'nodemailer without any database',
      unit,
      rounds: ofPlain(bare, 'rate'),
      against: 'nodemailer with ledger',
    },
    {
      label: 'CPU per message, worker and PostgreSQL',
      unit: 'ms',
      rounds: of('unsigned', 'cpuMs'),
      against: 'CPU per message, nodemailer and PostgreSQL',
      digits: 2,
    },
    {
      label: 'the same, RSA-2048',
      unit: 'ms',
      rounds: of('signed', 'cpuMs'),
      against: 'CPU per message, nodemailer and PostgreSQL',
      digits: 2,
    },
    {
      label: 'CPU per message, nodemailer and PostgreSQL',
      unit: 'ms',
      rounds: ofPlain(plain.unsigned, 'cpuMs'),
      digits: 2,
    },
    { label: 'send to SENT', unit: 's', rounds: of('unsigned', 'seconds'), digits: 1 },
    { label: 'send to SENT, RSA-2048', unit: 's', rounds: of('signed', 'seconds'), digits: 1 },
    { label: 'memory of the delivery processes', unit: 'MiB', rounds: of('unsigned', 'memory') },
    { label: 'their memory, RSA-2048', unit: 'MiB', rounds: of('signed', 'memory') },
  ];
}

async function prepare(
  stack: BenchStack,
  recipients: number,
): Promise<Record<Variant | 'reference', TestProject>> {
  const appSecret = stack.stack.env.APP_SECRET ?? '';
  const unsigned = await createProject(stack.db, { appSecret, signed: false });
  const signed = await createProject(stack.db, { appSecret, signed: true });
  const reference = await createProject(stack.reference.db, { appSecret, signed: false });
  await insertContacts(stack.db, unsigned.id, recipients);
  await insertContacts(stack.db, signed.id, recipients);
  await insertContacts(stack.reference.db, reference.id, recipients);
  return { unsigned, signed, reference };
}

async function sendOurs(
  { stack, sink, db, postgresPid }: BenchStack,
  project: TestProject,
  recipients: number,
): Promise<Figures> {
  await sink.clear();
  const workerPid = stack.processes.worker.pid ?? 0;
  const pids = [workerPid, postgresPid];
  const memory = watchMemory(await mailProcessesOf(workerPid));
  const cpuBefore = await cpuSeconds(pids);
  const begun = performance.now();
  const content = { subject: newsletterSubject, body: newsletterBody };
  const campaignId = await sendCampaignNow(stack.urls.api, project, content);
  await untilCampaignSent(db, campaignId, { stallMs });
  const seconds = (performance.now() - begun) / 1_000;
  const cpuMs = (((await cpuSeconds(pids)) - cpuBefore) * 1_000) / recipients;
  return {
    rate: rateAtSink(await sink.messages(), recipients),
    cpuMs,
    seconds,
    memory: memory.stop() / 2 ** 20,
  };
}

async function sendPlain(
  { sink, postgresPid }: BenchStack,
  reference: ReferenceProcess,
  run: ReferenceRun,
): Promise<Plain> {
  await sink.clear();
  const pids = [reference.pid, postgresPid];
  const cpuBefore = await cpuSeconds(pids);
  await reference.ask<number>(run);
  const cpuMs = (((await cpuSeconds(pids)) - cpuBefore) * 1_000) / run.recipients;
  return { rate: rateAtSink(await sink.messages(), run.recipients), cpuMs };
}

function privateKey(): string {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey;
}
