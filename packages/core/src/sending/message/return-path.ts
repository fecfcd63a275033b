const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const BOUNCE_ADDRESS = /^b-([a-z2-7]{26})@bounces\.(.+)$/i;

/** The return-path of one email: its id in base32 (RFC 4648 6, lower case, no padding). */
export function bounceAddress(emailId: string, domain: string): string {
  if (!UUID.test(emailId)) throw new TypeError('A bounce address is made for a uuid.');
  let bits = BigInt(`0x${emailId.replaceAll('-', '')}`) << 2n;
  let encoded = '';
  for (let i = 0; i < 26; i++) {
    encoded = ALPHABET.charAt(Number(bits & 31n)) + encoded;
    bits >>= 5n;
  }
  return `b-${encoded}@bounces.${domain}`;
}

/** The email id and the domain of a return-path; null for any other address. */
export function readBounceAddress(address: string): { emailId: string; domain: string } | null {
  const match = BOUNCE_ADDRESS.exec(address.trim());
  if (!match?.[1] || !match[2]) return null;
  let bits = 0n;
  for (const char of match[1].toLowerCase()) bits = (bits << 5n) | BigInt(ALPHABET.indexOf(char));
  // 26 characters hold 130 bits; the last two are padding.
  if ((bits & 3n) !== 0n) return null;
  const hex = (bits >> 2n).toString(16).padStart(32, '0');
  const emailId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return { emailId, domain: match[2].toLowerCase() };
}
