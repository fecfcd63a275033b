/** `npm run db:diff`: prints the SQL that makes the schema from nothing, the material that a hand-written migration starts from. */
import { schemaFromEmpty } from './schema-engine.ts';

const url = process.env['DATABASE_URL'];
if (!url) throw new Error('db:diff needs DATABASE_URL (any reachable PostgreSQL; nothing is written to it)');
process.stdout.write(await schemaFromEmpty(url));
