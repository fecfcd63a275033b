/** The tags of a DMARC record by their names (RFC 7489, 6.3); empty for any other text. */
export function dmarcTags(text: string): ReadonlyMap<string, string> {
  if (!/^\s*v\s*=\s*DMARC1\s*(;|$)/.test(text)) return new Map();
  return new Map(
    text
      .split(';')
      .map((tag) => tag.split('='))
      .filter(([, ...value]) => value.length > 0)
      .map(([name = '', ...value]) => [name.trim().toLowerCase(), value.join('=').trim()]),
  );
}

/** The hosts that get aggregate reports, from addresses such as `mailto:dmarc@example.com!10m`. */
export function reportHosts(tags: ReadonlyMap<string, string>): string[] {
  const addresses = (tags.get('rua') ?? '')
    .split(',')
    .map((uri) => /^mailto:[^@\s]+@([^!\s]+)/i.exec(uri.trim()));
  return [...new Set(addresses.flatMap((match) => (match?.[1] ? [match[1].toLowerCase()] : [])))];
}
