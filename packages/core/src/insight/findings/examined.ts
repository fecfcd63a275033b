import { statfs } from 'node:fs/promises';
import type { CoreConfig, DnsResolver, Inspections } from '../../base/kernel/index.ts';
import type { ExaminedDatabase } from './examined-database.ts';

/** From which figures on something is a finding. Tests use smaller ones. */
export const usualLimits = {
  /** major version of PostgreSQL */
  oldestPostgres: 15,
  /** shares of the disk that are free */
  diskFailure: 0.05,
  diskWarning: 0.15,
  /** share of the way to the wraparound of transaction ids */
  wraparound: 0.5,
  transactionSeconds: 300,
  bloatShare: 0.4,
  bloatBytes: 1024 ** 3,
  deadRows: 1_000_000,
  deadRowsHours: 1,
  clockFailureMs: 2_000,
  clockWarningMs: 200,
  /** how long after its time something is late */
  dueSeconds: 600,
  expiredMs: 6 * 3_600_000,
  certificateFailureDays: 3,
  certificateWarningDays: 21,
  /** connections that the check of a mail server opens at most */
  triedConnections: 20,
  /** of ended workflows */
  retentionFailureDays: 1,
  retentionWarningDays: 30,
  /** verified domains whose records are looked up */
  domains: 200,
  /** share of the daily quota of SES that is used */
  sesQuota: 0.8,
  /** share of the disk of images that is free, below which nothing is stored (behaviour B8.7) */
  filesDisk: 0.05,
};

export type Limits = typeof usualLimits;

/** An installation, as far as its environment can be used. */
export interface Examined {
  /** the environment as it was given, without empty variables */
  env: Readonly<Record<string, string>>;
  /** what is wrong with it */
  problems: readonly { variable: string; text: string }[];
  /** the names of all variables that an installation reads */
  knownNames: readonly string[];
  config: CoreConfig;
  /** delivery processes of each worker */
  mailWorkers: number;
  /** connections of each delivery process to the mail server */
  smtpConnections: number;
  /** the schedules of the Temporal server that a worker makes */
  schedules: readonly string[];
  /** of the worker; null without */
  metricsPort: number | null;
  /** where one email is sent; null: nowhere */
  sendTo: string | null;
  database: ExaminedDatabase;
  inspect: Inspections;
  dns: DnsResolver;
  /** the clock of this machine, in milliseconds since 1970 */
  clock(): number;
  /** the share of a disk that is free; null where the folder does not exist or may not be looked at */
  freeShare(folder: string): Promise<number | null>;
  limits: Limits;
}

export async function freeShareOf(folder: string): Promise<number | null> {
  try {
    const { bavail, blocks } = await statfs(folder);
    return blocks > 0 ? bavail / blocks : null;
  } catch {
    return null;
  }
}
