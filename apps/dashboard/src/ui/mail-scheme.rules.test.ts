import { describe, expect, it } from 'vitest';
import { hasDarkStyles, inScheme } from './mail-scheme.rules.ts';

const query = '<style>@media (prefers-color-scheme: dark) { p { color: #fff } }</style>';

describe('an email in a scheme', () => {
  it('takes its own styles for that scheme, and none for the other', () => {
    expect(inScheme(query, 'dark')).toContain('@media (min-width: 0)');
    expect(inScheme(query, 'light')).toContain('@media (max-width: 0)');
    expect(inScheme('<link media="(prefers-color-scheme:light)">', 'light')).toContain('(min-width: 0)');
  });

  it('supports only that scheme, where it supports it at all', () => {
    const meta = '<meta name="color-scheme" content="light dark">';
    expect(inScheme(meta, 'dark')).toBe('<meta name="color-scheme" content="dark">');
    expect(inScheme(meta, 'light')).toBe('<meta name="color-scheme" content="light">');
    expect(inScheme('<style>:root { color-scheme: light; }</style>', 'dark')).toContain(
      'color-scheme: light;',
    );
  });

  it('keeps its text', () => {
    const text = '<p>Use (prefers-color-scheme: dark) in a media query.</p>';
    expect(inScheme(text, 'dark')).toBe(text);
  });
});

it('an email without styles for dark clients is recognized', () => {
  expect(hasDarkStyles(query)).toBe(true);
  expect(hasDarkStyles('<style>p { color: red }</style><p>dark</p>')).toBe(false);
});
