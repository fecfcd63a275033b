import { expect, it } from 'vitest';
import { withMailDefaults } from './mail-defaults.rules.ts';

const style = '<style>html{font-family:Arial,Helvetica,sans-serif}</style>';

it.each([
  ['<p>A</p>', `${style}<p>A</p>`],
  ['<!DOCTYPE html><p>A</p>', `<!DOCTYPE html>${style}<p>A</p>`],
  [
    '<!DOCTYPE html>\n<html lang="en"><HEAD data-a="$&">\n<title>T</title></HEAD><body>A</body></html>',
    `<!DOCTYPE html>\n<html lang="en"><HEAD data-a="$&">${style}\n<title>T</title></HEAD><body>A</body></html>`,
  ],
  ['<header>A</header>', `${style}<header>A</header>`],
])('%s has the default font of mail programs, before its own styles', (html, shown) =>
  expect(withMailDefaults(html)).toBe(shown),
);
