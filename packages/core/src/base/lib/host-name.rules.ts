/** Characters that a URL parser would treat as another part of a URL, or decode. */
const notOfAHost = /[\s/\\:@?#%[\]<>^|]/;
const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/**
 * A host name as stored: lower case, international names in punycode (UTS 46, as in URLs).
 *
 * @returns null for anything but a host name with at least one dot, such as an address or a name with scheme, port or trailing dot
 */
export function toHostName(text: string): string | null {
  if (notOfAHost.test(text)) return null;
  const ascii = URL.parse(`http://${text}/`)?.hostname ?? '';
  const labels = ascii.split('.');
  if (ascii.length > 253 || labels.length < 2 || !labels.every((part) => label.test(part))) return null;
  // A last label of digits alone is part of an address (RFC 3696, 2).
  return /^\d+$/.test(labels.at(-1) ?? '') ? null : ascii;
}
