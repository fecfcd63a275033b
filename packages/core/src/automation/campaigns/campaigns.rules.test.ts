import { expect, it } from 'vitest';
import { firstPart, nextPart } from './campaigns.rules.ts';

it('an audience is frozen in parts that grow up to a million contacts, and no further', () => {
  const parts = [firstPart];
  while (parts.length < 6) parts.push(nextPart(parts.at(-1) ?? 0));
  expect(parts).toEqual([20_000, 80_000, 320_000, 1_000_000, 1_000_000, 1_000_000]);
});
