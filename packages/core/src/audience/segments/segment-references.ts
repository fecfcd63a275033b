import type { Db } from '../../base/db/index.ts';
import { segmentEvent } from '../../base/event-types/index.ts';
import { type AppError, conflict, suggestions } from '../../base/kernel/index.ts';
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
  const [{ segments, campaigns, workflows }, webhookEndpoints] = await Promise.all([
    findReferences(db, projectId, [...refs, ...events.map((name) => `event.${name}`)]),
    findEndpointReferences(db, projectId, events),
  ]);
  return { segments, campaigns, workflows, webhookEndpoints };
}

const kinds = {
  segments: 'segments',
  campaigns: 'campaigns',
  workflows: 'workflows',
  webhookEndpoints: 'webhook endpoints',
} as const satisfies Record<keyof SegmentUsers, string>;

const usedKinds = (users: SegmentUsers): (keyof SegmentUsers)[] =>
  (Object.keys(kinds) as (keyof SegmentUsers)[]).filter((kind) => users[kind].length > 0);

export const isUsed = (users: SegmentUsers): boolean => usedKinds(users).length > 0;

/** The refusal of a change that these records would suffer from, which `details.usedBy` lists by kind. */
export function stillUsed(message: string, users: SegmentUsers): AppError {
  const used = usedKinds(users);
  return conflict(message, {
    details: { usedBy: Object.fromEntries(used.map((kind) => [kind, users[kind]])) },
    suggestion: suggestions.CONFLICT.segmentUsed(used.map((kind) => kinds[kind])),
  });
}
