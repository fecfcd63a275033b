import { AppError, suggestions } from '../../base/kernel/index.ts';
import type { FactReader } from './facts.rules.ts';
import {
  blockingRules,
  errorRules,
  type Finding,
  findingsOf,
  foundBy,
  type RuleName,
} from './preflight.rules.ts';

/** What a send has to pass. */
export interface Gate {
  /** whether errors refuse it that nobody has acknowledged */
  isStrict: boolean;
  acknowledged: readonly RuleName[];
}

/**
 * The gate before a send: the rules of the checks that may refuse one.
 *
 * @returns the acknowledged rules that have found an error
 * @throws AppError of the first rule that blocks; PREFLIGHT_FAILED with `details.findings`
 */
export async function assertSendable(
  read: FactReader,
  { isStrict, acknowledged }: Gate,
): Promise<RuleName[]> {
  for (const rule of blockingRules) {
    for (const { refusal } of await foundBy(rule, read)) if (refusal) throw refusal;
  }
  if (!isStrict && acknowledged.length === 0) return [];
  const errors = (await findingsOf(read, errorRules)).filter(({ level }) => level === 'error');
  const open = errors.filter(({ rule }) => !acknowledged.includes(rule));
  if (isStrict && open.length > 0) throw preflightFailed(open);
  return [...new Set(errors.map(({ rule }) => rule))].filter((rule) => acknowledged.includes(rule));
}

const preflightFailed = (findings: readonly Finding[]): AppError =>
  new AppError(
    'PREFLIGHT_FAILED',
    `The checks before sending have found errors: ${[...new Set(findings.map(({ rule }) => rule))].join(', ')}`,
    {
      details: { findings },
      suggestion: suggestions.PREFLIGHT_FAILED,
    },
  );
