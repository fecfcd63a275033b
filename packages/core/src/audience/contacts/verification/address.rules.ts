import { distance } from 'fastest-levenshtein';

/** The maximum edit distance of a typo; for short names, two edits would match too many domains. */
const toleranceOf = (provider: string): number => (provider.length >= 9 ? 2 : 1);

/**
 * The well-known provider that a domain is probably a typo of; null when none is close.
 *
 * @param known existing domains, which are never typos however close they are to another
 */
export function suggestProvider(
  domain: string,
  providers: readonly string[],
  known: (domain: string) => boolean,
): string | null {
  if (known(domain)) return null;
  let best: { provider: string; edits: number } | null = null;
  for (const provider of providers) {
    if (Math.abs(provider.length - domain.length) > 2) continue;
    const edits = distance(domain, provider);
    if (edits === 0) return null;
    if (edits <= toleranceOf(provider) && (best === null || edits < best.edits)) best = { provider, edits };
  }
  return best?.provider ?? null;
}
