/** What the header of a message says about where it comes from. */
export interface ReportOrigin {
  /** the clients that its `Received` fields name: their addresses, or names where a field has no address */
  receivedFrom: string[];
  /** its DKIM signatures (RFC 6376), the first ones */
  signatures: ReportSignature[];
}

export interface ReportSignature {
  domain: string;
  selector: string;
}

/** More signatures than a message of a mailbox provider has; the others are not looked at. */
export const mostSignatures = 5;

export const originOf = (fields: readonly { name: string; value: string }[]): ReportOrigin => ({
  receivedFrom: fields.filter(({ name }) => name === 'received').flatMap(({ value }) => clientsOf(value)),
  signatures: fields
    .filter(({ name }) => name === 'dkim-signature')
    .slice(0, mostSignatures)
    .flatMap(({ value }) => signatureOf(value)),
});

/** An address in brackets, as servers write that of their client (RFC 5321, 4.4). */
const bracketed = /\[(?:IPv6:)?([0-9a-f.:]{2,45})\]/gi;

/**
 * The client of one `Received` field. A server that writes a message itself names none, or its own machine: `from localhost`, or a local
 * program (`with local`).
 */
function clientsOf(value: string): string[] {
  const words = value.trim().split(/\s+/, 100);
  if (words[0]?.toLowerCase() !== 'from') return [];
  const byAt = words.findIndex((word, index) => index > 0 && word.toLowerCase() === 'by');
  const from = words.slice(1, byAt < 0 ? undefined : byAt).join(' ');
  const addresses = [...from.matchAll(bracketed)].map(([, address = '']) => address);
  if (addresses.length > 0) return addresses;
  const [name = ''] = words.slice(1);
  const isLocal = words.some(
    (word, index) => word.toLowerCase() === 'with' && /^local$/i.test(words[index + 1] ?? ''),
  );
  return isLocal || name.toLowerCase() === 'localhost' ? [] : [name || 'unknown'];
}

/** A tag list (RFC 6376, 3.2), without blanks, which may be anywhere. */
function signatureOf(value: string): ReportSignature[] {
  const tags = new Map<string, string>();
  for (const tag of value.replace(/\s/g, '').split(';')) {
    const at = tag.indexOf('=');
    if (at > 0) tags.set(tag.slice(0, at), tag.slice(at + 1));
  }
  const [domain, selector] = [tags.get('d')?.toLowerCase(), tags.get('s')?.toLowerCase()];
  return domain && selector ? [{ domain, selector }] : [];
}
