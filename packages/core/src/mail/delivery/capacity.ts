import type { Kind } from '../ledger/ledger.rules.ts';
import type { Holdings } from './holdings.ts';
import type { Pace } from './pace.ts';
import type { TransportLoad } from './ready-queue.ts';
import { noRoom, type Room } from './room.ts';
import type { Setbacks } from './setbacks.ts';

/** Emails of one claim: a campaign's batch, or as many single emails. */
const claimEmails = 500;
const directClaimEmails = 200;
const claimProjects = 50;
/** Direct emails that may wait in this process, beyond which only results make room. */
const directLimit = 5_000;
/** Emails that are held until their results are written. While PostgreSQL cannot keep up, nothing is claimed. */
const heldLimit = 20_000;
/** Emails that are claimed as a trial after a pause of composing. */
const trialProjects = 10;

/**
 * What a claim may take: enough to keep the connections busy, and no project so much that others wait behind it. An owner may have as many
 * emails as there is room for more: one alone has half of all, and however many owners have much, room is left for the next one.
 */
export function roomFor(
  kind: Kind,
  holdings: Holdings,
  load: Pick<TransportLoad, 'allowed'>,
  route: { paused: boolean },
  pace: Pick<Pace, 'limit' | 'caughtUp'>,
  setbacks: Pick<Setbacks, 'state'>,
): Room {
  if (route.paused || setbacks.state === 'paused' || holdings.emails >= heldLimit) return noRoom;
  const { total, byProject, byTurn } = holdings.backlog(kind);
  if (total === 0) pace.caughtUp();
  const held = pace.limit(load.allowed);
  if (total >= held) return noRoom;
  const enough = Math.max(claimEmails / 2, 2 * load.allowed);
  const needsMore = (projectId: string): boolean => (byProject.get(projectId) ?? 0) < enough;
  const isDirect = kind === 'direct';
  const most = Math.min(held - total, isDirect ? directClaimEmails : claimEmails);
  const wanted = isDirect ? directLimit - total : total < 4 * enough ? claimEmails : 0;
  const limit = Math.min(held, isDirect ? directLimit : 4 * enough + claimEmails);
  const ofTurn = (key: string): number => limit - total - (byTurn.get(key) ?? 0);
  if (setbacks.state === 'trial') {
    const other = holdings.backlog(isDirect ? 'bulk' : 'direct');
    return total + other.total > 0
      ? noRoom
      : { emails: trialProjects, projects: trialProjects, ofProject: () => 1, ofTurn };
  }
  return {
    emails: Math.min(held - total, wanted),
    projects: claimProjects,
    ofProject: (projectId) => (needsMore(projectId) ? most : 0),
    ofTurn,
  };
}
