import { expect, it } from 'vitest';
import { draftsOf, fieldsOf, linesOf } from './form-draft.rules.ts';

const fields = [
  {
    key: 'plan',
    label: { en: 'Plan', de: 'Tarif' },
    type: 'SELECT' as const,
    required: true,
    options: [
      { value: 'a', label: { en: 'Small', de: 'Klein' } },
      { value: 'b', label: { en: 'Large', de: 'Groß' } },
    ],
  },
  { key: 'name', label: { en: 'Name' }, type: 'TEXT' as const, required: false, options: [] },
];

it('fields that are not changed stay as they are, in every language', () => {
  expect(fieldsOf(draftsOf(fields, 'en'), 'en', fields)).toEqual(fields);
});

it('a new option is its own value; another language of a label stays', () => {
  const [plan, ...others] = draftsOf(fields, 'de');
  if (!plan) throw new Error('the draft is there');
  expect(
    fieldsOf([{ ...plan, label: 'Paket', options: 'Klein\n\n Riesig ' }, ...others], 'de', fields)[0],
  ).toEqual({
    key: 'plan',
    label: { en: 'Plan', de: 'Paket' },
    type: 'SELECT',
    required: true,
    options: [
      { value: 'a', label: { en: 'Small', de: 'Klein' } },
      { value: 'Riesig', label: { de: 'Riesig' } },
    ],
  });
});

it('lines without text are none', () => {
  expect(linesOf(' a \n\n\tb\r\n')).toEqual(['a', 'b']);
});
