import { expect, it } from 'vitest';
import { consentSmall } from './consent.ts';
import { problemsOf } from './scenario.ts';

const lines: string[] = [];

it('whatever is killed while people speak at every door, the acts say what each contact is, and a confirmation is whole', async () => {
  const result = await consentSmall.run({
    recipients: consentSmall.recipients,
    seed: 1,
    log: (line) => lines.push(line),
  });
  expect(problemsOf(result), lines.join('\n')).toEqual([]);
});
