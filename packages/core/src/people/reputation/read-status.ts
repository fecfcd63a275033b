import type { Db } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import { limitOf } from '../../base/slices/index.ts';
import {
  type Assessment,
  assess,
  type Rates,
  type Refusals,
  ratesOf,
  type Windows,
} from './reputation.rules.ts';
import { type ProjectStanding, readCounts, readRefusals, readStanding } from './reputation.store.ts';

export interface Status {
  windows: Windows<Rates>;
  refusals: Refusals;
  assessment: Assessment;
  standing: ProjectStanding;
}

/** The figures of a project and what follows from them; null when it does not exist. */
export async function readStatus(
  { config }: Pick<Services, 'config'>,
  db: Db,
  projectId: string,
): Promise<Status | null> {
  const { EMAIL_DAYS: days } = config;
  const [counts, refused, standing] = await Promise.all([
    readCounts(db, projectId, days === undefined ? null : limitOf(days, new Date())),
    readRefusals(db, projectId),
    readStanding(db, projectId),
  ]);
  if (!standing) return null;
  if (standing.isTest) return ofTestProject(standing);
  const windows = {
    twentyFourHour: ratesOf(counts.twentyFourHour),
    sevenDay: ratesOf(counts.sevenDay),
    allTime: ratesOf(counts.allTime),
  };
  // An email that was refused is none of those that were sent.
  const refusals = { ...refused.classes, total: counts.sevenDay.total + refused.unsent };
  return { windows, refusals, assessment: assess(windows, refusals, standing.isNew), standing };
}

function ofTestProject(standing: ProjectStanding): Status {
  const none = ratesOf({ total: 0, bounces: 0, complaints: 0, unprovenBounces: 0, unprovenComplaints: 0 });
  const windows = { twentyFourHour: none, sevenDay: none, allTime: none };
  const refusals = { blocked: 0, authentication: 0, content: 0, total: 0 };
  return { windows, refusals, assessment: assess(windows, refusals, standing.isNew), standing };
}
