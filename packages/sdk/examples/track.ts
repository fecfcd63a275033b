import { pathToFileURL } from 'node:url';
import { Postrider, RateLimitError } from '@postrider/sdk';

/**
 * Tracks a few events. A secret key works on servers, the public key anywhere.
 *
 * POSTRIDER_URL=http://localhost:4000 POSTRIDER_KEY=pk_… node track.ts reader@example.com
 */
export async function trackVisit(postrider: Postrider, email: string): Promise<number> {
  const results = await postrider.trackBatch([
    { email, event: 'visited', data: { page: '/prices' } },
    { email, event: 'signed_up', data: { plan: 'pro', source: { value: 'prices', persistent: false } } },
  ]);
  for (const result of results) {
    if (result.status === 'fulfilled') continue;
    if (result.reason instanceof RateLimitError) console.error('Too many requests; try again later');
    else throw result.reason;
  }
  return results.filter(({ status }) => status === 'fulfilled').length;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { POSTRIDER_URL = 'http://localhost:4000', POSTRIDER_KEY = '' } = process.env;
  const postrider = new Postrider({ apiKey: POSTRIDER_KEY, baseUrl: POSTRIDER_URL });
  console.log(`${await trackVisit(postrider, process.argv[2] ?? '')} events stored`);
}
