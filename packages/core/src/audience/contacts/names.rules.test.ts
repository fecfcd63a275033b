import { expect, it } from 'vitest';
import { maxNamePart, nameOf } from './names.rules.ts';

it.each([
  ['first and last name', { firstName: 'Jana', lastName: 'Nováková', name: 'jana' }, 'Jana Nováková'],
  [
    'the whole name, where only one of the two is there',
    { firstName: 'Jana', name: 'Jana Nováková' },
    'Jana Nováková',
  ],
  ['the first name alone', { firstName: ' Jana ' }, 'Jana'],
  ['the last name alone', { lastName: 'Nováková' }, 'Nováková'],
  ['one line', { name: ' Ada\n  Lovelace ' }, 'Ada Lovelace'],
  ['nothing without one', { plan: 'pro' }, null],
  ['nothing of blanks', { firstName: ' ', lastName: '', name: '\n' }, null],
  ['nothing but texts', { firstName: 7, name: ['Ada'], lastName: true }, null],
])('the name of a contact is %s', (_, data, name) => {
  expect(nameOf(data)).toBe(name);
});

it('a name has an end', () => {
  expect(nameOf({ name: 'x'.repeat(60_000) })).toHaveLength(maxNamePart);
});
