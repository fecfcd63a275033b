import { describe, expect, it } from 'vitest';
import { mostCharacters, ReplacementBudget, Replacements } from './replacements.rules.ts';

const fill = (source: string, values: Record<string, string>): string =>
  new Replacements(Object.entries(values)).fill(source, new ReplacementBudget());

describe('replacements', () => {
  it.each([
    ['no key', {}, 'a b', 'a b'],
    ['a key at each end', { a: '1', c: '3' }, 'abc', '1b3'],
    ['the longest of keys that begin alike', { ab: 'x', abcd: 'y' }, 'abcd abc', 'y xc'],
    ['a shorter key where a longer one breaks off', { a: '1', aab: '2' }, 'aac aab', '11c 2'],
    ['what was put in is not looked at again', { a: 'b', b: 'a' }, 'ab', 'ba'],
    ['letters of other planes', { '🎉': '!', é: 'e' }, 'é🎉🎊', 'e!🎊'],
    ['patterns are letters', { '$&': '$1', '.*': '\\' }, '$& .*', '$1 \\'],
  ] as const)('%s', (_what, values, source, filled) => {
    expect(fill(source, values as Record<string, string>)).toBe(filled);
  });

  it('stops a text that is made much longer, and keys that begin alike everywhere', () => {
    const budget = new ReplacementBudget();
    const long = new Replacements([['a', 'x'.repeat(1_000_000)]]);
    expect(long.fill('a'.repeat(1_000), budget)).toBe('a'.repeat(1_000));
    expect(budget.isUsedUp).toBe(true);
    const steps = new ReplacementBudget();
    const alike = new Replacements([[`${'a'.repeat(99)}b`, 'x']]);
    const source = 'a'.repeat(mostCharacters / 16);
    expect(alike.fill(source, steps)).toBe(source);
    expect(steps.isUsedUp).toBe(true);
  });
});
