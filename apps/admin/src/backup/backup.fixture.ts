import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSmtpTransport } from '@postrider/core/adapters';
import type { CoreConfig, Services } from '@postrider/core/base/kernel';
import { configuredRoute, DeliveryRuntime, defaultDeliveryOptions } from '@postrider/core/mail/delivery';
import { simulatorRoute } from '@postrider/core/mail/simulator';
import { createTestServices, type TestServices } from '@postrider/core/testing/index.ts';
import { createDatabaseOnOwnServer, type OwnServerDatabase } from '@postrider/core/testing/test-database.ts';
import { hasPostgres15, POSTGRES_15, type PostgresOptions, startPostgres } from '@postrider/local/postgres';
import { runAdmin } from '../run-admin.ts';

/**
 * Whether the client programs of PostgreSQL are here, with a server that they can read: the embedded one comes without them, and is newer than
 * those of the system.
 */
export const hasTools = await hasPostgres15();
if (!hasTools) console.warn('PostgreSQL 15 is not installed: backups and restores are not tested');

export interface Installation {
  test: TestServices;
  database: OwnServerDatabase;
  /** of its files, and for backups */
  folder: string;
  admin(
    args: readonly string[],
    config?: Partial<CoreConfig>,
  ): Promise<{ code: number; out: string; err: string }>;
  close(): Promise<void>;
}

/** An installation on a server of the version of the client programs. @param settings of the server */
export async function createInstallation(
  settings: NonNullable<PostgresOptions['settings']> = {},
): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-backup-'));
  const database = await createDatabaseOnOwnServer({ binDir: POSTGRES_15, throwAway: true, settings });
  const test = await createTestServices({
    postgres: database,
    env: { DATA_DIR: join(folder, 'data'), PG_BIN: POSTGRES_15 },
  });
  return {
    test,
    database,
    folder,
    async admin(args, config = {}) {
      const lines = { out: [] as string[], err: [] as string[] };
      const code = await runAdmin(args, {
        environment: () => ({}),
        env: () => ({ ...test.services.config, ...config }),
        out: (line) => lines.out.push(line),
        err: (line) => lines.err.push(line),
      });
      return { code, out: lines.out.join('\n'), err: lines.err.join('\n') };
    },
    async close() {
      await test.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The services of processes that were started with the URL of another database of the same installation. */
export async function servicesOn({ test }: Installation, url: string): Promise<TestServices> {
  const { APP_SECRET, DATA_DIR, PG_BIN = POSTGRES_15 } = test.services.config;
  return createTestServices({
    postgres: { url, drop: async () => undefined },
    env: { APP_SECRET, DATA_DIR, PG_BIN },
  });
}

/** Runs `work` on a server that was started on a restored folder. */
export async function onRestored<T>(
  installation: Installation,
  folder: string,
  work: (services: Services) => Promise<T>,
): Promise<T> {
  const server = await startPostgres({ dataDir: folder, binDir: POSTGRES_15, throwAway: true });
  const { pathname } = new URL(installation.database.url);
  const state = await servicesOn(installation, Object.assign(new URL(server.url), { pathname }).href);
  try {
    return await work(state.services);
  } finally {
    await state.close();
    await server.stop();
  }
}

export interface RunningCommand {
  child: ChildProcess;
  /** what it has said on stderr */
  said(): string;
  code: Promise<number | null>;
}

/** A command as a process, which can be killed. */
export function startCommand(
  { test }: Installation,
  args: readonly string[],
  env: Record<string, string> = {},
): RunningCommand {
  const { DATABASE_URL, APP_SECRET, DATA_DIR } = test.services.config;
  const child = spawn(process.execPath, [join(import.meta.dirname, '../main.ts'), ...args], {
    env: { ...process.env, DATABASE_URL, APP_SECRET, DATA_DIR, PG_BIN: POSTGRES_15, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (text: Buffer) => {
    said += text.toString();
  });
  const code = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { child, code, said: () => said };
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** An empty database on the same server. */
export async function emptyDatabase({ test, database }: Installation, name: string): Promise<string> {
  await test.services.database.durable.query(`CREATE DATABASE "${name}" TEMPLATE template0`);
  const url = new URL(database.url);
  url.pathname = `/${name}`;
  return url.href;
}

const timeouts = { socketTimeoutMs: 5_000, greetingTimeoutMs: 2_000, idleTimeoutMs: 5_000 };

/** Runs `work` beside a delivery process that sends to this server. */
export async function withDelivery<T>(
  services: Services,
  smtpUrl: string,
  work: () => Promise<T>,
): Promise<T> {
  const transport = createSmtpTransport({ url: smtpUrl, connections: 3, ...timeouts });
  const routes = [configuredRoute(services.config, transport), simulatorRoute(services)] as const;
  const delivery = new DeliveryRuntime(services, routes, {
    ...defaultDeliveryOptions,
    pollMs: 100,
    sendRate: 100_000,
    stopMs: 5_000,
  });
  delivery.start();
  try {
    return await work();
  } finally {
    await delivery.stop();
  }
}

/** Resolves when `isTrue` says so. */
export async function until(isTrue: () => Promise<boolean> | boolean, timeoutMs = 20_000): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error('what was waited for did not happen');
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}
