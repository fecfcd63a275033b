import type { Answer } from '../../harness/answers.ts';

/** A blow's time, from its start until an email got through after it; in milliseconds since the start of this process. */
export interface Span {
  name: string;
  from: number;
  until: number;
  /** whether connections to an api may break in it, because one was killed */
  brokeConnections: boolean;
}

/** The balancer's own answers when the connection to the api broke under a request, or nothing came in time. */
const ofBalancer = new Set([502, 504]);
/** A connection that breaks in a blow is noticed this long after it at most. */
const graceMs = 2_000;

/**
 * Whether requests were refused as they may be: by 503 with `Retry-After`, or by a connection that broke because its api was killed.
 */
export function judgeAnswers(
  answers: readonly Answer[],
  spans: readonly Span[],
): { problems: string[]; notes: string[] } {
  const problems: string[] = [];
  const tally = new Map<string, { count: number; longestMs: number }>();
  for (const answer of answers) {
    const { status, retryAfter, cause, path, at, ms } = answer;
    const blow = spans.findLast(({ from }) => from <= at + ms);
    const within = blow && at <= blow.until + graceMs ? blow : null;
    const kind = kindOf(answer);
    const key = within ? `${kind} (${within.name})` : kind;
    if (kind !== 'taken') {
      const { count = 0, longestMs = 0 } = tally.get(key) ?? {};
      tally.set(key, { count: count + 1, longestMs: Math.max(longestMs, ms) });
    }
    const said = `${path} was answered ${status ?? 'not at all'} after ${(ms / 1_000).toFixed(1)} s, ${within ? `in: ${within.name}` : 'beside any blow'}: ${cause}`;
    if (kind === 'wrong') problems.push(said);
    if (kind === 'refused' && retryAfter === null) problems.push(`without Retry-After, ${said}`);
    if (kind === 'refused' && !within) problems.push(said);
    if (kind === 'broken' && !within?.brokeConnections) problems.push(said);
  }
  const taken = answers.filter((answer) => kindOf(answer) === 'taken').length;
  return {
    problems,
    notes: [
      `${taken} of ${answers.length} requests were taken`,
      ...[...tally].map(
        ([key, { count, longestMs }]) =>
          `${key}: ${count} requests, the longest ${(longestMs / 1_000).toFixed(1)} s`,
      ),
    ],
  };
}

function kindOf({ status }: Answer): 'taken' | 'refused' | 'broken' | 'wrong' {
  // 409: an earlier request stored it, and only its reply was lost.
  if (status === 200 || status === 409) return 'taken';
  if (status === 503) return 'refused';
  return status === null || ofBalancer.has(status) ? 'broken' : 'wrong';
}

/** The ids of what requests were told that was stored. */
export function promisedIds(answers: readonly Answer[]): { emails: string[]; events: string[] } {
  const emails: string[] = [];
  const events: string[] = [];
  for (const { status, reply } of answers) {
    if (status !== 200) continue;
    const { data } = reply as { data: { emails?: { email: string }[]; event?: string } };
    for (const { email } of data.emails ?? []) emails.push(email);
    if (data.event !== undefined) events.push(data.event);
  }
  return { emails, events };
}
