import type { Services } from '../base/kernel/index.ts';

/** Installs a trigger that refuses every such change of a table, like a fault in the schema. @returns a function that removes it */
export async function refuseWrites(
  { database: { pool } }: Services,
  table: string,
  change: 'INSERT' | 'UPDATE' | 'DELETE',
): Promise<() => Promise<void>> {
  const name = `refuse_${table}_${change}`;
  await pool.query(`CREATE OR REPLACE FUNCTION "${name}"() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'refused by the test'; END $$`);
  await pool.query(`CREATE TRIGGER "${name}" BEFORE ${change} ON "${table}" EXECUTE FUNCTION "${name}"()`);
  return async () => {
    await pool.query(`DROP FUNCTION "${name}" CASCADE`);
  };
}
