const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const equals = 0x3d;

/** 1 at the character codes of the standard alphabet (RFC 4648, 4). */
const alphabet = new Uint8Array(128);
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
  alphabet[char.charCodeAt(0)] = 1;

/**
 * Whether a text is base64 of at least one byte: CR and LF anywhere, padding at the end complete or omitted. A loop,
 * because a pattern with a repeated group overflows the stack of the regular expression engine above a few megabytes.
 */
export function isBase64(text: string): boolean {
  let letters = 0;
  let padding = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === lineFeed || code === carriageReturn) continue;
    if (code === equals) padding += 1;
    else if (padding > 0 || code > 127 || alphabet[code] !== 1) return false;
    else letters += 1;
  }
  const rest = letters % 4;
  if (letters === 0 || rest === 1) return false;
  return padding === 0 || padding === (4 - rest) % 4;
}
