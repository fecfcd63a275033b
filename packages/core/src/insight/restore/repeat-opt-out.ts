import { type Services, systemContext } from '../../base/kernel/index.ts';
import { changePreferences } from '../../mail/tracking/index.ts';

/**
 * Applies a request to an unsubscribe link again.
 *
 * @param source `one_click` of the link itself, `page` of its page
 * @returns whether the link belongs to a contact that is known
 */
export async function repeatOptOut(
  services: Services,
  token: string,
  source: 'one_click' | 'page',
): Promise<boolean> {
  const changed = await changePreferences.run(systemContext(services), {
    token,
    action: 'unsubscribe',
    source,
  });
  return changed !== null && changed.found.kind !== 'lost';
}
