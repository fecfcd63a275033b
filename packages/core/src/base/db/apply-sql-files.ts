import type { Client } from 'pg';
import { describing } from './migration-steps.ts';
import { digestOf, nameOf, type SqlFiles, type SqlObject } from './sql-files.ts';

interface Applied {
  kind: SqlObject['kind'];
  name: string;
  table: string;
  digest: string;
}

/** What `_SqlFiles` has while the files are edited: any version may follow. */
const unsealed = 'unsealed';

/**
 * Creates, replaces and removes functions and triggers within the transaction of the caller, so that the database has those of the files. Those of a later version are left as they
 * are: its processes work with them.
 *
 * @returns the names of what has changed
 */
export async function applySqlFiles(
  client: Client,
  { objects, digest, history }: SqlFiles,
): Promise<string[]> {
  const { rows } = await client.query<{ digest: string }>('SELECT "digest" FROM "_SqlFiles"');
  const isSealed = history.at(-1) === digest;
  const before = rows[0]?.digest ?? unsealed;
  const isOlder = before === unsealed || history.includes(before);
  if (isSealed && (before === digest || !isOlder)) return [];
  const stored = await client.query<Applied>('SELECT "kind", "name", "table", "digest" FROM "_SqlObject"');
  const applied = new Map(stored.rows.map((row) => [`${row.kind} ${nameOf(row)}`, row]));
  const keys = new Set(objects.map((object) => `${object.kind} ${nameOf(object)}`));
  const changed = objects.filter(
    (object) => applied.get(`${object.kind} ${nameOf(object)}`)?.digest !== digestOf(object.statement),
  );
  const gone = [...applied].filter(([key]) => !keys.has(key)).map(([, row]) => row);
  // Functions may call those of files that come later.
  await client.query('SET LOCAL check_function_bodies = off');
  for (const object of byKind(changed)) await create(client, object);
  for (const object of byKind(gone).reverse()) await remove(client, object);
  await client.query(
    'INSERT INTO "_SqlFiles" ("digest") VALUES ($1) ON CONFLICT ("one") DO UPDATE SET "digest" = excluded."digest"',
    [isSealed ? digest : unsealed],
  );
  return [...changed, ...gone].map((object) => `${object.kind} ${nameOf(object)}`);
}

/** Functions before the triggers that call them. */
const byKind = <Item extends Pick<SqlObject, 'kind'>>(items: readonly Item[]): Item[] => [
  ...items.filter(({ kind }) => kind === 'function'),
  ...items.filter(({ kind }) => kind === 'trigger'),
];

async function create(client: Client, object: SqlObject): Promise<void> {
  const { kind, name, table, statement, file } = object;
  if (kind === 'function') await removeOtherForms(client, object);
  await describing(
    `${file}: ${kind} ${nameOf(object)}`,
    client.query(statement.replace(/^CREATE/, 'CREATE OR REPLACE')),
  );
  await client.query(
    `INSERT INTO "_SqlObject" ("kind", "name", "table", "digest") VALUES ($1, $2, $3, $4)
     ON CONFLICT ("kind", "name", "table") DO UPDATE SET "digest" = excluded."digest"`,
    [kind, name, table, digestOf(statement)],
  );
}

/**
 * `CREATE OR REPLACE` cannot change the arguments or the result of a function, so such a function is dropped first. No two functions share a
 * name, and those that triggers and column defaults use never change in this way.
 */
async function removeOtherForms(client: Client, { name, statement, file }: SqlObject): Promise<void> {
  const { rows } = await client.query<{ signature: string; form: string }>(
    `SELECT p.oid::regprocedure::text AS signature, pg_get_function_arguments(p.oid) || ' ' || pg_get_function_result(p.oid) AS form
     FROM pg_proc p WHERE p.pronamespace = current_schema()::regnamespace AND p.proname = $1`,
    [name],
  );
  if (rows.length === 0) return;
  // PostgreSQL itself says what the new form is: in a transaction of its own that is undone.
  await client.query('SAVEPOINT form');
  for (const { signature } of rows) await client.query(`ALTER FUNCTION ${signature} RENAME TO "_former"`);
  await describing(`${file}: function ${name}`, client.query(statement));
  const after = await client.query<{ form: string }>(
    `SELECT pg_get_function_arguments(p.oid) || ' ' || pg_get_function_result(p.oid) AS form
     FROM pg_proc p WHERE p.pronamespace = current_schema()::regnamespace AND p.proname = $1`,
    [name],
  );
  await client.query('ROLLBACK TO SAVEPOINT form');
  for (const { signature, form } of rows)
    if (form !== after.rows[0]?.form) await client.query(`DROP FUNCTION ${signature}`);
}

async function remove(client: Client, { kind, name, table }: Applied): Promise<void> {
  if (kind === 'trigger') {
    const { rows } = await client.query('SELECT to_regclass(quote_ident($1)) IS NOT NULL AS "exists"', [
      table,
    ]);
    if (rows[0]?.exists) await client.query(`DROP TRIGGER IF EXISTS "${name}" ON "${table}"`);
  } else await client.query(`DROP FUNCTION IF EXISTS ${name}`);
  await client.query('DELETE FROM "_SqlObject" WHERE "kind" = $1 AND "name" = $2 AND "table" = $3', [
    kind,
    name,
    table,
  ]);
}
