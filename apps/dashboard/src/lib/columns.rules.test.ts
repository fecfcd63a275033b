import { describe, expect, it } from 'vitest';
import { columnsParam, shownColumns } from './columns.rules.ts';

const options = [
  { value: 'Status', label: 'Status', isDefault: true },
  { value: 'data.a,b', label: 'a,b', isDefault: false },
];

describe('the columns of a list in its address', () => {
  it('are those that are shown by default, as long as nothing is chosen', () => {
    expect(shownColumns(options, '')).toEqual(new Set(['Status']));
    expect(columnsParam(options, new Set(['Status']))).toBe('');
  });

  it.each([[['Status', 'data.a,b']], [['data.a,b']], [[]]])('are read as they were written: %j', (shown) => {
    const param = columnsParam(options, new Set(shown));
    expect(param).not.toBe('');
    expect(shownColumns(options, param)).toEqual(new Set(shown));
  });

  it('may have been edited by hand', () =>
    expect(shownColumns(options, '%E0,Status')).toEqual(new Set(['%E0', 'Status'])));
});
