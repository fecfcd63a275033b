/** Dots as programs read them in addresses: the ASCII one, and the ideographic one, which IDNA (RFC 3490 3.1) takes for it. */
const hostName = /[\p{L}\p{N}-][.。]\p{L}[\p{L}\p{N}-]|\d[.。]\d+[.。]\d+[.。]\d/u;

/**
 * The name of a project for people outside of it; null if it could be read as an address on the web or of a mailbox, which mail
 * programs make a link of (behaviour B4.19).
 */
export function nameForStrangers(name: string): string | null {
  const plain = name.normalize('NFKC').toLowerCase();
  return /:\/\/|www\.|@/.test(plain) || hostName.test(plain) ? null : name;
}
