import type { PoolClient } from 'pg';

export interface DueProject {
  projectId: string;
  /** email of priority 0 to 2 is due */
  direct: boolean;
  /** email of campaigns is due */
  bulk: boolean;
}

export interface Due {
  /** longest due first */
  projects: DueProject[];
  /** time until the next batch becomes due that is not due yet; null when none waits */
  nextInMs: number | null;
}

/** At most `limit` projects with due batches. Skips through the index from project to project, whatever their backlog. */
export async function dueProjects(_client: PoolClient, _limit: number): Promise<Due> {
  throw new Error('in work');
}
