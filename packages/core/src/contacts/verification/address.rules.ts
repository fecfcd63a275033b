import { distance } from 'fastest-levenshtein';

/** How many edits still count as a slip of the finger; short names have too many neighbours for two. */
const toleranceOf = (provider: string): number => (provider.length >= 9 ? 2 : 1);

/**
 * The well-known provider that a domain was probably meant to be; null when it is none's neighbour.
 *
 * @param known domains that are somebody's real name, however close to another they are
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
