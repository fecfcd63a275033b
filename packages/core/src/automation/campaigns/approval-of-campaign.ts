import type { Db } from '../../base/db/index.ts';
import { AppError, type Context, isAgent, type Services, suggestions } from '../../base/kernel/index.ts';
import { projectPage } from '../../base/kernel/project-page.ts';
import { breakDownAudience } from '../../mail/ledger/index.ts';
import { findApprovalSettings } from '../../people/projects/index.ts';
import type { SentAudience } from './break-down-campaign.ts';
import {
  type ApprovableCampaign,
  type CampaignApproval,
  findLatestApproval,
} from './campaign-approvals.store.ts';
import { queryAudience } from './campaign-audience.ts';
import { sizeOf } from './campaign-facts.ts';
import type { CampaignRow } from './campaigns.store.ts';
import { type HashedCampaign, stateOf } from './hash-campaign.ts';

/** Whether a campaign may be sent as far as its approval goes. */
export type Standing =
  | { kind: 'unneeded' }
  /** a second person has approved the present state */
  | { kind: 'given'; hash: string }
  /** `asked`: the approval of the present state that waits */
  | { kind: 'missing'; hash: string; asked: CampaignApproval | null };

type Judged = HashedCampaign &
  Partial<Omit<ApprovableCampaign, keyof HashedCampaign>> & { projectId: string };

/** @param countRecipients asked only where their number decides */
export async function standingOf(
  db: Db,
  campaign: Judged,
  countRecipients: () => Promise<number>,
): Promise<Standing> {
  const { required, above } = await findApprovalSettings(db, campaign.projectId);
  if (required === 'NEVER') return { kind: 'unneeded' };
  if (required === 'ABOVE' && (await countRecipients()) <= (above ?? 0)) return { kind: 'unneeded' };
  return approvedStanding(db, campaign);
}

/** The same where an approval is needed. */
async function approvedStanding(db: Db, campaign: Judged): Promise<Exclude<Standing, { kind: 'unneeded' }>> {
  const { id, projectId, approvedHash } = campaign;
  const { hash } = await stateOf(db, projectId, campaign);
  if (approvedHash === hash) return { kind: 'given', hash };
  const latest = id === undefined ? null : await findLatestApproval(db, projectId, id);
  const isPresent = latest?.hash === hash;
  if (isPresent && latest?.status === 'APPROVED') return { kind: 'given', hash };
  return { kind: 'missing', hash, asked: isPresent && latest?.status === 'PENDING' ? latest : null };
}

/** What an approval means for a part of an audience that is about to be frozen. */
type FreezeStanding =
  | { kind: 'unneeded' }
  /** `hash` is what was approved */
  | { kind: 'given'; hash: string }
  /** none is needed, as long as there are no more recipients */
  | { kind: 'counted'; most: number }
  | { kind: 'missing' };

/**
 * What was approved is compared once more when it is frozen, as the condition of a segment can change after the send. Parts behind the first
 * one are compared with what was approved for that, whatever the settings say by then.
 */
export async function approvalAtFreeze(db: Db, campaign: CampaignRow): Promise<FreezeStanding> {
  const { required, above } = await findApprovalSettings(db, campaign.projectId);
  const isLater = campaign.frozenAt !== null;
  if (required === 'NEVER' || (isLater && campaign.approvedHash === null)) return { kind: 'unneeded' };
  const standing = await approvedStanding(db, campaign);
  if (standing.kind === 'missing' && required === 'ABOVE' && !isLater)
    return { kind: 'counted', most: above ?? 0 };
  return standing;
}

/** Whether a campaign is still what was approved: its audience was read in between. */
export const isStill = async (db: Db, campaign: CampaignRow, standing: FreezeStanding): Promise<boolean> =>
  standing.kind !== 'given' || (await stateOf(db, campaign.projectId, campaign)).hash === standing.hash;

/** Contacts that would be sent an email, each of them counted. `db` must be a transaction. */
export const countRecipients = async (
  { config }: Pick<Services, 'config'>,
  db: Db,
  campaign: SentAudience,
): Promise<number> =>
  queryAudience(
    db,
    campaign,
    async (tx, request) =>
      (await breakDownAudience(tx, request, campaign.from === config.sandboxFrom)).willSend,
  );

/** The same to look at: in a large project from a sample. */
export const estimateToSend = (
  { services }: Pick<Context, 'services'>,
  campaign: SentAudience,
): Promise<number> =>
  services.database.prisma.$transaction(
    async (db) => (await sizeOf(db, campaign, campaign.from === services.config.sandboxFrom)).willSend,
    { timeout: 30_000 },
  );

/**
 * Whether a call of an agent is one that a person has agreed to, or is only tried: it becomes an approval of its own, which those decide who
 * may approve the campaign.
 */
export const isAgreedCall = ({ actor, request, services }: Context): boolean =>
  isAgent(actor) && (request.approvedBy !== undefined || services.isRehearsal === true);

/** The error of a send without the approval that it needs; null where it has it, or needs none. */
export function approvalRefusal(
  { config }: Pick<Services, 'config'>,
  { projectId, id }: Pick<Judged, 'projectId' | 'id'>,
  standing: Standing,
): AppError | null {
  if (standing.kind !== 'missing') return null;
  const { asked } = standing;
  const page = asked ? `approvals/${asked.id}` : id === undefined ? 'campaigns' : `campaigns/${id}`;
  return new AppError(
    'APPROVAL_REQUIRED',
    'An owner or admin has to approve this campaign before it is sent',
    {
      details: {
        approvalId: asked?.id ?? null,
        url: projectPage(config, projectId, page),
        expiresAt: null,
        summary: asked?.summary ?? 'Send the campaign',
      },
      suggestion: asked ? suggestions.APPROVAL_REQUIRED : suggestions.APPROVAL_MISSING,
    },
  );
}
