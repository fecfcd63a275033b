import { openClient } from './connect.ts';
import { openSchemaEngine, readMigrations } from './schema-engine.ts';

/** Any constant that no other program uses on this database. */
const migrationLock = 7_203_114_901;

/**
 * Applies all migrations that the database does not have yet. Several processes may call this at once: an advisory
 * lock lets one work while the others wait and then find nothing to do.
 *
 * @returns the names of the migrations that this call applied
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const client = openClient({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [migrationLock]);
    const engine = await openSchemaEngine(databaseUrl);
    const { appliedMigrationNames } = await engine.applyMigrations({
      filters: { externalTables: [], externalEnums: [] },
      migrationsList: await readMigrations(),
    });
    return appliedMigrationNames;
  } finally {
    await client.end();
  }
}
