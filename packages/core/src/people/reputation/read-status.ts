import type { Db } from '../../base/db/index.ts';
import { type Assessment, assess, type Rates, ratesOf, type Windows } from './reputation.rules.ts';
import { type ProjectStanding, readCounts, readStanding } from './reputation.store.ts';

export interface Status {
  windows: Windows<Rates>;
  assessment: Assessment;
  standing: ProjectStanding;
}

/** The figures of a project and what follows from them; null when it does not exist. */
export async function readStatus(db: Db, projectId: string): Promise<Status | null> {
  const [counts, standing] = await Promise.all([readCounts(db, projectId), readStanding(db, projectId)]);
  if (!standing) return null;
  const windows = {
    twentyFourHour: ratesOf(counts.twentyFourHour),
    sevenDay: ratesOf(counts.sevenDay),
    allTime: ratesOf(counts.allTime),
  };
  return { windows, assessment: assess(windows, standing.isNew), standing };
}
