import { describe, expect, it } from 'vitest';
import { toHostName } from './host-name.rules.ts';

describe('a host name', () => {
  it.each([
    ['example.com', 'example.com'],
    ['Mail.EXAMPLE.com', 'mail.example.com'],
    ['a-b.c1.example', 'a-b.c1.example'],
    ['münchen.de', 'xn--mnchen-3ya.de'],
    ['XN--MNCHEN-3YA.de', 'xn--mnchen-3ya.de'],
    ['例え.jp', 'xn--r8jz45g.jp'],
    ['3com.com', '3com.com'],
  ])('%s is kept as %s', (given, stored) => {
    expect(toHostName(given)).toBe(stored);
  });

  it.each([
    'localhost',
    'https://example.com',
    'example.com:25',
    'example.com/',
    'example.com.',
    'example.com。',
    '.example.com',
    'a..b.com',
    'user@example.com',
    'exa mple.com',
    'ex%41mple.com',
    'ex_ample.com',
    '-a.example.com',
    'a-.example.com',
    '192.0.2.1',
    '0x7f.1',
    '[2001:db8::1]',
    '2001:db8::1',
    'example.123',
    'exam\u0000ple.com',
    '*.example.com',
    `${'a'.repeat(64)}.com`,
    `${'ü'.repeat(60)}.com`,
    '',
    '.',
  ])('%j is none', (given) => {
    expect(toHostName(given)).toBeNull();
  });
});
