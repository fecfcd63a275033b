const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** RFC 4648 6, in lower case and without padding. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let count = 0;
  for (const byte of bytes) {
    bits = (bits << 8) | byte;
    count += 8;
    for (; count >= 5; count -= 5) text += alphabet[(bits >> (count - 5)) & 31];
    bits &= (1 << count) - 1;
  }
  return count === 0 ? text : text + alphabet[(bits << (5 - count)) & 31];
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
