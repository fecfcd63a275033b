import { setTimeout as delay } from 'node:timers/promises';
import { Gauge, register } from 'prom-client';
import { holdAdvisoryLock } from '../../base/db/index.ts';
import { type Inspections, type Services, withFiles } from '../../base/kernel/index.ts';
import {
  allChecks,
  concealer,
  type Examined,
  ExaminedDatabase,
  type Finding,
  type FindingGroup,
  freeShareOf,
  runChecks,
  usualLimits,
  type Verdict,
} from '../findings/index.ts';
import { noteMailed, noteStates } from './finding-states.store.ts';

const lookMs = 15 * 60_000;
/** After a look that failed as a whole, and for the process that does not look. */
const againMs = 60_000;
const timeoutMs = 60_000;

/** Checks that ask no other server often, and depend on no shell. */
const lightGroups: ReadonlySet<FindingGroup> = new Set([
  'configuration',
  'versions',
  'postgres',
  'queues',
  'temporal',
  'storage',
]);
const lightChecks = allChecks.filter(
  ({ group, name }) => lightGroups.has(group) && !(group === 'configuration' && name === 'names'),
);

/** From the worst on. */
const worstFirst: readonly Verdict[] = ['failure', 'warning', 'unknown', 'advice', 'ok'];

/** What only the process knows that looks. */
export interface Surroundings extends Pick<Examined, 'mailWorkers' | 'smtpConnections' | 'schedules'> {
  env: Readonly<Record<string, string | undefined>>;
  inspect: Inspections;
}

/** Makes the light checks. */
async function lookForFindings(
  { config, dns }: Services,
  { env: given, ...surroundings }: Surroundings,
): Promise<Finding[]> {
  const env = Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
  const database = new ExaminedDatabase(config.DATABASE_URL);
  const examined: Examined = {
    ...{ ...surroundings, env, config, dns, database },
    ...{ problems: [], knownNames: [], metricsPort: null, sendTo: null },
    ...{ clock: Date.now, freeShare: freeShareOf, limits: usualLimits },
  };
  try {
    // Secrets may be in files, which variables name.
    const conceal = concealer(withFiles(env).env);
    return await runChecks(lightChecks, examined, { timeoutMs, broken: new Set(), conceal });
  } finally {
    await database.close();
  }
}

/** Writes what has changed to the log, and tells the operator of new failures. */
export async function tellFindings(services: Services, findings: readonly Finding[]): Promise<void> {
  const { database, config, log, platformMail } = services;
  const worst = new Map<string, Finding>();
  for (const finding of findings) {
    const known = worst.get(finding.check);
    if (!known || worstFirst.indexOf(finding.verdict) < worstFirst.indexOf(known.verdict))
      worst.set(finding.check, finding);
  }
  const states = new Map([...worst].map(([check, { verdict }]) => [check, verdict]));
  const { changed, mailed } = await database.prisma.$transaction(async (db) => {
    const changes = await noteStates(db, states);
    const to = config.OPERATOR_EMAIL;
    const failed =
      to === undefined ? [] : changes.filter(({ verdict, mayMail }) => verdict === 'failure' && mayMail);
    for (const { check } of failed) {
      const { found = '', cause = '', action = '' } = worst.get(check) ?? {};
      await platformMail.write(db, {
        to: { email: to ?? '', language: 'en' },
        mail: 'findingFailed',
        values: { check, found, cause, action },
        url: config.DASHBOARD_URL,
      });
    }
    if (failed.length > 0)
      await noteMailed(
        db,
        failed.map(({ check }) => check),
      );
    return { changed: changes, mailed: failed.length };
  });
  if (mailed > 0) platformMail.notify();
  for (const { check, verdict, former } of changed) {
    if (verdict === 'ok') {
      if (former !== null) log.info({ check, verdict, former }, 'a finding has changed');
      continue;
    }
    const { subject, found, cause, action, reference } = worst.get(check) ?? {};
    log.warn({ check, verdict, former, subject, found, cause, action, reference }, 'a finding has changed');
  }
}

/**
 * Makes the light checks again and again, in one process of all that call this.
 *
 * @returns what stops it
 */
export function watchFindings(
  services: Services,
  surroundings: Surroundings,
  everyMs = lookMs,
): () => Promise<void> {
  const { config, log } = services;
  const gauge = findingsGauge();
  const stopping = new AbortController();
  const lock = holdAdvisoryLock(config.DATABASE_URL, 'findings');
  const look = async (): Promise<number> => {
    if (!(await lock.isHeld())) {
      gauge.reset();
      return againMs;
    }
    const findings = await lookForFindings(services, surroundings);
    gauge.reset();
    for (const { check, verdict } of findings) gauge.inc({ check, verdict });
    await tellFindings(services, findings);
    return everyMs;
  };
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const waitMs = await look().catch((error: unknown) => {
        log.warn({ err: error }, 'findings could not be looked for; trying again');
        return againMs;
      });
      await delay(Math.min(waitMs, everyMs), undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const running = run();
  return async () => {
    stopping.abort();
    await Promise.race([running, delay(1_000)]);
    gauge.reset();
    await lock.release();
  };
}

function findingsGauge(): Gauge<'check' | 'verdict'> {
  const name = 'postrider_findings';
  register.removeSingleMetric(name);
  return new Gauge({
    name,
    help: 'Subjects of the checks of doctor by their verdict',
    labelNames: ['check', 'verdict'],
  });
}
