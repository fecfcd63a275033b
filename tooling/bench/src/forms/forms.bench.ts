import { openHttpConnection } from '@postrider/harness/http-connection';
import { createProject, type TestProject } from '@postrider/harness/project.store';
import type { Bench, BenchOptions, BenchResult, Series } from '../harness/bench.ts';
import { type BenchStack, startBenchStack } from '../harness/bench-stack.ts';
import { cpuSeconds } from '../harness/cpu-time.ts';
import { loadHttp } from '../harness/load.ts';
import { receiptBody } from '../send/send-request.ts';

/** One form of request; `emails` are those of each. */
interface Form {
  path: string;
  emails: number;
  connections: number;
  /** @param next an email to an address that was not used before */
  bodyOf(next: () => Email, templateId: string): unknown;
  /** of emails per second, beside plain single sends */
  atLeast?: number;
}

interface Email {
  to: string;
  from: string;
  subject: string;
  body: string;
  data: { name: string };
}

const itemsOfBatch = 100;

const forms = {
  plain: { path: '/v1/send', emails: 1, connections: 64, bodyOf: (next) => next() },
  template: {
    path: '/v1/send',
    emails: 1,
    connections: 64,
    bodyOf: (next, template) => {
      const { to, data } = next();
      return { to, data, template };
    },
    atLeast: 1,
  },
  labels: {
    path: '/v1/send',
    emails: 1,
    connections: 64,
    bodyOf: (next) => ({
      ...next(),
      tags: ['receipt', 'europe'],
      metadata: { order: 1001, shop: 'north', paid: true },
    }),
    atLeast: 0.8,
  },
  batch: {
    path: '/v1/send/batch',
    emails: itemsOfBatch,
    connections: 8,
    bodyOf: (next) => ({ emails: Array.from({ length: itemsOfBatch }, next) }),
    atLeast: 1.5,
  },
  copies: {
    path: '/v1/send',
    emails: 3,
    connections: 64,
    bodyOf: (next) => ({ ...next(), cc: next().to, bcc: next().to }),
  },
} satisfies Record<string, Form>;

type FormName = keyof typeof forms;
const labels: Record<FormName, string> = {
  plain: 'single sends, body in the request',
  template: 'single sends, stored template',
  labels: 'single sends, two tags and three metadata keys',
  batch: `batches of ${itemsOfBatch}`,
  copies: 'single sends with a cc and a bcc',
};

export const formsBench: Bench = {
  name: 'forms',
  summary:
    'emails per second by stored template, with tags and metadata, by batch and with copies beside plain /v1/send, by turns; and without the request log',
  async run(options) {
    const stack = await startBenchStack(options);
    try {
      return await measure(stack, options);
    } finally {
      await stack.stop();
    }
  },
};

async function measure(stack: BenchStack, { rounds, seconds, log }: BenchOptions): Promise<BenchResult> {
  const own = await prepare(stack);
  // On the same tables: beside a database of its own, the sizes of the two would be compared.
  const { url, service } = await stack.stack.addApi({ REQUEST_LOG_DAYS: '0' });
  const unlogged = { ...own, origin: originOf(url), pids: [service.pid ?? 0, stack.postgres.pid] };
  const rates = new Map<string, number[]>();
  const run = async (label: string, target: Target, form: Form, round: number): Promise<void> => {
    const { requestsPerSecond, cpuMs } = await load(target, form, `${round}`, seconds);
    const rate = requestsPerSecond * form.emails;
    rates.set(label, [...(rates.get(label) ?? []), rate]);
    log(
      `round ${round}, ${label}: ${rate.toFixed(0)} emails/s, ${(cpuMs / form.emails).toFixed(3)} ms CPU each`,
    );
  };
  const names = Object.keys(forms) as FormName[];
  log('warming up');
  for (const name of names) await load(own, forms[name], 'warm', 2);
  for (const name of names) await load(unlogged, forms[name], 'warm', 2);
  for (let round = 1; round <= rounds; round += 1) {
    for (const name of round % 2 === 0 ? names.toReversed() : names)
      await run(labels[name], own, forms[name], round);
  }
  // Right after one another, so that what changes in the course of a run concerns both: the log costs less than that.
  const logs = [
    [withLog, own],
    [withoutLog, unlogged],
  ] as const;
  for (let round = 1; round <= rounds * turnsPerRound; round += 1) {
    for (const [label, target] of round % 2 === 0 ? logs.toReversed() : logs)
      await run(label, target, forms.plain, round);
  }
  const ratesOf = (label: string): number[] => rates.get(label) ?? [];
  const shared = { unit: 'emails/s' };
  const series = names.map((name): Series => {
    const { atLeast }: Form = forms[name];
    return {
      ...shared,
      label: labels[name],
      rounds: ratesOf(labels[name]),
      ...(name !== 'plain' && { against: labels.plain }),
      ...(atLeast !== undefined && { goal: { atLeast } }),
    };
  });
  return {
    series: [
      ...series,
      {
        ...shared,
        label: withLog,
        rounds: ratesOf(withLog),
        against: withoutLog,
        goal: { atLeast: 0.98 },
      },
      { ...shared, label: withoutLog, rounds: ratesOf(withoutLog) },
    ],
    notes: [
      'Each email goes to a new recipient, with about 4 kB of HTML; 64 connections with one request at a time, batches by 8. The workers are stopped while this runs.',
      'With and without the request log: two api processes on one database, by turns, the first one changing.',
    ],
  };
}

const withLog = 'single sends, with the request log';
const withoutLog = 'single sends, without the request log';
/** A difference of two in a hundred is smaller than that between two turns: it takes more of them. */
const turnsPerRound = 2;

interface Target {
  origin: string;
  pids: number[];
  project: TestProject;
  templateId: string;
}

const originOf = (url: string): string => url.replace('localhost', '127.0.0.1');

/** Only accepting is measured. */
async function prepare({ stack, postgres, db }: BenchStack): Promise<Target> {
  await stack.processes.worker.stop();
  const project = await createProject(db, { appSecret: stack.env.APP_SECRET ?? '', signed: false });
  const origin = originOf(stack.urls.api);
  const connection = await openHttpConnection(origin, `Bearer ${project.secretKey}`);
  const { subject, body } = emailOf(project.from, 'template', 0);
  const template = { name: 'Receipt', type: 'TRANSACTIONAL', from: project.from, subject, body };
  const created = await connection.post('/templates', JSON.stringify(template));
  connection.close();
  if (created.status !== 201) throw new Error(`The template was not stored: ${created.body.slice(0, 300)}`);
  const { id } = JSON.parse(created.body) as { id: string };
  return { origin, pids: [stack.processes.api.pid ?? 0, postgres.pid], project, templateId: id };
}

function load(target: Target, form: Form, run: string, seconds: number) {
  const { origin, pids, project, templateId } = target;
  const next = (): Email => {
    sent += 1;
    return emailOf(project.from, run, sent);
  };
  return loadHttp({
    connections: form.connections,
    open: () => openHttpConnection(origin, `Bearer ${project.secretKey}`),
    warmUpSeconds: 2,
    seconds,
    request: (connection) => connection.post(form.path, JSON.stringify(form.bodyOf(next, templateId))),
    status: 200,
    cpu: () => cpuSeconds(pids),
  });
}

let sent = 0;

const emailOf = (from: string, run: string, number: number): Email => ({
  to: `${run}-${number}@people.test`,
  from,
  subject: 'Your order, {{name ?? friend}}',
  body: receiptBody,
  data: { name: `Person ${number}` },
});
