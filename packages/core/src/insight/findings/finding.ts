/** `unknown`: the check did not end in time, or what it looks at could not be reached. */
export type Verdict = 'ok' | 'advice' | 'warning' | 'failure' | 'unknown';

/** Groups of checks, in the order in which they are shown. */
export const findingGroups = [
  'configuration',
  'versions',
  'postgres',
  'queues',
  'temporal',
  'smtp',
  'dns',
  'ses',
  'storage',
  'ports',
] as const;

export type FindingGroup = (typeof findingGroups)[number];

export interface Outcome {
  verdict: Verdict;
  /** what was looked at: a variable, a table, a server */
  subject: string;
  /** what is there, in one line */
  found: string;
  /** why that is so, or what follows from it; empty if it is as it should be */
  cause: string;
  /** what to do next; empty if there is nothing to do */
  action: string;
}

export interface Finding extends Outcome {
  /** group and name of the check, such as `postgres.version` */
  check: string;
  /** the heading in docs/operation.md under which the check is explained */
  reference: string;
  /** how long the check took */
  ms: number;
}

/** One thing that is looked at. It changes nothing, and ends when `signal` is aborted. */
export interface Check<Examined> {
  group: FindingGroup;
  name: string;
  /** its heading in docs/operation.md */
  reference: string;
  /** the variables without which it cannot be made */
  needs?: readonly string[];
  /**
   * @returns one outcome for each subject
   * @throws NotReached when what it looks at is away, which another check reports
   */
  run(examined: Examined, signal: AbortSignal): Promise<Outcome[]> | Outcome[];
}

/** What a check looks at is away: another check says why. */
export class NotReached extends Error {
  override name = 'NotReached';
}

export const ok = (subject: string, found: string): Outcome => ({
  verdict: 'ok',
  subject,
  found,
  cause: '',
  action: '',
});

type Told = Omit<Outcome, 'verdict'>;

export const advice = (told: Told): Outcome => ({ verdict: 'advice', ...told });
export const warning = (told: Told): Outcome => ({ verdict: 'warning', ...told });
export const failure = (told: Told): Outcome => ({ verdict: 'failure', ...told });
export const unknown = (told: Told): Outcome => ({ verdict: 'unknown', ...told });

/** Defines the checks of a group. */
export const checksOf =
  <Examined>(group: FindingGroup, needs: readonly string[] = []) =>
  (checks: Readonly<Record<string, Omit<Check<Examined>, 'group' | 'name'>>>): Check<Examined>[] =>
    Object.entries(checks).map(([name, check]) => ({
      ...check,
      group,
      name,
      needs: [...needs, ...(check.needs ?? [])],
    }));
