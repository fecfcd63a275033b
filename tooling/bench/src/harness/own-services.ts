import { composeServices } from '@postrider/core/adapters';
import { readConfig } from '@postrider/core/base/kernel';
import { pino } from 'pino';
import type { BenchStack } from './bench-stack.ts';

/** Services of the bench itself on the database of the stack, for work that is measured without a process of the product. */
export function ownServices(
  { stack: { env, urls } }: BenchStack,
  { connections, level = 'warn' }: { connections: number; level?: 'warn' | 'error' },
): ReturnType<typeof composeServices> {
  const config = readConfig({
    NODE_ENV: 'test',
    DATABASE_URL: urls.database,
    APP_SECRET: env.APP_SECRET ?? '',
    TEMPORAL_ADDRESS: urls.temporal,
  });
  return composeServices(config, pino({ level }), { connections });
}
