import { z } from 'zod';
import { type Context, idList, projectIdOf, query } from '../../base/kernel/index.ts';
import { quietAt } from '../../people/projects/quiet-hours.rules.ts';
import { findLimitsOf, type LimitsRow } from './contact-limits.store.ts';
import { zoneOfContact } from './contact-zone.ts';
import { contactLimitState } from './contacts.schema.ts';

type LimitState = z.input<typeof contactLimitState>;

/** Where contacts are within the limits of their project; doors batch with it. */
export const getLimitsOfContacts = query({
  name: 'contacts.limitsOfMany',
  summary: 'Returns where contacts are within the limits per contact',
  permission: 'data:read',
  internal: true,
  input: idList,
  output: z.array(z.object({ id: z.string(), limits: contactLimitState })),
  async handler(ctx, { ids }) {
    const found = await readLimitStates(ctx, ids);
    return ids.map((id) => ({ id, limits: found.get(id) ?? unlimited }));
  },
});

const unlimited: LimitState = { granted: [], quietUntil: null };

async function readLimitStates(ctx: Context, ids: readonly string[]): Promise<Map<string, LimitState>> {
  const rows = await findLimitsOf(ctx.db, projectIdOf(ctx), ids);
  return new Map(rows.map((row) => [row.id, stateOf(row)]));
}

export const readLimitState = async (ctx: Context, id: string): Promise<LimitState> =>
  (await readLimitStates(ctx, [id])).get(id) ?? unlimited;

const hourMs = 3_600_000;

function stateOf({ limits, timeZone, named, times, readAt }: LimitsRow): LimitState {
  const quiet = limits.quietHours && quietAt(limits.quietHours, zoneOfContact(named, timeZone), readAt);
  return {
    granted: limits.caps.map(({ max, hours }) => ({
      hours,
      count: times.filter((at) => at > readAt - hours * hourMs).length,
      max,
    })),
    quietUntil: quiet?.isQuiet ? new Date(quiet.until) : null,
  };
}
