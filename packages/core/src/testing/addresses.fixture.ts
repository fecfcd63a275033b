import fc from '@postrider/vitest/fast-check.ts';

/** Letters of many scripts and widths, marks, invisible characters, dots, signs, blanks and halves of characters. */
const pools = [
  'abcxyz019-_',
  'ABCXYZ',
  'äöüßéñÄÖẞİıſK',
  'абвёжАБВ',
  'αβγσςΣΩ',
  'אבגدهو١٢',
  '漢字かなカナ한글',
  'नीमक्ष',
  '\u200b\u200c\u200d\u200e\u00ad\ufeff\u2060\u034f\u3164\u180e',
  '\u0300\u0301\u0308\u0327\u0345',
  'ＡＢｃ１．。｡＠',
  "!#$%&*+/=?^`{|}~'",
  ' \t\u00a0\u3000<>(),;:"[]\\',
  '℀℡⒈․…㎏ﬁ\u{1f600}\u{10400}\u{e0100}\ud800\0\x7f',
].map((pool) => [...pool]);

const char = fc.oneof(
  { weight: 24, arbitrary: fc.constantFrom(...(pools[0] ?? [])) },
  { weight: 6, arbitrary: fc.constantFrom(...pools).chain((pool) => fc.constantFrom(...pool)) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 0x2ffff }).map((point) => String.fromCodePoint(point)) },
);
const part = (maxLength: number) => fc.string({ unit: char, minLength: 1, maxLength });
const label = fc.tuple(fc.constantFrom('', '', '', '', 'xn--'), part(9)).map((parts) => parts.join(''));

/** Texts that look like addresses, of which about a third are some. */
export const addressLike: fc.Arbitrary<string> = fc
  .tuple(part(6), fc.array(label, { minLength: 2, maxLength: 4 }), fc.constantFrom('.', '.', '.', '。'))
  .map(([local, labels, dot]) => `${local}@${labels.join(dot)}`);
