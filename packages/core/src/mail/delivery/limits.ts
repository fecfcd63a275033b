import type { PoolClient } from 'pg';
import { zoneOfContact } from '../../audience/contacts/index.ts';
import type { ContactLimits } from '../../people/projects/contact-limits.schema.ts';
import { afterQuietHours, quietAt } from '../../people/projects/quiet-hours.rules.ts';
import type { ClaimedBatch, ClaimedEmail } from '../ledger/index.ts';
import { type Slot, takeContactSlots } from '../ledger/index.ts';
import { firstBulkPriority } from '../ledger/ledger.rules.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;

/** A message whose beginning is asked for this long before the quiet hours is not late when it begins. */
const marginMs = 1_000;

interface Asking {
  email: ClaimedEmail;
  contactId: string;
  zone: string;
  waitsUntil: number;
}

type LimitedBatch = ClaimedBatch & { contactLimits: ContactLimits };

/**
 * Applies the limits per contact to a claimed batch, after the commit of its claim and before anything of it begins: what may not go now gets
 * the result that puts it off, or skips it. Batches of projects without limits cost nothing.
 *
 * @param isOpen whether an email is to be sent, as far as everything else is concerned: what is not takes no slot
 * @param askedAt when the batch was asked for, by the monotonic clock
 */
export async function applyLimits(
  client: PoolClient,
  batch: ClaimedBatch,
  isOpen: (email: ClaimedEmail) => boolean,
  askedAt: number,
): Promise<void> {
  if (!isLimited(batch)) return;
  const { contactLimits: limits, readAt, projectId } = batch;
  const quiet = quietOf(batch);
  const asking: Asking[] = [];
  for (const email of batch.emails) {
    if (email.limitedIn === null || email.contactId === null || !isOpen(email)) continue;
    const zone = zoneOfContact(email.limitedIn, batch.timeZone ?? 'UTC');
    const hours = quiet(zone);
    if (hours?.isQuiet) {
      email.limited = { outcome: 'giveback', heldBy: 'quiet_hours', until: hours.until };
      continue;
    }
    if (hours) email.beginsBefore = askedAt + (hours.until - readAt) - marginMs;
    const waitsUntil = afterQuietHours(limits.quietHours, zone, batch.firstDueAt + limits.waitHours * hourMs);
    asking.push({ email, contactId: email.contactId, zone, waitsUntil });
  }
  if (limits.caps.length === 0 || asking.length === 0) return;
  const slots = await takeContactSlots(
    client,
    projectId,
    asking.map(({ email, contactId, waitsUntil }) => ({
      emailId: email.id,
      contactId,
      isBulk: email.priority >= firstBulkPriority,
      waitsUntil,
    })),
    limits.caps,
  );
  for (const each of asking) each.email.limited = resultOf(each, slots.get(each.email.id), batch);
}

const isLimited = (batch: ClaimedBatch): batch is LimitedBatch => batch.contactLimits !== null;

/** The quiet hours of a zone at the time of the claim, computed once for each. */
function quietOf({
  contactLimits,
  readAt,
}: LimitedBatch): (zone: string) => ReturnType<typeof quietAt> | null {
  const { quietHours } = contactLimits;
  if (!quietHours) return () => null;
  const known = new Map<string, ReturnType<typeof quietAt>>();
  return (zone) => {
    const found = known.get(zone) ?? quietAt(quietHours, zone, readAt);
    known.set(zone, found);
    return found;
  };
}

/**
 * An email without a slot is looked at again when one is expected, on whole minutes so that those of a batch stay together, and at the latest
 * when it has waited for long enough: then it goes or is skipped.
 */
function resultOf(
  { zone, waitsUntil }: Asking,
  slot: Slot | undefined,
  { contactLimits, readAt }: LimitedBatch,
): ClaimedEmail['limited'] {
  if (!slot || slot.isGranted) return null;
  if (waitsUntil <= readAt) return { outcome: 'skipped', reason: 'capped' };
  const freeAt = Math.ceil(Math.max(slot.freeAt ?? 0, readAt) / minuteMs) * minuteMs;
  const until = afterQuietHours(contactLimits.quietHours, zone, Math.min(freeAt, waitsUntil));
  return { outcome: 'giveback', heldBy: 'cap', until: Math.min(until, waitsUntil) };
}
