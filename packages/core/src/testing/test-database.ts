import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { dataFolder } from '@postrider/local/data-folder';
import { hasPostgres15, type Postgres, type PostgresOptions, startPostgres } from '@postrider/local/postgres';
import { inject } from 'vitest';
import type {} from './postgres-global-setup.ts';
import { buildTemplate, databaseUrl, runOn, TEMPLATE } from './template-database.ts';

export interface TestDatabase {
  url: string;
  /** Drops the database and terminates its connections. */
  drop(): Promise<void>;
}

/** Creates a migrated, empty database for one test file. Needs `postgres-global-setup.ts` in the project's `globalSetup`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return copyTemplate(inject('postgresUrl'));
}

/** Creates a database without tables, for tests of the migrations themselves. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const serverUrl = inject('postgresUrl');
  const name = databaseName();
  await runOn(serverUrl, `CREATE DATABASE "${name}" TEMPLATE template0`);
  return testDatabase(serverUrl, name);
}

/** The versions of PostgreSQL that this machine can test: always the embedded one, and 15 where it is installed. */
export async function postgresVersions(): Promise<('embedded' | '15')[]> {
  return (await hasPostgres15()) ? ['embedded', '15'] : ['embedded'];
}

/** As `createTestDatabase`, on the given version. */
export async function createTestDatabaseOn(version: 'embedded' | '15'): Promise<TestDatabase> {
  if (version === 'embedded') return createTestDatabase();
  const answer = await fetch(inject('oldestPostgres'));
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return copyTemplate(text);
}

export interface OwnServerDatabase extends TestDatabase {
  server: Postgres;
}

/** A migrated database on a server of its own, which a test may restart or kill: what was committed is durable. */
export async function createDatabaseOnOwnServer(
  options: Omit<PostgresOptions, 'dataDir'> = {},
): Promise<OwnServerDatabase> {
  const folder = await dataFolder(`postrider-test-${process.pid}-`);
  const server = await startPostgres({ dataDir: join(folder, 'postgres'), ...options });
  const stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await buildTemplate(server.url);
    const database = await copyTemplate(server.url);
    return { url: database.url, drop: stop, server };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function copyTemplate(serverUrl: string): Promise<TestDatabase> {
  const name = databaseName();
  await runOn(serverUrl, `CREATE DATABASE "${name}" TEMPLATE "${TEMPLATE}" STRATEGY file_copy`);
  return testDatabase(serverUrl, name);
}

function testDatabase(serverUrl: string, name: string): TestDatabase {
  return {
    url: databaseUrl(serverUrl, name),
    drop: () => runOn(serverUrl, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`),
  };
}

function databaseName(): string {
  return `test_${randomUUID().replaceAll('-', '')}`;
}
