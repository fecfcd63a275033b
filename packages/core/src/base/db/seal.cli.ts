/** `npm run db:seal`: adds the digest of the files of SQL as they are now to their history. Run it after every change of one. */
import { appendFile } from 'node:fs/promises';
import { historyFile, readSqlFiles } from './sql-files.ts';

const { digest, history } = await readSqlFiles();
if (history.at(-1) !== digest) await appendFile(historyFile, `${digest}\n`);
process.stdout.write(history.at(-1) === digest ? 'nothing has changed\n' : `added ${digest}\n`);
