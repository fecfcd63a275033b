import { z } from 'zod';
import { direct, type Services } from '../kernel/index.ts';
import { decodeLink, findFixedLink, type LinkToken } from '../sending/index.ts';
import { findContentOf } from './interactions.store.ts';
import { recordInteraction } from './record-interaction.ts';
import { visit } from './tracking.schema.ts';

type ClickToken = Extract<LinkToken, { kind: 'click' }>;

export const recordClick = direct({
  name: 'tracking.recordClick',
  summary: 'Records that a link was followed, and says where it leads',
  permission: 'public',
  allowDisabled: true,
  input: visit,
  output: z.object({ url: z.string().nullable().describe('The original link; null for an invalid token') }),
  async handler({ services }, { token, ...visitor }) {
    const link = decodeLink(services.secrets, token);
    if (link?.kind !== 'click') return { url: null };
    const url = await targetOf(services, link);
    // Tracked links are always http or https; any other target would make this an open redirect for other schemes.
    if (url === null || !/^https?:\/\//i.test(url)) return { url: null };
    await recordInteraction(services, { type: 'click', emailId: link.emailId, link: url }, visitor);
    return { url };
  },
});

async function targetOf(services: Services, { emailId, target }: ClickToken): Promise<string | null> {
  if ('url' in target) return target.url;
  const contentId = await findContentOf(services.database.pool, emailId);
  return contentId === null ? null : findFixedLink(services, contentId, target.linkId);
}
