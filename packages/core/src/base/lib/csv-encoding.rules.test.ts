import { expect, it } from 'vitest';
import {
  type CsvEncoding,
  csvEncodings,
  decodeCsv,
  encodingOf,
  likelyEncoding,
  UndecodableText,
} from './csv-encoding.rules.ts';

const text = (bytes: readonly number[] | Uint8Array, encoding: CsvEncoding = 'auto') =>
  [...decodeCsv(Uint8Array.from(bytes), encoding)].join('');

/** The bytes of a text in an encoding that has one byte for each character. */
function encoded(given: string, encoding: string): Uint8Array {
  const letters = new TextDecoder(encoding).decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
  return Uint8Array.from([...given].map((char) => letters.indexOf(char)));
}

it('a byte order mark decides, whatever was chosen, and is no text', () => {
  const utf16 = Buffer.from('\uFEFFä,1\n', 'utf16le');
  for (const chosen of ['auto', 'utf-16', 'windows-1252'] as const) {
    expect(text([0xef, 0xbb, 0xbf, 0xc3, 0xa4], chosen)).toBe('ä');
    expect(text(utf16, chosen)).toBe('ä,1\n');
    expect(text(utf16.swap16(), chosen)).toBe('ä,1\n');
    utf16.swap16();
  }
  expect([encodingOf(utf16, 'auto'), encodingOf(Buffer.from('a'), 'auto')]).toEqual(['utf-16', 'utf-8']);
});

it('a text is read in pieces, characters of several bytes across them, and every encoding is known', () => {
  const given = 'aä€😀'.repeat(30_000);
  expect(text(Buffer.from(given))).toBe(given);
  expect(text(Buffer.from(given, 'utf16le'), 'utf-16')).toBe(given);
  for (const encoding of csvEncodings.filter((each) => each !== 'utf-16'))
    expect(text(Buffer.from('a,b'), encoding)).toBe('a,b');
  expect(text([0x80, 0x92, 0xe4], 'windows-1252')).toBe('€’ä');
});

it.each<[CsvEncoding, number[]]>([
  ['auto', [0xe4, 0x2c]],
  ['auto', [0x61, 0xc3]],
  ['utf-16', [0x61]],
  ['shift_jis', [0x81]],
  ['windows-1253', [0xaa]],
])('bytes that are not %s are refused', (encoding, bytes) =>
  expect(() => text(bytes, encoding)).toThrow(UndecodableText),
);

it.each<[CsvEncoding, Uint8Array]>([
  ['windows-1252', encoded('Jörg,Köln\nZoë,Straße 5 – “Café”', 'windows-1252')],
  ['windows-1251', encoded('Иван Петров,Москва\nОльга,Санкт-Петербург', 'windows-1251')],
  ['koi8-r', encoded('Иван Петров,Москва\nОльга,Санкт-Петербург', 'koi8-r')],
  ['windows-1250', encoded('Łukasz Świątek,Łódź\nJiří Dvořák,Plzeň', 'windows-1250')],
  ['windows-1253', encoded('Γιώργος,Αθήνα\nΕλένη,Θεσσαλονίκη', 'windows-1253')],
  ['windows-1255', encoded('משה,ירושלים', 'windows-1255')],
  ['macintosh', encoded('Jörg,Köln\nZoë,Zürich', 'macintosh')],
  ['utf-16', Buffer.from('email,Städte\n', 'utf16le').fill(0xe4, 14, 15)],
  ['shift_jis', Uint8Array.from([0x82, 0xb1, 0x82, 0xf1, 0x82, 0xc9, 0x82, 0xbf, 0x82, 0xcd, 0x2c, 0x31])],
  ['euc-kr', Uint8Array.from([0xbe, 0xc8, 0xb3, 0xe7, 0xc7, 0xcf, 0xbc, 0xbc, 0xbf, 0xe4])],
])('%s is proposed by its letters', (encoding, bytes) => expect(likelyEncoding(bytes)).toBe(encoding));

it('nothing is proposed for what is read anyway', () => {
  expect([likelyEncoding(Buffer.from('Jörg')), likelyEncoding(Buffer.from('\uFEFFJörg', 'utf16le'))]).toEqual(
    [null, null],
  );
});
