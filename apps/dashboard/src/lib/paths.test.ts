import { describe, expect, it } from 'vitest';
import { curl } from './curl.ts';
import { loginPath, safeNext } from './paths.ts';

describe('the redirect after login', () => {
  it('leads to pages of the dashboard', () => {
    expect(safeNext(new URL(loginPath('/p/1/emails?status=SENT'), 'http://x').searchParams.get('next'))).toBe(
      '/p/1/emails?status=SENT',
    );
  });

  it.each([null, '', 'https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    'never leads elsewhere (%s)',
    (next) => {
      expect(safeNext(next)).toBe('/');
    },
  );
});

describe('a curl command', () => {
  it('escapes quotes in the body for the shell', () => {
    expect(curl({ url: 'http://x', key: 'k', body: { a: "it's" } })).toContain(`it'\\''s`);
  });
});
