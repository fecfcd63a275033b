const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** Two characters for each 10 bits: each email has two such texts. */
const pairs = Array.from({ length: 1_024 }, (_, bits) => `${alphabet[bits >> 5]}${alphabet[bits & 31]}`);

/** RFC 4648 6, in lower case and without padding. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let count = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    bits = (bits << 8) | (bytes[at] ?? 0);
    count += 8;
    if (count < 10) continue;
    count -= 10;
    text += pairs[bits >> count];
    bits &= (1 << count) - 1;
  }
  if (count === 0) return text;
  const last = pairs[bits << (10 - count)] ?? '';
  return text + (count > 5 ? last : last[0]);
}

/** The bytes of a text that `base32` made; null for any other text, also one whose unused bits are not 0. */
export function readBase32(text: string): Buffer | null {
  const bytes = Buffer.alloc(Math.floor((text.length * 5) / 8));
  let bits = 0;
  let count = 0;
  let at = 0;
  for (const char of text) {
    const value = alphabet.indexOf(char);
    if (value < 0) return null;
    bits = (bits << 5) | value;
    count += 5;
    if (count < 8) continue;
    count -= 8;
    bytes[at++] = bits >> count;
    bits &= (1 << count) - 1;
  }
  return bits === 0 && count < 5 ? bytes : null;
}
