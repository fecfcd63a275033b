import type { Kind } from './held-batch.ts';
import type { Holdings } from './holdings.ts';
import type { TransportLoad } from './ready-queue.ts';
import type { Room } from './room.ts';
import type { Setbacks } from './setbacks.ts';

/** Emails of one claim: a campaign's batch, or as many single emails. */
const claimEmails = 500;
const directClaimEmails = 200;
const claimProjects = 50;
/** Direct emails that may wait in this process, beyond which only results make room. */
const directLimit = 5_000;
/** Emails that are held until their results are written. While PostgreSQL cannot keep up, nothing is claimed. */
const heldLimit = 20_000;
/** Emails that are claimed while the route is paused, to probe it, and after a pause of composing. */
const probeProjects = 10;

const none: Room = { emails: 0, projects: 0, ofProject: () => 0, ofTurn: () => 0 };

/**
 * What a claim may take: enough to keep the connections busy, and no project so much that others wait behind it. An owner may have as many
 * emails as there is room for more: one alone has half of all, and however many owners have much, room is left for the next one.
 */
export function roomFor(
  kind: Kind,
  holdings: Holdings,
  load: TransportLoad,
  route: { paused: boolean },
  setbacks: Pick<Setbacks, 'state'>,
): Room {
  if (holdings.emails >= heldLimit || setbacks.state === 'paused') return none;
  const { total, byProject, byTurn } = holdings.backlog(kind);
  const enough = Math.max(claimEmails / 2, 2 * load.connections);
  const needsMore = (projectId: string): boolean => (byProject.get(projectId) ?? 0) < enough;
  const ofTurnWithin = (limit: number) => (key: string) => limit - total - (byTurn.get(key) ?? 0);
  if (route.paused || setbacks.state === 'trial') {
    const other = holdings.backlog(kind === 'direct' ? 'bulk' : 'direct');
    return total + other.total > 0
      ? none
      : {
          emails: probeProjects,
          projects: probeProjects,
          ofProject: () => 1,
          ofTurn: ofTurnWithin(directLimit),
        };
  }
  if (kind === 'direct') {
    return {
      emails: directLimit - total,
      projects: claimProjects,
      ofProject: (projectId) => (needsMore(projectId) ? directClaimEmails : 0),
      ofTurn: ofTurnWithin(directLimit),
    };
  }
  return {
    emails: total < 4 * enough ? claimEmails : 0,
    projects: claimProjects,
    ofProject: (projectId) => (needsMore(projectId) ? claimEmails : 0),
    ofTurn: ofTurnWithin(4 * enough + claimEmails),
  };
}
