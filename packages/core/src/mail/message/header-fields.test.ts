import { describe, expect, it } from 'vitest';
import { readableFields, readFields, readParameters } from './header-fields.ts';

describe('a field', () => {
  it('is unfolded, without blanks around it, and kept as it was given', () => {
    expect(readFields('Subject : \t a\r\n b \t\r\nX:\r\n')).toEqual([
      { name: 'subject', text: 'Subject : \t a\r\n b \t\r\n', value: 'a b' },
      { name: 'x', text: 'X:\r\n', value: '' },
    ]);
  });

  it('is read as far as 8 KiB', () => {
    const [field] = readFields(`X:${'a'.repeat(9_000)}`) ?? [];
    expect(field?.value).toBe('a'.repeat(8_192));
    expect(field?.text).toHaveLength(9_004);
  });

  it('a line that belongs to none is an error, or skipped', () => {
    expect(readFields('A: 1\r\nno field\r\nB: 2')).toBeNull();
    expect(readableFields('A: 1\r\nno field\r\nB: 2').map(({ name }) => name)).toEqual(['a', 'b']);
  });
});

describe('parameters', () => {
  const parametersOf = (text: string) => Object.fromEntries(readParameters(text).parameters);

  it.each([
    ['text/plain; charset=utf-8', { charset: 'utf-8' }],
    ['text/plain ;CHARSET = "utf-8" ; name="a;b"', { charset: 'utf-8', name: 'a;b' }],
    ['multipart/mixed; boundary="a\\"b\\\\"', { boundary: 'a"b\\' }],
    ['multipart/mixed; boundary="a; x=1', { boundary: 'a; x=1' }],
    ['text/plain; flag; charset=a; charset=b', { charset: 'a' }],
    ['text/plain; charset=; name=x', { charset: '', name: 'x' }],
    ['text/plain', {}],
  ])('%s', (text, expected) => expect(parametersOf(text)).toEqual(expected));
});
