/** The part of `package-lock.json` that names the licence of every installed package by its folder. */
export interface LicensedLock {
  packages: Record<string, { version?: string; license?: string; link?: boolean }>;
}

/** Licences that ask for no more than their own text beside the code. */
const permissive = new Set([
  ...[
    '0BSD',
    'Apache-2.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'BlueOak-1.0.0',
    'CC0-1.0',
    'ISC',
    'MIT',
    'MIT-0',
  ],
  ...['Python-2.0', 'Unlicense', 'Zlib'],
]);

/** Packages with another licence, or without one in the lock, and why they may be used. */
const exceptions: Readonly<Record<string, string>> = {
  lightningcss: 'MPL-2.0; builds the styles of the dashboard and is not part of the result',
  'caniuse-lite': 'CC-BY-4.0; data of the build',
  elkjs: 'EPL-2.0; part of the Prisma command line, which runs only while developing',
  'seq-queue': 'MIT, in the older form of the field; part of the Prisma command line',
  '@fontsource-variable/inter':
    'OFL-1.1; the licence of nearly every free font, which may be shipped with software under any licence',
  unionfs: 'Unlicense, missing in the registry; bundles workflow code',
};

/** Packages whose licence is neither permissive nor listed as an exception. */
export function licenceProblems(lock: LicensedLock): string[] {
  return Object.entries(lock.packages).flatMap(([folder, { version, license = 'no licence', link }]) => {
    const name = folder.split('node_modules/').at(-1) ?? '';
    if (link || !folder.includes('node_modules/') || isExcepted(name) || isPermissive(license)) return [];
    return [`${name}@${version}: ${license}`];
  });
}

/** An exception holds for the platform packages of its name as well. */
const isExcepted = (name: string): boolean =>
  Object.keys(exceptions).some((known) => name === known || name.startsWith(`${known}-`));

/** An SPDX expression: one of the alternatives of OR, all of the parts of AND. */
function isPermissive(expression: string): boolean {
  const bare = expression.replace(/^\((.*)\)$/, '$1');
  return bare
    .split(/\s+or\s+/i)
    .some((alternative) => alternative.split(/\s+and\s+/i).every((part) => permissive.has(part.trim())));
}
