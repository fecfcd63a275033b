import { type Check, type Finding, NotReached, type Outcome, unknown } from './finding.ts';

export interface RunOptions {
  /** longest time of one check, in milliseconds */
  timeoutMs: number;
  /** variables that have no usable value */
  broken: ReadonlySet<string>;
  /** takes secrets out of a text */
  conceal(text: string): string;
}

/**
 * Makes all checks at once. A check that fails itself, or does not end in time, is `unknown` and keeps no other from its end.
 *
 * @returns findings in the order of the checks
 */
export async function runChecks<Examined>(
  checks: readonly Check<Examined>[],
  examined: Examined,
  options: RunOptions,
): Promise<Finding[]> {
  const found = await Promise.all(checks.map((check) => runCheck(check, examined, options)));
  return found.flat();
}

async function runCheck<Examined>(
  check: Check<Examined>,
  examined: Examined,
  { timeoutMs, broken, conceal }: RunOptions,
): Promise<Finding[]> {
  const began = performance.now();
  const outcomes = await outcomesOf(check, examined, timeoutMs, broken);
  const ms = Math.round(performance.now() - began);
  return outcomes.map(({ verdict, ...told }) => ({
    check: `${check.group}.${check.name}`,
    verdict,
    subject: conceal(told.subject),
    found: conceal(told.found),
    cause: conceal(told.cause),
    action: conceal(told.action),
    reference: check.reference,
    ms,
  }));
}

async function outcomesOf<Examined>(
  check: Check<Examined>,
  examined: Examined,
  timeoutMs: number,
  broken: ReadonlySet<string>,
): Promise<Outcome[]> {
  const lacking = check.needs?.find((name) => broken.has(name));
  if (lacking !== undefined)
    return [notMade(check, `${lacking} has no usable value`, `Set ${lacking} first.`)];
  const controller = new AbortController();
  const { promise: tooLong, resolve } = Promise.withResolvers<Outcome[]>();
  const timer = setTimeout(() => {
    resolve([
      notMade(check, `it did not end within ${timeoutMs / 1_000} s`, 'Run it again with a longer --timeout.'),
    ]);
    controller.abort();
  }, timeoutMs);
  try {
    return await Promise.race([(async () => check.run(examined, controller.signal))(), tooLong]);
  } catch (error) {
    if (error instanceof NotReached)
      return [notMade(check, error.message, 'Resolve the finding that says why first.')];
    const reason = error instanceof Error ? error.message : String(error);
    return [notMade(check, reason, 'Run it again; if it stays so, report it with this text.')];
  } finally {
    clearTimeout(timer);
  }
}

const notMade = <Examined>(check: Check<Examined>, cause: string, action: string): Outcome =>
  unknown({ subject: `${check.group}.${check.name}`, found: 'not checked', cause, action });
