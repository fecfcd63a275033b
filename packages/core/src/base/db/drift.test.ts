import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEmptyDatabase, createTestDatabase } from '../../testing/test-database.ts';
import { applySqlFiles } from './apply-sql-files.ts';
import { prepare } from './migrate.ts';
import { inTransaction } from './migration-steps.ts';
import { readExtras, schemaFromEmpty } from './schema-engine.ts';
import { readSqlFiles } from './sql-files.ts';

/** Everything about the shape of a database that a migration can change, one line each. */
const catalogue = `
SELECT format('column %s.%s %s %s default %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
    CASE WHEN a.attnotnull THEN 'not null' ELSE 'null' END, pg_get_expr(d.adbin, d.adrelid)) AS line
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
UNION ALL SELECT format('constraint %s on %s: %s', conname, conrelid::regclass, pg_get_constraintdef(oid))
  FROM pg_constraint WHERE connamespace = 'public'::regnamespace
UNION ALL SELECT format('index %s', indexdef) FROM pg_indexes WHERE schemaname = 'public'
UNION ALL SELECT format('function %s', pg_get_functiondef(p.oid)) FROM pg_proc p
  WHERE p.pronamespace = 'public'::regnamespace AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
UNION ALL SELECT format('trigger %s', pg_get_triggerdef(oid)) FROM pg_trigger WHERE NOT tgisinternal
UNION ALL SELECT format('enum %s: %s', t.typname, string_agg(e.enumlabel, ', ' ORDER BY e.enumsortorder))
  FROM pg_enum e JOIN pg_type t ON t.oid = e.enumtypid GROUP BY t.typname
UNION ALL SELECT format('sequence %s', sequencename) FROM pg_sequences WHERE schemaname = 'public'
UNION ALL SELECT format('extension %s', extname) FROM pg_extension
UNION ALL SELECT format('slices of %s: %s %s', inhparent::regclass, relname, pg_get_expr(relpartbound, c.oid))
  FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid WHERE relkind = 'r'
UNION ALL SELECT format('settings of %s: %s', relname, reloptions) FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND reloptions IS NOT NULL
ORDER BY line`;

async function catalogueOf(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ line: string }>(catalogue);
    return rows.map(({ line }) => line);
  } finally {
    await client.end();
  }
}

let migrated: Awaited<ReturnType<typeof createTestDatabase>>;
let fromSchema: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
  [migrated, fromSchema] = await Promise.all([createTestDatabase(), createEmptyDatabase()]);
  const client = new pg.Client({ connectionString: fromSchema.url });
  await client.connect();
  await client.query(await schemaFromEmpty(fromSchema.url));
  await client.query(await readExtras());
  await prepare(client);
  await inTransaction(client, async () => applySqlFiles(client, await readSqlFiles()));
  await client.end();
});

afterAll(async () => {
  await Promise.all([migrated.drop(), fromSchema.drop()]);
});

it('all migrations together, and the files of SQL, create exactly the schema of the Prisma files, extras.sql and the files of SQL', async () => {
  const [inMigrations, inSchema] = await Promise.all([
    catalogueOf(migrated.url),
    catalogueOf(fromSchema.url),
  ]);
  expect(inSchema.length).toBeGreaterThan(200);
  expect(inMigrations).toEqual(inSchema);
});

it('finds a difference', async () => {
  const client = new pg.Client({ connectionString: fromSchema.url });
  await client.connect();
  await client.query('CREATE INDEX "drift" ON "Contact" ("createdAt")');
  await client.end();
  expect(await catalogueOf(fromSchema.url)).not.toEqual(await catalogueOf(migrated.url));
});
