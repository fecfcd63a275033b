/** `npm run db:migrate`: applies the migrations to DATABASE_URL. The api does the same when it starts. */
import { migrate } from './migrate.ts';

const url = process.env['DATABASE_URL'];
if (!url) throw new Error('db:migrate needs DATABASE_URL');
const applied = await migrate(url, { tell: (message) => process.stdout.write(`${message}\n`) });
process.stdout.write(applied.length === 0 ? 'nothing to apply\n' : `applied ${applied.join(', ')}\n`);
