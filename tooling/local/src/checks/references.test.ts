import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../root.ts';
import { deadReferences, sectionsOf } from './references.ts';

const behaviour = 'docs/behaviour.md';
const checked = /\.(tsx?|mjs|prisma|sql|md|css|yml)$/;
/** Broken references, which the check must find. */
const planted = 'tooling/local/src/checks/references.test.ts';

const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
});
const files = listed.split('\n').filter((file) => file !== '' && existsSync(join(ROOT, file)));
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

const targets = {
  sections: sectionsOf(textOf(behaviour)),
  documents: new Set(files.filter((file) => file.endsWith('.md'))),
};

describe('the check of references', () => {
  it.each([
    ['a section that does not exist', '/** Retries (behaviour B3.99). */', 'B3.99'],
    ['a part that does not exist', '// behaviour B99', 'B99'],
    ['a decision that does not exist', '/** See decision 999. */', '999'],
    ['a document that does not exist', '/** A segment as callers see it (api.md). */', 'api.md'],
    ['a broken link', 'See [the limits](docs/limits.md).', 'docs/limits.md'],
  ])('finds %s', (_, text, reference) => {
    expect(deadReferences('packages/core/src/x.ts', `\n${text}`, targets)).toEqual([{ line: 2, reference }]);
  });

  it('accepts sections, decisions and documents that exist', () => {
    const text =
      'B2.5, behaviour B10, decision 001, (see 005), behaviour.md, [why](docs/decisions), /docs/first-email.md';
    expect(deadReferences('README.md', text, targets)).toEqual([]);
  });

  it('reads links relative to their file', () => {
    expect(deadReferences('docs/decisions/x.md', '[terms](../glossary.md)', targets)).toEqual([]);
  });
});

it('every reference to the documentation has a target', () => {
  const dead = files
    .filter((file) => checked.test(file) && file !== planted)
    .flatMap((file) =>
      deadReferences(file, textOf(file), targets).map(
        ({ line, reference }) => `${file}:${line}: ${reference}`,
      ),
    );
  expect(dead).toEqual([]);
});

it('no two decisions have the same number', () => {
  const numbers = files.flatMap((file) => /^docs\/decisions\/(\d{3})-/.exec(file)?.[1] ?? []);
  expect(numbers).toEqual([...new Set(numbers)]);
});
