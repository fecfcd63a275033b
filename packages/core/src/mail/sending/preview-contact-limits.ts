import { z } from 'zod';
import { zoneOfContact } from '../../audience/contacts/index.ts';
import { projectIdOf, query } from '../../base/kernel/index.ts';
import { isoDate, typeNames } from '../../base/kernel/schemas.ts';
import { Breath } from '../../base/lib/breath.ts';
import { triedContactLimits } from '../../people/projects/contact-limits.schema.ts';
import { readContactLimits } from '../../people/projects/index.ts';
import { findSentLately } from './contact-limits-preview.store.ts';
import { tryLimits } from './try-limits.rules.ts';

/** Emails that are looked at: about as many as can be read in a second. */
const mostEmails = 20_000;
const days = 30;

export const previewContactLimits = query({
  name: 'contacts.previewLimits',
  summary: 'Tells how many emails of the last 30 days limits per contact would have held',
  permission: 'data:read',
  input: triedContactLimits,
  output: z
    .object({
      emails: z
        .int()
        .min(0)
        .meta({ description: 'Marketing emails to contacts that were looked at.', examples: [1_000] }),
      held: z
        .int()
        .min(0)
        .meta({ description: 'How many of them would have waited, and gone later.', examples: [42] }),
      skipped: z
        .int()
        .min(0)
        .meta({
          description: 'How many of them would have waited for too long, and not been sent.',
          examples: [3],
        }),
      since: isoDate.describe(
        'The time from which on emails were looked at: 30 days ago, or later where the newest 20,000 emails of the project reach less far.',
      ),
    })
    .register(typeNames, { name: 'ContactLimitsPreview' }),
  async handler(ctx, limits) {
    const projectId = projectIdOf(ctx);
    const { timeZone } = await readContactLimits(ctx.db, projectId);
    const { contacts, since } = await findSentLately(ctx.db, projectId, { days, most: mostEmails });
    const breath = new Breath();
    const total = { emails: 0, held: 0, skipped: 0, since };
    for (const { named, times } of contacts) {
      const { held, skipped } = tryLimits(limits, zoneOfContact(named, timeZone), times);
      total.emails += times.length;
      total.held += held;
      total.skipped += skipped;
      await breath.take();
    }
    return total;
  },
});
