/** `npm run db:diff`: prints the SQL that creates the schema from an empty database, as a basis for writing a migration. */
import { schemaFromEmpty } from './schema-engine.ts';

const url = process.env['DATABASE_URL'];
if (!url) throw new Error('db:diff needs DATABASE_URL (any reachable PostgreSQL; nothing is written to it)');
process.stdout.write(await schemaFromEmpty(url));
