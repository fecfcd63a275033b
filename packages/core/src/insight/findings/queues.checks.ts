import type { Pool } from 'pg';
import { enterJobKind, findDue, findOverdueRequests } from '../../automation/workflows/index.ts';
import { findOverdueMail } from '../../mail/ledger/index.ts';
import { findOverdueDeliveries } from '../webhook-endpoints/index.ts';
import type { Examined } from './examined.ts';
import { checksOf, type Outcome, ok, warning } from './finding.ts';
import { counted, duration, listed } from './quantities.ts';
import { findExpired, findOverdueJobs } from './queues.store.ts';
import { keptBy } from './sweep-backlog.ts';

const noWorker = 'No worker is running, it does not reach the database, or it has stopped working on this.';
const lookAtWorker =
  'Start a worker, or read the log of the one that runs. A restart loses nothing: what is due stays due.';

const queuesOf = ({ database }: Examined): Promise<Pool> => database.ofThisVersion();

async function email(examined: Examined): Promise<Outcome[]> {
  const { dueSeconds } = examined.limits;
  const found = await findOverdueMail(await queuesOf(examined), dueSeconds);
  const { projects, abandoned, abandonedSeconds, isPaused } = found;
  const outcomes: Outcome[] = [];
  const [first] = projects;
  if (first)
    outcomes.push(
      warning({
        subject: 'email',
        found: `email of ${counted(projects.length, 'project')} is due for up to ${duration(first.seconds)} and held by nothing: ${listed(projects.map(({ projectId }) => projectId))}`,
        cause: isPaused
          ? 'The mail server does not take email at present, and the route is paused.'
          : noWorker,
        action: isPaused
          ? 'Read the reason of the pause in the log of the worker, and resolve what the checks of the mail server find.'
          : lookAtWorker,
      }),
    );
  if (abandoned > 0)
    outcomes.push(
      warning({
        subject: 'email',
        found: `the lease of ${counted(abandoned, 'batch', 'batches')} ended ${duration(abandonedSeconds ?? 0)} ago, and no process has taken note`,
        cause: `The process that held them is gone. ${noWorker}`,
        action: lookAtWorker,
      }),
    );
  return outcomes.length > 0 ? outcomes : [ok('email', 'nothing is due that no process works on')];
}

type Kind = Awaited<ReturnType<typeof findDue>>[number]['kind'];

async function ofWorkflows(
  examined: Examined,
  subject: string,
  isOfIt: (kind: Kind) => boolean,
): Promise<Outcome[]> {
  const { dueSeconds } = examined.limits;
  const due = await findDue(await queuesOf(examined), null);
  const late = due
    .filter(({ kind, inMs }) => isOfIt(kind) && inMs < -dueSeconds * 1_000)
    .sort((a, b) => a.inMs - b.inMs);
  const [first] = late;
  if (!first) return [ok(subject, 'nothing is overdue')];
  const projects = [...new Set(late.map(({ projectId }) => projectId))];
  return [
    warning({
      subject,
      found: `${subject} of ${counted(projects.length, 'project')} are due for up to ${duration(-first.inMs / 1_000)}: ${listed(projects)}`,
      cause: noWorker,
      action: lookAtWorker,
    }),
  ];
}

async function webhooks(examined: Examined): Promise<Outcome[]> {
  const late = await findOverdueDeliveries(await queuesOf(examined), examined.limits.dueSeconds);
  const [first] = late;
  if (!first) return [ok('webhook deliveries', 'nothing is overdue')];
  return [
    warning({
      subject: 'webhook deliveries',
      found: `deliveries of ${counted(late.length, 'endpoint')} are due for up to ${duration(first.seconds)}: ${listed(late.map(({ endpointId }) => endpointId))}`,
      cause: noWorker,
      action: lookAtWorker,
    }),
  ];
}

async function requests(examined: Examined): Promise<Outcome[]> {
  const late = await findOverdueRequests(await queuesOf(examined), examined.limits.dueSeconds);
  const [first] = late;
  if (!first) return [ok('requests of workflows', 'nothing is overdue')];
  return [
    warning({
      subject: 'requests of workflows',
      found: `requests to ${counted(late.length, 'host')} are due for up to ${duration(first.seconds)}: ${listed(late.map(({ host }) => host))}`,
      cause: noWorker,
      action: lookAtWorker,
    }),
  ];
}

async function jobs(examined: Examined): Promise<Outcome[]> {
  const late = await findOverdueJobs(await queuesOf(examined), examined.limits.dueSeconds, [enterJobKind]);
  if (late.length === 0) return [ok('jobs', 'none waits for long')];
  return late.map(({ kind, count, seconds }) =>
    warning({
      subject: `jobs ${kind}`,
      found: `${counted(count, 'job')} of the kind ${kind} ${count === 1 ? 'waits' : 'wait'} for up to ${duration(seconds)}`,
      cause:
        'The Temporal server, which starts them, or the worker is away, or other jobs of the same owner come first.',
      action: lookAtWorker,
    }),
  );
}

async function expired(examined: Examined): Promise<Outcome[]> {
  const { config, limits } = examined;
  const late = await findExpired(await queuesOf(examined), keptBy(config), limits.expiredMs);
  if (late.length === 0) return [ok('expired rows', 'removed in time')];
  return late.map(({ kind, seconds }) =>
    warning({
      subject: kind,
      found: `rows are still there ${duration(seconds)} after they expired`,
      cause: 'The hourly removal does not run, fails for this kind, or does not keep up.',
      action:
        'Look for "could not be removed" in the log of the worker, and at the schedule "sweep" of the Temporal server.',
    }),
  );
}

export const queuesChecks = checksOf<Examined>('queues', ['DATABASE_URL'])({
  email: { reference: 'Queues: email', run: email },
  events: {
    reference: 'Queues: events',
    run: (examined) => ofWorkflows(examined, 'events', (kind) => kind === 'events'),
  },
  executions: {
    reference: 'Queues: executions',
    run: (examined) => ofWorkflows(examined, 'executions', (kind) => kind !== 'events'),
  },
  webhooks: { reference: 'Queues: webhook deliveries', run: webhooks },
  requests: { reference: 'Queues: requests of workflows', run: requests },
  jobs: { reference: 'Queues: jobs', run: jobs },
  expired: { reference: 'Queues: expired rows', run: expired, needs: ['IDEMPOTENCY_TTL_HOURS'] },
});
