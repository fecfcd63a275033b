import { expect, it } from 'vitest';
import { defaultBrand } from '../../people/projects/contract.ts';
import { compileDesign } from './design/compile.rules.ts';
import { defaultDesign } from './design/default-design.rules.ts';
import { retitled } from './title.rules.ts';

const design = defaultDesign({ name: 'Garden', brand: defaultBrand });
const compiled = (subject: string) => compileDesign(design, { subject, language: 'en' });

it.each([
  ['Spring', 'Summer'],
  ['Tom & <b>Jerry</b>', '$& costs $1'],
  ['Hello {{firstName ?? "you"}}', 'Your {{plan}} plan'],
])('a design compiled for %j has the title %j as if it had been compiled for that', (from, to) => {
  expect(retitled(compiled(from), from, to)).toBe(compiled(to));
});

it('a body without the title stays as it is', () => {
  expect(retitled('<title>Other</title>', 'Spring', 'Summer')).toBe('<title>Other</title>');
});
