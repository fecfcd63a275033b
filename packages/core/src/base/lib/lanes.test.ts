import { expect, it } from 'vitest';
import { Lanes } from './lanes.ts';

it('one owner leaves an eighth of the requests to others, however many endpoints it has', () => {
  const lanes = new Lanes(64);
  for (let n = 0; n < 55; n += 1) lanes.begin(`endpoint ${n % 7}`, 'owner');
  expect(lanes.fullTurns).toEqual([]);
  lanes.begin('endpoint 7', 'owner');
  expect([lanes.fullTurns, lanes.free]).toEqual([['owner'], 8]);
  lanes.end('endpoint 7', 'owner', null);
  expect(lanes.fullTurns).toEqual([]);
});
