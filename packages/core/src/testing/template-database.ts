import { Client } from 'pg';

export const TEMPLATE = 'postrider_template';

/** Creates the migrated template of the test databases: a copy takes 70 ms, the migrations a second. */
export async function buildTemplate(serverUrl: string): Promise<void> {
  await runOn(serverUrl, `CREATE DATABASE "${TEMPLATE}"`);
  // Imported here and not above, so that a broken core is reported as an error of the run, not of the configuration.
  const { migrate } = await import('../base/db/index.ts');
  await migrate(databaseUrl(serverUrl, TEMPLATE));
  await runOn(databaseUrl(serverUrl, TEMPLATE), allowFixtures);
  // A template can only be copied while no session is connected to it, and the migrations' pool remains for a while.
  await runOn(serverUrl, `ALTER DATABASE "${TEMPLATE}" WITH ALLOW_CONNECTIONS false`);
  await runOn(
    serverUrl,
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${TEMPLATE}'`,
  );
}

/** Fixtures write contacts directly: they are known as from before there was a consent log. Every later change of them needs an act. */
export const allowFixtures = `UPDATE "ConsentPass" SET "completedAt" = NULL WHERE "part" = 'creations'`;

/** The same server, another database. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs one statement on a separate connection. */
export async function runOn(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
