import { z } from 'zod';
import { direct } from '../../base/kernel/index.ts';
import { decodeLink } from '../message/index.ts';
import { recordInteraction } from './record-interaction.ts';
import { visit } from './tracking.schema.ts';

export const recordOpen = direct({
  name: 'tracking.recordOpen',
  summary: 'Records that an email was opened',
  permission: 'public',
  risk: 'closed',
  allowDisabled: true,
  input: visit,
  output: z.object({ valid: z.boolean().describe('Whether the token names an email') }),
  async handler({ services }, { token, ...visitor }) {
    const link = decodeLink(services.secrets, token);
    if (link?.kind !== 'open') return { valid: false };
    await recordInteraction(services, { type: 'open', emailId: link.emailId, link: null }, visitor);
    return { valid: true };
  },
});
