import { fillings } from '@postrider/core/testing/fillings.fixture.ts';
import type { Attack } from './attack.ts';
import { importFile } from './import-file.ts';

/** Just below the largest file that is taken. */
const bytes = 4_900_000;
const smallBytes = 50_000;

/** CSV files that were made to occupy the worker, one after the other. */
export const files: Attack = {
  name: 'hostile CSV files',
  bounds: { healthMs: 50, send: 1.5, importMs: 1_000 },
  async run({ chaos, attacker }, size) {
    const length = size(100) < 100 ? smallBytes : bytes;
    const problems: string[] = [];
    const states = new Map<string, number>();
    const names = Object.keys(fillings).sort(
      (a, b) => Number(b === 'quoted lines') - Number(a === 'quoted lines'),
    );
    let slowest = { name: '', ms: 0 };
    for (const name of names) {
      const text = `email\n${fillings[name]?.(length - 6) ?? ''}`;
      const { state, status, body, ms } = await importFile(chaos.stack.urls.api, attacker.secretKey, text);
      if (ms > slowest.ms) slowest = { name, ms };
      const outcome = state ?? `refused with ${status}`;
      states.set(outcome, (states.get(outcome) ?? 0) + 1);
      if (state === 'still running' || status === 0 || status >= 500)
        problems.push(`a file of ${name}: ${status} ${state} ${body.slice(0, 200)}`);
    }
    const counts = [...states].map(([outcome, count]) => `${count} ${outcome}`).join(', ');
    return {
      problems,
      notes: [
        `${names.length} files of ${length} bytes: ${counts}; the longest was ${slowest.name} with ${(slowest.ms / 1_000).toFixed(1)} s`,
      ],
    };
  },
};
