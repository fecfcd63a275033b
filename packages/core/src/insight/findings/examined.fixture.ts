import { createDnsResolver } from '../../adapters/dns/index.ts';
import { createInspections } from '../../adapters/inspections.ts';
import { readConfig } from '../../base/kernel/index.ts';
import { concealer } from './conceal.ts';
import { type Examined, freeShareOf, usualLimits } from './examined.ts';
import { ExaminedDatabase } from './examined-database.ts';
import type { Check, Finding } from './finding.ts';
import { runChecks } from './run-checks.ts';

/** What these checks find with an environment that has, beside what every process needs, these variables. */
export async function examineWith(
  checks: readonly Check<Examined>[],
  env: Record<string, string>,
  given: Partial<Examined> = {},
): Promise<Finding[]> {
  const whole = { DATABASE_URL: 'postgres://127.0.0.1:1/none', APP_SECRET: '-'.repeat(32), ...env };
  const config = readConfig(whole);
  const database = new ExaminedDatabase(config.DATABASE_URL);
  const examined: Examined = {
    ...{
      env: whole,
      problems: [],
      knownNames: [],
      config,
      mailWorkers: 1,
      smtpConnections: 64,
      schedules: [],
    },
    ...{ metricsPort: null, sendTo: null, database, inspect: createInspections(config), clock: Date.now },
    ...{
      dns: createDnsResolver({ servers: config.dnsServers }),
      freeShare: freeShareOf,
      limits: usualLimits,
    },
    ...given,
  };
  try {
    return await runChecks(checks, examined, {
      timeoutMs: 30_000,
      broken: new Set(),
      conceal: concealer(whole),
    });
  } finally {
    await database.close();
  }
}

export function findingOf(findings: readonly Finding[], check: string): Finding {
  const finding = findings.find((each) => each.check === check);
  if (!finding) throw new Error(`${check} found nothing`);
  return finding;
}
