import { expect, it } from 'vitest';
import { fieldsOf, isComplete, limitsInWords, limitsOf } from './limits.rules.ts';

const limits = {
  caps: [
    { max: 1, hours: 24 },
    { max: 3, hours: 168 },
  ],
  quietHours: { from: '22:00', to: '08:00' },
  waitHours: 48,
};

it('what is stored fills the fields, and the fields say it again', () => {
  expect(limitsOf(fieldsOf(limits))).toEqual(limits);
  expect(limitsOf(fieldsOf(null))).toBeNull();
});

it('empty rows are no caps, and half a row is not tried', () => {
  const [first, ...rest] = fieldsOf(limits).caps;
  const half = limitsOf({ ...fieldsOf(limits), caps: [{ max: '2', hours: '' }, ...rest] });
  expect(half && isComplete(half)).toBe(false);
  const one = limitsOf({
    ...fieldsOf(limits),
    caps: [{ max: '', hours: '' }, first ?? { max: '', hours: '' }],
  });
  expect(one?.caps).toEqual([{ max: 1, hours: 24 }]);
  expect(one && isComplete(one)).toBe(true);
});

it.each([
  [null, 'A contact gets every marketing email, at any time of the day.'],
  [
    limits,
    'A contact gets at most 1 marketing email in a day, and 3 in 7 days, and none from 22:00 to 08:00 in the contact’s own time zone. What comes too soon waits for up to 2 days, and is then skipped.',
  ],
  [
    { caps: [], quietHours: limits.quietHours, waitHours: 48 },
    'A contact gets no marketing email from 22:00 to 08:00 in the contact’s own time zone. It waits for the end of that time.',
  ],
  [
    { caps: [{ max: 2, hours: 5 }], quietHours: null, waitHours: 0 },
    'A contact gets at most 2 marketing emails in 5 hours. What comes too soon is skipped.',
  ],
])('%j is said as "%s"', (given, words) => {
  expect(limitsInWords(given)).toBe(words);
});
