import type { Services } from '../base/kernel/index.ts';

/** Installs a trigger that refuses every such change of a table, like a fault in the schema. @returns a function that removes it */
export async function refuseWrites(
  { database: { durable } }: Services,
  table: string,
  change: 'INSERT' | 'UPDATE' | 'DELETE',
): Promise<() => Promise<void>> {
  const name = `refuse_${table}_${change}`;
  await durable.query(`CREATE OR REPLACE FUNCTION "${name}"() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'refused by the test'; END $$`);
  await durable.query(`CREATE TRIGGER "${name}" BEFORE ${change} ON "${table}" EXECUTE FUNCTION "${name}"()`);
  return async () => {
    await durable.query(`DROP FUNCTION "${name}" CASCADE`);
  };
}
