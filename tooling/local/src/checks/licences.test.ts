import { expect, it } from 'vitest';
import { licenceProblems } from './licences.ts';

const lockOf = (license: string | undefined) => ({
  packages: {
    '': { license: 'Apache-2.0' },
    'node_modules/a/node_modules/some-package': { version: '1.0.0', ...(license && { license }) },
  },
});

it.each(['MIT', 'Apache-2.0 AND MIT', '(MIT OR GPL-3.0)', 'GPL-2.0 OR ISC', 'MIT and ISC'])(
  '%s may be used',
  (license) => {
    expect(licenceProblems(lockOf(license))).toEqual([]);
  },
);

it.each(['GPL-3.0', 'AGPL-3.0-only', 'MIT AND GPL-3.0', 'SEE LICENSE IN file', undefined])(
  'a package with the licence %s is named',
  (license) => {
    expect(licenceProblems(lockOf(license))).toEqual([
      expect.stringContaining(`some-package@1.0.0: ${license ?? 'no licence'}`),
    ]);
  },
);
