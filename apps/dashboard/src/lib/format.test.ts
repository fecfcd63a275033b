import { expect, it } from 'vitest';
import { formatBytes } from './format.ts';

it.each([
  [0, '0 kB'],
  [1, '1 kB'],
  [300 * 1_024, '300 kB'],
  [1_048_576, '1 MB'],
  [12.5 * 1_048_576, '12.5 MB'],
  [1_000 * 1_048_576, '1,000 MB'],
])('%i bytes are %s, in the megabytes of the limits', (bytes, shown) => {
  expect(formatBytes(bytes)).toBe(shown);
});
