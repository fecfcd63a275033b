import { composeServices } from '@postrider/core/adapters';
import { listContacts } from '@postrider/core/audience/segments';
import {
  type Context,
  type CoreConfig,
  type SystemContextOptions,
  systemContext,
} from '@postrider/core/base/kernel';
import { pino } from 'pino';
import type { BenchStack } from '../harness/bench-stack.ts';
import { logPlans, plansOf } from './plans.store.ts';

/** The query plans of contact lists and other operations. Run after the measurements, because logging plans takes time. */
export async function explainOperations(
  { db, postgresLog }: BenchStack,
  config: CoreConfig,
  project: NonNullable<SystemContextOptions['project']>,
  pages: Record<string, Record<string, string>>,
  others: Record<string, (ctx: Context) => Promise<unknown>>,
): Promise<string[]> {
  await logPlans(db);
  const services = composeServices(config, pino({ level: 'error' }), { connections: 2 });
  try {
    const ctx = systemContext(services, { project });
    const lists = Object.entries(pages).map(
      ([label, page]) => [label, () => listContacts.run(ctx, page)] as const,
    );
    const rest = Object.entries(others).map(([label, work]) => [label, () => work(ctx)] as const);
    const lines: string[] = [];
    for (const [label, work] of [...lists, ...rest])
      lines.push('', `Plan, ${label}:`, ...(await plansOf(postgresLog, work)));
    return lines;
  } finally {
    await services.close();
  }
}
