import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { databaseIsAway } from './availability.ts';
import { openClient } from './connect.ts';
import { migrate, settle } from './migrate.ts';
import { SchemaError } from './schema-fit.ts';
import { readSchemaState } from './schema-state.ts';
import { refuseStopped } from './stopped.ts';

/** `auto`: a process that finds an older schema migrates the database; `manual`: it does not start. */
export type MigrateMode = 'auto' | 'manual';

export interface FitOptions {
  url: string;
  mode: MigrateMode;
  log: Logger;
}

/**
 * Makes sure that a process can use its database, before it does anything else.
 *
 * @throws SchemaError when it cannot; the message says what to do
 */
export async function fitSchema({ url, mode, log }: FitOptions): Promise<void> {
  if (mode === 'auto') await migrate(url, { tell: (message) => log.warn(message) });
  const client = openClient({ connectionString: url });
  await client.connect();
  try {
    await refuseStopped(client);
    if (mode === 'auto') return;
    const { misfit, pending, changed, hasOlderFunctions } = await readSchemaState(client);
    if (misfit !== null) throw new SchemaError(misfit);
    if (changed.length > 0)
      throw new SchemaError(`Migrations have changed since they were applied: ${changed.join(', ')}`);
    if (pending.length > 0 || hasOlderFunctions)
      throw new SchemaError(
        'The database does not have the schema of this version. Run: npm run admin -- migrate',
      );
  } finally {
    await client.end();
  }
}

const retryMs = 1_000;

/** The same for a process that waits for its database, however long it is away. */
export async function fitSchemaWhenThere(options: FitOptions, stopped: AbortSignal): Promise<void> {
  let hasSaid = false;
  while (!stopped.aborted) {
    try {
      return await fitSchema(options);
    } catch (error) {
      if (error instanceof SchemaError || !databaseIsAway(error)) throw error;
      if (!hasSaid) options.log.warn({ err: error }, 'waiting for the database');
      hasSaid = true;
      await sleep(retryMs, undefined, { signal: stopped }).catch(() => undefined);
    }
  }
}

const settleEveryMs = 60_000;

/** Applies what follows while this version runs, and looks again every minute while something is left. Ends when stopped. */
export async function settleMigrations(
  { url, mode, log }: FitOptions,
  stopped: AbortSignal,
  everyMs = settleEveryMs,
): Promise<void> {
  if (mode === 'manual') return;
  const tell = (message: string): void => log.warn(message);
  while (!stopped.aborted) {
    try {
      const { applied, left } = await settle(url, { tell }, () => !stopped.aborted);
      if (applied.length > 0) log.info({ applied }, 'migrations applied');
      if (left.length === 0) return;
      log.debug({ left }, 'migrations wait');
    } catch (error) {
      log.warn({ err: error }, 'a migration was not applied; it is tried again');
    }
    await sleep(everyMs, undefined, { signal: stopped, ref: false }).catch(() => undefined);
  }
}
