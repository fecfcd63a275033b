import type { TemporalFacts } from '../../base/kernel/index.ts';
import type { Examined } from './examined.ts';
import { checksOf, failure, NotReached, type Outcome, ok, warning } from './finding.ts';
import { counted, listed } from './quantities.ts';

type Found = TemporalFacts | { kind: 'away' | 'no namespace' | 'not allowed'; error: string };

/** One look at the server for all checks. */
const looks = new WeakMap<Examined, Promise<Found>>();

function look(examined: Examined): Promise<Found> {
  const found = looks.get(examined) ?? examined.inspect.temporal(examined.schedules);
  looks.set(examined, found);
  return found;
}

/** @throws NotReached */
async function reached(examined: Examined): Promise<TemporalFacts> {
  const found = await look(examined);
  if (found.kind !== 'found') throw new NotReached('the Temporal server was not reached');
  return found;
}

async function connection(examined: Examined): Promise<Outcome[]> {
  const { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace } = examined.config;
  const found = await look(examined);
  switch (found.kind) {
    case 'found':
      return [ok(address, `the Temporal server answers, and has the namespace ${namespace}`)];
    case 'away':
      return [
        failure({
          subject: address,
          found: `the Temporal server does not answer: ${found.error}`,
          cause:
            'Imports, exports, campaigns that begin, checks of domains and the hourly removal wait for it. Email that is accepted is sent without it.',
          action: 'Start the Temporal server, or correct TEMPORAL_ADDRESS.',
        }),
      ];
    case 'no namespace':
      return [
        failure({
          subject: namespace,
          found: `the Temporal server has no namespace ${namespace}`,
          cause: 'Workers poll a namespace that does not exist: no workflow starts.',
          action: `Create it (temporal operator namespace create ${namespace} --retention 72h), or correct TEMPORAL_NAMESPACE.`,
        }),
      ];
    case 'not allowed':
      return [
        failure({
          subject: address,
          found: `the Temporal server refuses the key: ${found.error}`,
          cause: 'TEMPORAL_API_KEY is wrong, has expired, or is not for this namespace.',
          action: `Make another key for the namespace ${namespace}, and set TEMPORAL_API_KEY to it.`,
        }),
      ];
  }
}

async function retention(examined: Examined): Promise<Outcome[]> {
  const { retentionDays } = await reached(examined);
  const { retentionFailureDays, retentionWarningDays } = examined.limits;
  const namespace = examined.config.TEMPORAL_NAMESPACE;
  if (retentionDays === null) return [ok('retention', 'the server does not say it')];
  const days = counted(Number(retentionDays.toFixed(2)), 'day');
  const set = `Set it to 3 days: temporal operator namespace update ${namespace} --retention 72h`;
  if (retentionDays < retentionFailureDays)
    return [
      failure({
        subject: namespace,
        found: `the namespace keeps ended workflows for ${days}`,
        cause:
          'A run that ended is forgotten before what signals it again has looked, and may run once more.',
        action: set,
      }),
    ];
  if (retentionDays > retentionWarningDays)
    return [
      warning({
        subject: namespace,
        found: `the namespace keeps ended workflows for ${days}`,
        cause:
          'Nothing reads them. The store of the Temporal server grows, and may hold addresses of contacts that long.',
        action: set,
      }),
    ];
  return [ok('retention', days)];
}

async function schedules(examined: Examined): Promise<Outcome[]> {
  const { missing, paused } = await reached(examined);
  const outcomes: Outcome[] = [];
  if (missing.length > 0)
    outcomes.push(
      warning({
        subject: 'schedules',
        found: `${counted(missing.length, 'schedule does', 'schedules do')} not exist: ${listed(missing, 10)}`,
        cause:
          'A worker makes them within moments of its start. None has run with this server and namespace since its store was emptied.',
        action: 'Start a worker, and compare its TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE with these.',
      }),
    );
  if (paused.length > 0)
    outcomes.push(
      warning({
        subject: 'schedules',
        found: `${counted(paused.length, 'schedule is', 'schedules are')} paused: ${listed(paused, 10)}`,
        cause: 'A person paused them. What they do stays undone.',
        action: `Resume them: temporal schedule toggle --unpause --schedule-id ${paused[0]}`,
      }),
    );
  return outcomes.length > 0 ? outcomes : [ok('schedules', 'all of them exist')];
}

export const temporalChecks = checksOf<Examined>('temporal', [
  'TEMPORAL_ADDRESS',
  'TEMPORAL_NAMESPACE',
  'TEMPORAL_API_KEY',
])({
  connection: { reference: 'Temporal server: connection', run: connection },
  retention: { reference: 'Temporal server: retention', run: retention },
  schedules: { reference: 'Temporal server: schedules', run: schedules },
});
