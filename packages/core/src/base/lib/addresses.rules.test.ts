import { domainToUnicode } from 'node:url';
import fc from '@postrider/vitest/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { addressLike } from '../../testing/addresses.fixture.ts';
import {
  addressPartsSought,
  addressSought,
  normalizeAddress,
  normalizeDomain,
  unicodeDomain,
} from './addresses.rules.ts';
import { decodePunycode } from './punycode.rules.ts';

const mueller = 'ann@xn--mller-kva.example';

describe('spellings of one address', () => {
  it.each([
    ['  Ann@Example.COM\t', 'ann@example.com'],
    ['\u00a0ann@example.com\u3000', 'ann@example.com'],
    ['Ann@MÜLLER.example', mueller],
    ['ann@xn--mller-kva.example', mueller],
    ['ann@XN--MLLER-KVA.example', mueller],
    ['ann@mu\u0308ller.example', mueller],
    ['ann@ｍüller．example', mueller],
    ['ann@müller。example', mueller],
    ['ann@müller｡example', mueller],
    ['an\u200bn@exam\u00adple.com', 'ann@example.com'],
    ['\u202aann@example.com\u202c', 'ann@example.com'],
    ['\ufeff ann@example.com', 'ann@example.com'],
    ['ann\u3164@exa\u2060mple.c\ufe0fom', 'ann@example.com'],
    ['rene\u0301@example.com', 'rené@example.com'],
    ['RENÉ@example.com', 'rené@example.com'],
    ['ann@faß.example', 'ann@xn--fa-hia.example'],
    ['ann@FAẞ.example', 'ann@xn--fa-hia.example'],
    ['ann@βόλος.example', 'ann@xn--nxasmm1c.example'],
    ['ann@例え。テスト', 'ann@xn--r8jz45g.xn--zckzah'],
    ['ann@نامه\u200cای.example', 'ann@xn--mgba3gch31f060k.example'],
    ['ann@שלום.co.il', 'ann@xn--9dbne9b.co.il'],
    ["o'neil+news/1=%@a_b.example", "o'neil+news/1=%@a_b.example"],
    ['ann@a!b.example', 'ann@a!b.example'],
    ['a@xn--fiqs8s.xn--p1ai', 'a@xn--fiqs8s.xn--p1ai'],
  ])('%j is stored as %s', (given, stored) => {
    expect(normalizeAddress(given)).toBe(stored);
  });

  it.each([
    'ann@exa mple.com',
    'an n@example.com',
    'ann@1.2.3',
    'ann@example.0x1f',
    'ann@ex%61mple.com',
    'ann@example.com/path',
    'ann@example.com?x',
    'ann@example.com#x',
    'ann@exa^mple.com',
    'ann@example.com.',
    'ann@.example.com',
    'ann@example..com',
    'ann@example',
    '.ann@example.com',
    'ann.@example.com',
    'a..n@example.com',
    'ann@@example.com',
    'ann@b@example.com',
    '@example.com',
    'ann@',
    'ann',
    '',
    '\u200b',
    '"ann"@example.com',
    'ann <ann@example.com>',
    'ann@[192.0.2.1]',
    'ann@example.com\r\nBcc: x',
    'a\0b@example.com',
    'a\u037eb@example.com',
    'a\ud800@example.com',
    'a\u0378@example.com',
    'ann@exa!müller.example',
    'ann@ü％41.example',
    'ann@xn--a.example',
    'ann@xn--.example',
    'ann@xn--ann-.example',
    'ann@xn--mller-kv.example',
    'ann@na\u200dme.example',
    'ann@-x.שלום',
    'ann@\u0301a.example',
    `ann@${'a'.repeat(64)}.example`,
    `ann@${'ü'.repeat(60)}.example`,
    `${'a'.repeat(243)}@example.com`,
    `${'é'.repeat(122)}@example.com`,
    `ann@${'ü.'.repeat(600)}example`,
  ])('%j is no address', (given) => {
    expect(normalizeAddress(given)).toBeNull();
  });

  it('has at most 254 octets', () => {
    expect(normalizeAddress(`${'a'.repeat(242)}@example.com`)).toHaveLength(254);
    expect(normalizeAddress(`${'é'.repeat(121)}@example.com`)).toHaveLength(133);
  });
});

describe('the normal form', () => {
  it('is its own normal form, in lower case, with an ASCII domain of at most 253 characters', () => {
    let accepted = 0;
    fc.assert(
      fc.property(addressLike, (given) => {
        const address = normalizeAddress(given);
        if (address === null) return;
        accepted += 1;
        expect(normalizeAddress(address)).toBe(address);
        expect(addressSought(given)).toBe(address);
        expect(address.toLowerCase().normalize('NFC')).toBe(address);
        const domain = address.slice(address.lastIndexOf('@') + 1);
        expect(domain).toMatch(/^(?:[!-,\-\w=`{}~]{1,63}\.)+[!-,\-\w=`{}~]{1,63}$/);
        expect(
          normalizeAddress(`${address.slice(0, address.lastIndexOf('@'))}@${unicodeDomain(domain)}`),
        ).toBe(address);
      }),
      { numRuns: 5_000 },
    );
    expect(accepted).toBeGreaterThan(1_000);
  });

  it('does not depend on case, width of the domain, composition, and invisible characters', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'abcäöéабв漢한'), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(
        letters,
        letters,
        fc.constantFrom('\u200b', '\u00ad', '\u2060', '\ufeff'),
        (local, name, unseen) => {
          const address = normalizeAddress(`${local}@${name}.example`);
          expect(address).not.toBeNull();
          const wide = `${name}.example`.replace(/[!-~]/g, (char) =>
            String.fromCharCode(char.charCodeAt(0) + 0xfee0),
          );
          for (const other of [
            `${local.toUpperCase()}@${name.toUpperCase()}.EXAMPLE`,
            `${local}@${name}.example`.normalize('NFD'),
            `${local}@${wide}`,
            `${local}@${normalizeDomain(`${name}.example`)}`,
            [...`${local}@${name}.example`].join(unseen),
          ])
            expect(normalizeAddress(other)).toBe(address);
        },
      ),
    );
  });
});

it('a domain is shown in the letters that its A-labels stand for', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9-]{1,20}$/), (text) => {
      const decoded = decodePunycode(text);
      // The decoder of Node refuses more: what no label may be.
      const theirs = domainToUnicode(`xn--${text}.example`);
      if (decoded !== null && theirs !== '' && !theirs.startsWith('xn--'))
        expect(`${decoded}.example`).toBe(theirs);
    }),
    { numRuns: 2_000 },
  );
  expect(unicodeDomain('xn--mller-kva.xn--zckzah')).toBe('müller.テスト');
  expect(unicodeDomain('xn--0.example')).toBeNull();
});

describe('a part of an address', () => {
  it.each([
    ['Ann', ['ann']],
    ['@MÜLLER', ['@müller', '@xn--mller-kva']],
    ['Müller.ex', ['müller.ex', 'xn--mller-kva.ex']],
    ['rené@', ['rené@']],
    ['rene\u0301', ['rené', 'xn--ren-dma']],
    ['a b', ['a b']],
    ['', ['']],
    ['ü ', ['ü ']],
  ])('%j is looked for as %j', (typed, parts) => {
    expect(addressPartsSought(typed)).toEqual(parts);
  });
});
