import { Counter, Gauge, Histogram, register } from 'prom-client';

/** One per process, like its registry. */
const once = <Metric>(name: string, make: (name: string) => Metric): Metric =>
  (register.getSingleMetric(name) as Metric | undefined) ?? make(name);

const counter = <Label extends string>(suffix: string, help: string, labelNames: Label[]): Counter<Label> =>
  once(`postrider_${suffix}`, (name) => new Counter({ name, help, labelNames }));

const histogram = <Label extends string>(
  suffix: string,
  help: string,
  labelNames: Label[],
  buckets: number[],
): Histogram<Label> =>
  once(`postrider_${suffix}`, (name) => new Histogram({ name, help, labelNames, buckets }));

const seconds = (since: number): number => Math.max(0, performance.now() - since) / 1_000;

/** With the limits of the objectives among them: 2, 5 and 10 seconds. */
const delays = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 15, 60, 300, 3_600];
const durations = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

const accepts = histogram(
  'accept_seconds',
  'Time from the first byte of a request for an email or an event to the end of its answer',
  ['door'],
  [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
);

export const observeAccept = (door: string, milliseconds: number): void =>
  accepts.observe({ door }, milliseconds / 1_000);

const requests = counter('requests_total', 'Requests by operation and status', ['operation', 'status']);

export const countRequest = (operation: string, status: number): void => requests.inc({ operation, status });

const sendDelay = histogram(
  'send_delay_seconds',
  'Time from when an email was due to the first byte of its message',
  ['source'],
  delays,
);

/** @param dueAt by the monotonic clock */
export const observeSendDelay = (source: string, dueAt: number): void =>
  sendDelay.observe({ source: source.toLowerCase() }, seconds(dueAt));

const executionDelay = histogram(
  'execution_delay_seconds',
  'How late executions of workflows were advanced',
  [],
  delays,
);

export const observeExecutionDelay = (milliseconds: number): void =>
  executionDelay.observe(Math.max(0, milliseconds) / 1_000);

const webhookDelay = histogram(
  'webhook_delay_seconds',
  'How late the first attempts of webhook deliveries were',
  [],
  delays,
);

export const observeWebhookDelay = (milliseconds: number): void =>
  webhookDelay.observe(Math.max(0, milliseconds) / 1_000);

const emails = counter('emails_total', 'What became of attempts to send an email', ['source', 'outcome']);

export const countEmails = (source: string, outcome: string, count: number): void =>
  emails.inc({ source: source.toLowerCase(), outcome }, count);

const uncertain = counter('uncertain_total', 'Email that became UNCERTAIN', ['cause']);

/** `answer`: the connection ended before the answer; `process`: the process that sent it ended */
export const countUncertain = (cause: 'answer' | 'process', count: number): void =>
  uncertain.inc({ cause }, count);

const sets = counter('sets_total', 'Sets of executions by outcome', ['outcome']);
const setTime = histogram('set_seconds', 'Duration of sets of executions', [], durations);

/** `divided`: executions of it failed alone; `error`: it is tried again */
export function observeSet(outcome: 'done' | 'divided' | 'error', since: number): void {
  sets.inc({ outcome });
  setTime.observe(seconds(since));
}

const webhookAttempts = counter('webhook_attempts_total', 'Attempts of webhook deliveries', ['result']);

export const countWebhookAttempt = (result: 'delivered' | 'failed' | 'gone'): void =>
  webhookAttempts.inc({ result });

const smtpReplies = counter('smtp_replies_total', 'How hand-overs of messages ended', ['route', 'class']);

export const countReply = (route: string, replyClass: string): void =>
  smtpReplies.inc({ route, class: replyClass });

const sqlTime = histogram('sql_seconds', 'Duration of prepared statements', ['statement'], durations);

export const observeStatement = (statement: string, since: number): void =>
  sqlTime.observe({ statement }, seconds(since));

const groupSize = histogram(
  'group_size',
  'Requests that one statement stored together',
  ['group'],
  [1, 2, 5, 10, 20, 50, 100],
);

export const observeGroup = (group: string, size: number): void => groupSize.observe({ group }, size);

const sweptRows = counter('sweep_rows_total', 'Expired rows that were removed', ['kind']);

export const countSwept = (kind: string, rows: number): void => sweptRows.inc({ kind }, rows);

const differences = counter(
  'ledger_difference_total',
  'Counters of campaigns that differed from their emails, and were corrected',
  [],
);

export const countDifferences = (count: number): void => differences.inc(count);

type Sample = Readonly<{ labels: Record<string, string>; value: number }>;

/** A gauge that is read when it is asked for. @returns what removes this source of samples */
type SampledGauge = (read: () => readonly Sample[]) => () => void;

function sampled(suffix: string, help: string, labelNames: string[]): SampledGauge {
  const sources = new Set<() => readonly Sample[]>();
  const name = `postrider_${suffix}`;
  register.removeSingleMetric(name);
  new Gauge({
    name,
    help,
    labelNames,
    collect() {
      this.reset();
      for (const read of sources) for (const { labels, value } of read()) this.inc(labels, value);
    },
  });
  return (read) => {
    sources.add(read);
    return () => sources.delete(read);
  };
}

/** `busy`, `idle`, and `waiting` for one of them */
export const sampleConnections = sampled('db_connections', 'Connections to PostgreSQL', ['pool', 'state']);

/** `busy`, `free`, and `refused`: configured, and more than the server allows at present */
export const sampleSmtpConnections = sampled('smtp_connections', 'Connections to mail servers', [
  'route',
  'state',
]);

/** Says which version this process is of. */
export function showBuild(version: string): void {
  const name = 'postrider_build_info';
  const known = register.getSingleMetric(name) as Gauge<'version'> | undefined;
  const build =
    known ??
    new Gauge({ name, help: 'The version of the process', labelNames: ['version'], aggregator: 'max' });
  build.set({ version }, 1);
}
