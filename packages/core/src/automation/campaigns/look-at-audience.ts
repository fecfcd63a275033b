import type { Context } from '../../base/kernel/index.ts';
import { firstRecipients } from '../../mail/ledger/index.ts';
import type { SentAudience } from './break-down-campaign.ts';
import { queryAudience } from './campaign-audience.ts';

/** Addresses of the first recipients that a campaign would have now. @throws AppError BAD_REQUEST when the query takes too long */
export const lookAtAudience = (
  { services }: Pick<Context, 'services'>,
  campaign: SentAudience,
  limit: number,
): Promise<string[]> =>
  services.database.prisma.$transaction(
    (db) => queryAudience(db, campaign, (tx, request) => firstRecipients(tx, request, limit)),
    { timeout: 30_000 },
  );
