import { expect, it } from 'vitest';
import { Pace } from './pace.ts';

const take = (pace: Pace, count: number): void => {
  for (let n = 0; n < count; n += 1) pace.taken();
};

it('limits nothing until email had to be given back', () => {
  const pace = new Pace();
  take(pace, 3);
  pace.roundEnded(false);
  expect(pace.limit(4)).toBe(Number.POSITIVE_INFINITY);
});

it('then limits what is held to what left during half a lease', () => {
  const pace = new Pace();
  take(pace, 100);
  pace.roundEnded(false);
  take(pace, 30);
  pace.roundEnded(false);
  take(pace, 20);
  pace.roundEnded(true);
  take(pace, 5);
  expect(pace.limit(4)).toBe(55);
});

it('leaves every connection a message and the next one, whatever left', () => {
  const pace = new Pace();
  pace.roundEnded(true);
  expect(pace.limit(4)).toBe(8);
});

it('limits nothing any more once everything has left', () => {
  const pace = new Pace();
  pace.roundEnded(true);
  pace.caughtUp();
  expect(pace.limit(4)).toBe(Number.POSITIVE_INFINITY);
});
