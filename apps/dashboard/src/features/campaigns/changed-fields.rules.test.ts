import { expect, it } from 'vitest';
import { changedInWords } from './changed-fields.rules.ts';

it('names what has changed since an approval, fields of later versions too', () => {
  expect(changedInWords(['body', 'segments', 'subject'])).toBe(
    'text of the email, conditions of its segments, subject',
  );
  expect(changedInWords(['later'])).toBe('later');
  expect(changedInWords([])).toBe('');
});
