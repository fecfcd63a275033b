/** Everything that a URL parser would take for another part of an address, or decode. */
const notOfAHost = /[\s/\\:@?#%[\]<>^|]/;
const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/**
 * A host name in the form in which it is stored: lower case, international names in punycode (UTS 46, as URLs have it).
 *
 * @returns null when it is no host name with at least one dot: a scheme, port, trailing dot or address included
 */
export function toHostName(text: string): string | null {
  if (notOfAHost.test(text)) return null;
  const ascii = URL.parse(`http://${text}/`)?.hostname ?? '';
  const labels = ascii.split('.');
  if (ascii.length > 253 || labels.length < 2 || !labels.every((part) => label.test(part))) return null;
  // A last label of digits alone is part of an address (RFC 3696, 2).
  return /^\d+$/.test(labels.at(-1) ?? '') ? null : ascii;
}
