import { expect, it } from 'vitest';
import { dataInWords } from './data-in-words.rules.ts';

it('the data of an event is a line of names and values, without JSON', () => {
  expect(
    dataInWords({ plan: 'pro', paid: true, items: [1, 2], address: { city: 'Bern' }, gone: null, n: 1.5 }),
  ).toBe('plan: pro · paid: yes · items: 2 values · address: 1 field · gone: none · n: 1.5');
  expect(dataInWords({})).toBe('');
});
