import { configurationChecks } from './configuration.checks.ts';
import type { Examined } from './examined.ts';
import type { Check } from './finding.ts';
import { postgresChecks } from './postgres.checks.ts';
import { queuesChecks } from './queues.checks.ts';
import { smtpChecks } from './smtp.checks.ts';
import { temporalChecks } from './temporal.checks.ts';

/** Every check, in the order in which findings are shown. */
export const allChecks: readonly Check<Examined>[] = [
  ...configurationChecks,
  ...postgresChecks,
  ...queuesChecks,
  ...temporalChecks,
  ...smtpChecks,
];
