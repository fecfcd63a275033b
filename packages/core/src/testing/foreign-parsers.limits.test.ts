import { describe, expect, it } from 'vitest';
import { fillings } from './fillings.fixture.ts';
import { foreignParsers } from './foreign-parsers.fixture.ts';

/**
 * The longest text. `npm run fuzz -- parsers` doubles up to 1 MB, which takes minutes.
 */
const longest = Number(process.env['PARSERS_LONGEST'] ?? 128 * 1_024);
const shortest = 1_024;
/** Below this, in milliseconds, what the machine does besides counts as much as the text, and some systems count no less. */
const measurable = 5;
/** For four times the text: work in proportion takes four times as long, and once more where memory runs short; its square takes sixteen times. */
const most = 9;

const allowed = (quarter: number): number => most * Math.max(quarter, measurable);

/** CPU time of this thread, in milliseconds: other processes do not count. The least of several runs. */
function costOf(run: () => unknown, runs: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < runs; n += 1) {
    const before = process.threadCpuUsage();
    run();
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

const mostAttempts = 3;

/** @returns what is wrong; null when four times the text takes at most nine times as long, at every length */
function growth(
  read: (text: string) => unknown,
  fill: (length: number) => string,
  longestText: number,
): string | null {
  let costs = [shortest / 2, shortest].map((length) => costOf(() => read(fill(length)), 2));
  for (let length = 2 * shortest; length <= longestText; length *= 2) {
    const [quarter, whole] = [fill(length / 4), fill(length)];
    let [before = 0] = costs;
    let now = costOf(() => read(whole), 1);
    // A collection of garbage, or what else the machine does, may have fallen into one of them.
    for (let attempt = 1; now > allowed(before); attempt += 1) {
      if (attempt > mostAttempts)
        return `${length / 4} characters took ${before} ms, ${length} took ${now} ms`;
      before = costOf(() => read(quarter), 5);
      now = costOf(() => read(whole), 5);
    }
    costs = [...costs.slice(1), now];
  }
  return null;
}

describe.each(foreignParsers)('$name', ({ read, longest: given = longest }) => {
  it('takes at most nine times as long for four times the text, whatever it is made of', () => {
    const found = Object.entries(fillings).flatMap(([filling, fill]) => {
      const wrong = growth(read, fill, Math.min(given, longest));
      return wrong === null ? [] : [`${filling}: ${wrong}`];
    });
    expect(found).toEqual([]);
  });
});

it('finds work that grows with the square of the text', () => {
  const quadratic = (text: string): number => text.replace(/ +$/, '').length;
  expect(growth(quadratic, (length) => `${' '.repeat(length)}x`, longest)).toMatch(/took/);
});
