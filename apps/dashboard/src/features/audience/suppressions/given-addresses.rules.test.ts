import { describe, expect, it } from 'vitest';
import { addressesInFile, partsOf } from './given-addresses.rules.ts';

describe('addresses for the suppression list', () => {
  it('are pasted one per line or separated by commas, each counted once in any case', () => {
    expect(partsOf('a@x.test, b@x.test\r\n\n A@X.test;no-address ', '')).toEqual([
      ['A@X.test', 'b@x.test', 'no-address'],
    ]);
    expect(partsOf(' \n', '')).toEqual([]);
  });

  it.each([
    ['with a header', '\uFEFFEmail,Name\r\na@x.test,Ada\r\nb@x.test,Bob\r\n', ['a@x.test', 'b@x.test']],
    ['without a header', 'a@x.test\nb@x.test', ['a@x.test', 'b@x.test']],
    ['with quotes', '"email";"name"\n"a@x.test";"Ada"\n"""odd"",b"@x.test', ['a@x.test', '"odd",b']],
    [
      'with a wrong line, which is kept for the result',
      'email\na@x.test\nnonsense',
      ['a@x.test', 'nonsense'],
    ],
    ['that is empty', '', []],
  ])('are the first column of a file %s', (_name, text, addresses) => {
    expect(addressesInFile(text)).toEqual(addresses);
  });

  it('are sent in parts of 1,000', () => {
    const pasted = Array.from({ length: 2_001 }, (_, index) => `p${index}@x.test`).join('\n');
    expect(partsOf(pasted, 'email\nlast@x.test').map(({ length }) => length)).toEqual([1_000, 1_000, 2]);
  });
});
