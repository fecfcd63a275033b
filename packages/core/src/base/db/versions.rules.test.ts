import { expect, it } from 'vitest';
import { compareVersions, isEarlierMinor, isMoreThanOneMinorBefore, minorOf } from './versions.rules.ts';

it('versions are ordered by their numbers, and not as texts', () => {
  expect(['1.10.0', '1.9.3', '1.9', '2.0.0', '1.10.0-beta.1'].toSorted(compareVersions)).toEqual([
    '1.9',
    '1.9.3',
    '1.10.0',
    '1.10.0-beta.1',
    '2.0.0',
  ]);
  expect(compareVersions('1.9', '1.9.0')).toBe(0);
});

it('minor versions are compared without the rest', () => {
  expect(minorOf('1.6.2')).toBe('1.6');
  expect(isEarlierMinor('1.6.9', '1.6.0')).toBe(false);
  expect(isEarlierMinor('1.5.9', '1.6.0')).toBe(true);
});

it.each([
  ['1.5.0', '1.6.3', false],
  ['1.4.0', '1.6.0', true],
  ['1.6.0', '1.5.0', false],
  ['1.9.0', '2.0.0', false],
  ['1.9.0', '2.1.0', true],
])('%s is more than one minor version before %s: %s', (one, other, expected) => {
  expect(isMoreThanOneMinorBefore(one, other)).toBe(expected);
});
