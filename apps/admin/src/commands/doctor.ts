import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDnsResolver, createInspections } from '@postrider/core/adapters';
import { coreEnv, withFiles } from '@postrider/core/base/kernel';
import {
  allChecks,
  concealer,
  type Examined,
  ExaminedDatabase,
  type Finding,
  type FindingGroup,
  findingGroups,
  freeShareOf,
  type Limits,
  readUsable,
  runChecks,
  usualLimits,
} from '@postrider/core/insight/findings';
import { type Environment, type Given, type StandaloneCommand, UsageError } from '../command.ts';
import { presentFindings } from '../doctor/present-findings.ts';
import { variablesElsewhere } from '../doctor/variables-elsewhere.ts';
import { version } from '../version.ts';

/** 0: nothing above advice */
const exitCodes = { sound: 0, warnings: 1, failures: 2, couldNotRun: 3 } as const;

const defaultSeconds = 60;
const mostSeconds = 600;
const closingMs = 1_000;

const isMailbox = /^[^\s@<>]+@[^\s@<>]+$/;

interface Wanted {
  groups: ReadonlySet<FindingGroup>;
  timeoutMs: number;
  sendTo: string | null;
}

export const doctor: StandaloneCommand = {
  summary: `Looks for what is wrong with the installation, and says what to do. Changes nothing. Exits with 0 if there is nothing above advice, 1 with warnings, 2 with failures, 3 if it could not run. Groups: ${findingGroups.join(', ')}.`,
  options: { only: 'group,…', send: 'address', timeout: 'seconds' },
  flags: ['json'],
  usageCode: exitCodes.couldNotRun,
  async runAlone(io, environment, given) {
    const wanted = readWanted(given);
    try {
      const findings = await examine(environment, wanted);
      const at = new Date();
      if (given.flags.has('json')) io.out(JSON.stringify({ version, at, findings }));
      else for (const line of presentFindings(findings)) io.out(line);
      return exitCodeOf(findings);
    } catch (error) {
      io.err(`doctor could not run: ${error instanceof Error ? error.message : String(error)}`);
      return exitCodes.couldNotRun;
    }
  },
};

function readWanted({ options }: Given): Wanted {
  const named = options['only']?.split(',').map((name) => name.trim());
  const groups = named?.map((name) => {
    const group = findingGroups.find((known) => known === name);
    if (group === undefined)
      throw new UsageError(`--only takes groups separated by commas: ${findingGroups.join(', ')}.`);
    return group;
  });
  const seconds = Number(options['timeout'] ?? defaultSeconds);
  if (!(seconds > 0 && seconds <= mostSeconds))
    throw new UsageError(`--timeout takes seconds, more than 0 and at most ${mostSeconds}.`);
  const sendTo = options['send'] ?? null;
  if (sendTo !== null && !isMailbox.test(sendTo)) throw new UsageError('--send takes an email address.');
  return { groups: new Set(groups ?? findingGroups), timeoutMs: seconds * 1_000, sendTo };
}

/** @param limits of tests, which cannot wait for what takes days */
export async function examine(
  environment: Environment,
  { groups, timeoutMs, sendTo }: Wanted,
  given: Partial<Omit<Examined, 'limits'>> & { limits?: Partial<Limits> } = {},
): Promise<Finding[]> {
  // It knows the worker, which no other command does.
  const [{ parseWorkerEnv, workerEnv }, { permanentSchedules }] = await Promise.all([
    import('@postrider/worker/env'),
    import('@postrider/worker/schedules'),
  ]);
  const env = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
  const { problems, broken, config, env: usable } = readUsable(env, [parseWorkerEnv]);
  const database = new ExaminedDatabase(config.DATABASE_URL);
  const examined: Examined = {
    env,
    problems,
    knownNames: [...Object.keys(coreEnv.shape), ...Object.keys(workerEnv.shape), ...variablesElsewhere],
    config,
    mailWorkers: config.MAIL_WORKERS ?? Math.max(1, availableParallelism() - 1),
    smtpConnections: parseWorkerEnv(usable).SMTP_CONNECTIONS,
    schedules: permanentSchedules,
    sendTo,
    database,
    inspect: createInspections(config),
    dns: createDnsResolver({ servers: config.dnsServers }),
    metricsPort: parseWorkerEnv(usable).WORKER_METRICS_PORT ?? null,
    clock: Date.now,
    freeShare: freeShareOf,
    ...given,
    limits: { ...usualLimits, ...given.limits },
  };
  try {
    return await runChecks(
      allChecks.filter(({ group }) => groups.has(group)),
      examined,
      { timeoutMs, broken, conceal: concealer(withFiles(env).env) },
    );
  } finally {
    // A connection that is still being made to a server that does not answer is not waited for.
    await Promise.race([database.close(), sleep(closingMs, undefined, { ref: false })]);
  }
}

function exitCodeOf(findings: readonly Finding[]): number {
  const has = (verdict: Finding['verdict']): boolean => findings.some((each) => each.verdict === verdict);
  if (has('failure')) return exitCodes.failures;
  // What could not be looked at may be wrong.
  return has('warning') || has('unknown') ? exitCodes.warnings : exitCodes.sound;
}
