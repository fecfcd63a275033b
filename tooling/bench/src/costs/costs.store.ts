import type { Pool } from 'pg';

/** Switches the triggers that count what is stored. */
export async function switchStorageTriggers(db: Pool, to: 'ENABLE' | 'DISABLE'): Promise<void> {
  const { rows } = await db.query<{ statement: string }>(
    `SELECT format('ALTER TABLE %s %s TRIGGER %I', tgrelid::regclass, $1::text, tgname) AS statement
     FROM pg_trigger WHERE tgname LIKE '%\\_storage\\_%' AND NOT tgisinternal`,
    [to],
  );
  if (rows.length === 0) throw new Error('no trigger counts storage');
  for (const { statement } of rows) await db.query(statement);
}
