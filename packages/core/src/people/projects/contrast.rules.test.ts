import { describe, expect, it } from 'vitest';
import { contrast, textOn } from './contrast.rules.ts';

describe('the contrast of two colours', () => {
  it.each([
    ['#000000', '#ffffff', 21],
    ['#777777', '#ffffff', 4.48],
    ['#22325c', '#22325c', 1],
  ])('of %s and %s is %d, in either order', (one, other, ratio) => {
    expect(contrast(one, other)).toBeCloseTo(ratio, 2);
    expect(contrast(other, one)).toBeCloseTo(ratio, 2);
  });
});

it.each([
  ['#22325c', '#ffffff'],
  ['#ffd400', '#000000'],
])('text on %s is %s', (color, text) => {
  expect(textOn(color)).toBe(text);
});
