import { expect, it } from 'vitest';
import { databaseRestart } from './database-restart.ts';
import { problemsOf } from './scenario.ts';

const lines: string[] = [];

it('a restart of PostgreSQL ends no process, and each email is SENT once', { timeout: 360_000 }, async () => {
  const result = await databaseRestart.run({
    recipients: databaseRestart.recipients,
    seed: 1,
    log: (line) => lines.push(line),
  });
  expect(problemsOf(result), lines.join('\n')).toEqual([]);
});
