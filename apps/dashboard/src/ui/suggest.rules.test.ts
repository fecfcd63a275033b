import { describe, expect, it } from 'vitest';
import { matching } from './suggest.rules.ts';

describe('suggestions', () => {
  const fields = ['plan', 'data.plan', 'Seats'];

  it('are those that contain the text, in any case', () => {
    expect(matching(fields, 'PLAN')).toEqual(['plan', 'data.plan']);
    expect(matching(fields, ' seat')).toEqual(['Seats']);
  });

  it('are all of them without a text', () => {
    expect(matching(fields, '')).toEqual(fields);
  });

  it('end when the text is the only one left', () => {
    expect(matching(fields, 'Seats')).toEqual([]);
  });
});
