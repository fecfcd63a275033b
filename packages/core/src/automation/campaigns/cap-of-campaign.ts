import type { Db } from '../../base/db/index.ts';
import type { AppError, Services } from '../../base/kernel/index.ts';
import { breakDownAudience, countSimulated } from '../../mail/ledger/index.ts';
import { dailyCapExceeded, exceededDailyCap } from '../../mail/ramp/index.ts';
import {
  billingLimitExceeded,
  fitsCampaign,
  monthOf,
  reserveForCampaign,
} from '../../people/billing/index.ts';
import type { SentAudience } from './break-down-campaign.ts';
import { queryAudience } from './campaign-audience.ts';

interface Start {
  /** null for at once */
  scheduledFor: Date | null;
  /** the campaign whose usage is reserved; null to look only */
  reserveFor: string | null;
}

/**
 * The cap that a campaign would exceed; null if it exceeds none. The usage of one that starts now can be reserved. One that is scheduled for
 * this month must fit as well, but reserves nothing: it is checked again when its audience is frozen, like the daily cap of a new project.
 * `db` must be a transaction, until whose end the usage of the project may stay locked.
 */
export async function capOfCampaign(
  { config }: Pick<Services, 'config'>,
  db: Db,
  campaign: SentAudience,
  { scheduledFor, reserveFor }: Start,
): Promise<AppError | null> {
  const isBilled = config.billingEnabled && !(scheduledFor && scheduledFor >= monthOf(new Date()).end);
  const isRamped = config.NEW_PROJECT_RAMP !== undefined && !scheduledFor;
  if (!isBilled && !isRamped) return null;
  const isSandbox = campaign.from === config.sandboxFrom;
  const [willSend, simulated] = await queryAudience(db, campaign, async (tx, request) => [
    (await breakDownAudience(tx, request, isSandbox)).willSend,
    await countSimulated(tx, request),
  ]);
  if (simulated > 0 && simulated === willSend) return null;
  // At a cap nothing can be sent, also when the audience is empty.
  const quantity = Math.max(1, willSend - simulated);
  const { projectId } = campaign;
  if (isBilled) {
    const granted =
      scheduledFor || reserveFor === null
        ? await fitsCampaign(db, projectId, quantity)
        : await reserveForCampaign(db, { id: reserveFor, projectId }, quantity);
    if (!granted) return billingLimitExceeded();
  }
  if (!isRamped) return null;
  const cap = await exceededDailyCap(config, db, { projectId, quantity, kept: false });
  return cap === null ? null : dailyCapExceeded(cap);
}
