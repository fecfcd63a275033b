import type { Db } from '../../base/db/index.ts';
import { segmentEvent } from '../../base/event-types/index.ts';
import {
  findEndpointReferences,
  findReferences,
  type References,
  type Referrer,
} from '../../base/references/index.ts';

/** The records that refer to a segment or to its events. */
export interface SegmentUsers extends Omit<References, 'templates'> {
  webhookEndpoints: Referrer[];
}

interface Named {
  id: string;
  slug: string;
}

const eventsOf = ({ slug }: Named): string[] => [segmentEvent(slug, 'entry'), segmentEvent(slug, 'exit')];

/** What would miss the events of a segment if they had another name. */
export const findUsersOfEvents = (db: Db, projectId: string, segment: Named): Promise<SegmentUsers> =>
  findUsers(db, projectId, [], eventsOf(segment));

export const findSegmentUsers = (db: Db, projectId: string, segment: Named): Promise<SegmentUsers> =>
  findUsers(db, projectId, [`segment.${segment.id}`], eventsOf(segment));

async function findUsers(
  db: Db,
  projectId: string,
  refs: readonly string[],
  events: readonly string[],
): Promise<SegmentUsers> {
  const [{ segments, campaigns, workflows, goals }, webhookEndpoints] = await Promise.all([
    findReferences(db, projectId, [...refs, ...events.map((name) => `event.${name}`)]),
    findEndpointReferences(db, projectId, events),
  ]);
  return { segments, campaigns, workflows, goals, webhookEndpoints };
}
