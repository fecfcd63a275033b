import { describe, expect, it } from 'vitest';
import { parseInput } from '../../base/kernel/index.ts';
import { importInput } from '../contacts/imports/start-import.schema.ts';
import { findContactsInput } from './list-contacts.schema.ts';

function fieldsOf(parse: () => unknown): string[] {
  try {
    parse();
  } catch (error) {
    return (error as { errors: { field: string }[] }).errors.map(({ field }) => field);
  }
  return [];
}

/** Written with escapes: the text itself has no character that a query refuses. */
const unstorable = ['\\u0000', '\\ud800', '\\udc00'];

describe('JSON in a query parameter or a form is checked like a body', () => {
  const filterOf = (field: string, value: string) =>
    `{"logic":"AND","groups":[{"filters":[{"field":"${field}","operator":"equals","value":"${value}"}]}]}`;

  it.each(unstorable)('%s in a filter is refused at its field', (text) => {
    const fields = (filter: string) => fieldsOf(() => parseInput(findContactsInput, { filter }));
    expect(fields(filterOf(`data.${text}`, 'x'))).toEqual(['filter.groups.0.filters.0.field']);
    expect(fields(filterOf('data.a', text))).toEqual(['filter.groups.0.filters.0.value']);
    expect(fields(`{"${text}":1}`)).toEqual([expect.stringMatching(/^filter\./)]);
    expect(fields(`"${text}"`)).toEqual(['filter']);
    expect(fields(filterOf('data.a', '\\ud83d\\ude00'))).toEqual([]);
  });

  it.each(unstorable)('%s in a mapping is refused at its field', (text) => {
    const fields = (mapping: string) => fieldsOf(() => parseInput(importInput, { csv: 'email\n', mapping }));
    expect(fields(`{"Plan":"data.${text}"}`)).toEqual(['mapping.Plan']);
    expect(fields(`{"${text}":null}`)).toEqual([expect.stringMatching(/^mapping\./)]);
  });

  it('a field that a filter does not have is refused, so that no mistyped restriction widens the list', () => {
    const filter = { field: 'data.a', operator: 'equals', value: 'x', wher: [] };
    const given = JSON.stringify({ logic: 'AND', groups: [{ filters: [filter], conditon: null }] });
    expect(fieldsOf(() => parseInput(findContactsInput, { filter: given })).sort()).toEqual([
      'filter.groups.0.conditon',
      'filter.groups.0.filters.0.wher',
    ]);
  });

  it('what is no JSON is refused', () => {
    expect(fieldsOf(() => parseInput(findContactsInput, { filter: '{' }))).toEqual(['filter']);
  });
});
