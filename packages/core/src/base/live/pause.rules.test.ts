import { expect, it } from 'vitest';
import { pausesOf } from './pause.rules.ts';

it('few streams look at once, and then every quarter of a second', () => {
  for (const streams of [1, 2, 5]) expect(pausesOf(streams, 0.5)).toEqual({ afterLook: 250, afterChange: 0 });
});

it('many streams of one owner share twenty looks a second, and do not look at the same time', () => {
  expect(pausesOf(20, 0)).toEqual({ afterLook: 1_000, afterChange: 0 });
  expect(pausesOf(20, 0.5)).toEqual({ afterLook: 1_000, afterChange: 500 });
  expect(pausesOf(6, 1)).toEqual({ afterLook: 300, afterChange: 300 });
});
