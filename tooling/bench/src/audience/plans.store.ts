import { readFile } from 'node:fs/promises';
import type { Pool } from 'pg';

const settings = [
  `session_preload_libraries = 'auto_explain'`,
  'auto_explain.log_min_duration = 0',
  'auto_explain.log_analyze = on',
  'auto_explain.log_buffers = on',
  'auto_explain.log_triggers = on',
];

/** Makes the server log the plan of every statement, for connections opened from now on. */
export async function logPlans(db: Pool): Promise<void> {
  const { rows } = await db.query<{ name: string }>('SELECT quote_ident(current_database()) AS name');
  for (const setting of settings) await db.query(`ALTER DATABASE ${rows[0]?.name} SET ${setting}`);
}

const entry = /duration: ([\d.]+) ms {2}plan:\n((?:\t.*\n)+)/g;

/** The executed plans of the two longest statements of `work`, for example those of a page and its total. */
export async function plansOf(logFile: string, work: () => Promise<unknown>): Promise<string[]> {
  const before = (await readFile(logFile, 'utf8')).length;
  await work();
  const written = (await readFile(logFile, 'utf8')).slice(before);
  const longest = [...written.matchAll(entry)].toSorted((a, b) => Number(b[1]) - Number(a[1])).slice(0, 2);
  if (longest.length === 0) throw new Error('the server wrote no plan');
  return longest.flatMap(([, milliseconds, text = '']) => {
    const lines = text.split('\n').map((line) => line.slice(1));
    // The statement's text precedes the plan.
    const first = lines.findIndex((line) => line.includes('(actual '));
    return [...lines.slice(first).filter((line) => line !== ''), `Execution Time: ${milliseconds} ms`];
  });
}
