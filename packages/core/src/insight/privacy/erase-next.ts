import { addRemoved } from '../../audience/contacts/index.ts';
import { deliverCampaignJob } from '../../automation/campaigns/campaigns.jobs.ts';
import { type Db, Prisma, retryConflicts } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import {
  completeErasure,
  findDueErasures,
  lockDueErasure,
  type Position,
  type RunningErasure,
  savePosition,
} from './erasures.store.ts';
import { visitMentions, without } from './mentions.store.ts';
import {
  type Erasing,
  firstPlaces,
  type Kept,
  lastPlaces,
  type OwnPlace,
  type Visit,
} from './own-places.store.ts';
import { mentionPlaces } from './places.rules.ts';
import { spellingsOf } from './spellings.rules.ts';

/** Long enough that whatever was being written at the time of the request is committed, or was given up. */
const settledMs = 2 * 60_000;
/** How soon what was found once more is looked for again. */
const soonMs = 60_000;
/** How often what goes by itself is looked for. */
const laterMs = 15 * 60_000;
/** Erasures that take turns at once. */
const mostAtOnce = 100;

const mentioned: readonly OwnPlace[] = mentionPlaces.map((place) => ({
  name: place.table,
  async visit(db, erasing, _services, after): Promise<Visit> {
    const { changed, left, kept, after: next } = await visitMentions(db, place, erasing, after);
    return {
      after: next,
      removed: addRemoved({}, { [place.record]: changed }),
      left,
      kept: kept > 0 && place.why !== undefined ? [{ record: place.record, why: place.why }] : [],
      campaignIds: [],
    };
  },
}));

const places: ReadonlyMap<string, OwnPlace> = new Map(
  [...firstPlaces, ...mentioned, ...lastPlaces].map((place) => [place.name, place]),
);

/**
 * Goes on with the erasures that have something to do, in turns, until `endsAt` (of `performance.now()`), by one step at least. Each step is a transaction with the
 * position in it, so that one that was interrupted has changed nothing, and any process goes on from there.
 *
 * @returns how many steps were taken
 */
export async function continueErasures(
  services: Services,
  endsAt: number,
  now: () => Date = () => new Date(),
): Promise<number> {
  let steps = 0;
  for (;;) {
    const due = await findDueErasures(services.database.prisma, now(), mostAtOnce);
    let taken = 0;
    for (const { id, projectId } of due) {
      if (steps + taken > 0 && performance.now() > endsAt) return steps + taken;
      const isTaken = await services.jobTurns.run(projectId, () => takeStep(services, id, now()));
      if (isTaken) taken += 1;
    }
    steps += taken;
    // What is left is worked on by another process.
    if (taken === 0) return steps;
  }
}

async function takeStep(services: Services, id: string, now: Date): Promise<boolean> {
  const { prisma } = services.database;
  const done = await retryConflicts(() =>
    prisma.$transaction((db) => stepOf(services, db, id, now), { timeout: 120_000, maxWait: 30_000 }),
  );
  if (done === null) return false;
  for (const campaignId of done.campaignIds)
    services.workflows.signalDebounced(deliverCampaignJob, { campaignId });
  services.scheduleFollowUps(done.projectId);
  return true;
}

async function stepOf(
  services: Services,
  db: Db,
  id: string,
  now: Date,
): Promise<{ projectId: string; campaignIds: string[] } | null> {
  const erasure = await lockDueErasure(db, id, now);
  if (!erasure) return null;
  const position = erasure.position ?? firstPosition();
  const { todo, at, after } = position;
  const erasing = erasingOf(services, erasure);
  // A place of an earlier version has nothing to do.
  const visit = (await places.get(todo[at] ?? '')?.visit(db, erasing, services, after)) ?? noVisit;
  const removed = addRemoved(erasure.removed, visit.removed);
  const next = afterVisit(position, visit, erasure, now);
  if (next === null) {
    await completeErasure(db, erasure, {
      hash: services.secrets.addressHash(erasure.projectId, erasing.address),
      addresses: erasing.spellings.addresses,
      removed,
      found: withKept(position.kept, visit.kept),
      reason: without(Prisma.raw('"reason"'), 'text', erasing.spellings),
    });
  } else await savePosition(db, id, next, removed);
  return { projectId: erasure.projectId, campaignIds: visit.campaignIds };
}

const noVisit: Visit = { after: null, removed: {}, left: 0, kept: [], campaignIds: [] };

const firstPosition = (): Position => ({
  round: 1,
  todo: [...places.keys()],
  at: 0,
  after: null,
  found: [],
  left: {},
  kept: [],
  nextAt: null,
});

function erasingOf({ secrets }: Services, erasure: RunningErasure): Erasing {
  const { id, projectId, addressCipher, contactIds, requestedAt } = erasure;
  const address = secrets.decrypt(addressCipher, 'Erasure.addressCipher', id);
  return { id, projectId, address, contactIds, before: requestedAt, spellings: spellingsOf(address) };
}

const withKept = (kept: readonly Kept[], more: readonly Kept[]): Kept[] => [
  ...kept,
  ...more.filter(({ record }) => !kept.some((one) => one.record === record)),
];

/**
 * Where it goes on. The first round visits every place, and the second one does so again once what was being written is committed; from then on
 * only places in which something was found are visited.
 *
 * @returns null when nothing was found in any place
 */
function afterVisit(
  position: Position,
  visit: Visit,
  { requestedAt }: RunningErasure,
  now: Date,
): Position | null {
  const name = position.todo[position.at] ?? '';
  // A place that is read in pages adds up what its pages have left.
  const before = position.after === null ? 0 : (position.left[name] ?? 0);
  const { [name]: _, ...others } = position.left;
  const leftHere = before + visit.left;
  const left = leftHere > 0 ? { ...others, [name]: leftHere } : others;
  const isFound = visit.left > 0 || Object.keys(visit.removed).length > 0;
  const found = isFound && !position.found.includes(name) ? [...position.found, name] : position.found;
  const next = { ...position, found, left, kept: withKept(position.kept, visit.kept) };
  if (visit.after !== null) return { ...next, after: visit.after };
  if (position.at + 1 < position.todo.length) return { ...next, at: position.at + 1, after: null };
  const begin = { at: 0, after: null, found: [], round: position.round + 1 };
  if (position.round === 1) {
    const nextAt = new Date(Math.max(now.getTime(), requestedAt.getTime() + settledMs)).toISOString();
    return { ...next, ...begin, todo: [...places.keys()], nextAt };
  }
  if (found.length === 0) return null;
  const waitMs = Object.keys(left).length > 0 ? laterMs : soonMs;
  return { ...next, ...begin, todo: found, nextAt: new Date(now.getTime() + waitMs).toISOString() };
}
