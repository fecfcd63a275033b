import { configurationChecks } from './configuration.checks.ts';
import { dnsChecks } from './dns.checks.ts';
import type { Examined } from './examined.ts';
import type { Check } from './finding.ts';
import { portsChecks } from './ports.checks.ts';
import { postgresChecks } from './postgres.checks.ts';
import { queuesChecks } from './queues.checks.ts';
import { sesChecks } from './ses.checks.ts';
import { smtpChecks } from './smtp.checks.ts';
import { storageChecks } from './storage.checks.ts';
import { temporalChecks } from './temporal.checks.ts';
import { versionsChecks } from './versions.checks.ts';

/** Every check, in the order in which findings are shown. */
export const allChecks: readonly Check<Examined>[] = [
  ...configurationChecks,
  ...versionsChecks,
  ...postgresChecks,
  ...queuesChecks,
  ...temporalChecks,
  ...smtpChecks,
  ...dnsChecks,
  ...sesChecks,
  ...storageChecks,
  ...portsChecks,
];
