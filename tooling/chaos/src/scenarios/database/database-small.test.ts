import { expect, it } from 'vitest';
import { problemsOf } from '../scenario.ts';
import { databaseSmall } from './database.ts';

const lines: string[] = [];

it('a restart of PostgreSQL ends no process, and each email is SENT once', async () => {
  const result = await databaseSmall.run({
    recipients: databaseSmall.recipients,
    seed: 1,
    log: (line) => lines.push(line),
  });
  expect(problemsOf(result), lines.join('\n')).toEqual([]);
});
