import type { Pool } from 'pg';

export const forgetContacts = (db: Pool): Promise<unknown> =>
  db.query('TRUNCATE "Contact", "Event", "ConsentAct" CASCADE');
