import type { Examined, Finding, FindingGroup, Limits } from '@postrider/core/insight/findings';
import { findingGroups } from '@postrider/core/insight/findings';
import { expect } from 'vitest';
import { examine } from '../commands/doctor.ts';

interface Planted extends Partial<Omit<Examined, 'limits'>> {
  groups?: readonly FindingGroup[];
  limits?: Partial<Limits>;
  timeoutMs?: number;
  sendTo?: string;
}

/** An environment that is valid, with the secrets that no output may have. */
export const soundEnv = {
  DATABASE_URL: 'postgres://postrider:secret-of-database@127.0.0.1:1/postrider',
  APP_SECRET: 'secret-of-app-'.repeat(3),
  MAIL_WORKERS: '1',
};

/** What `doctor` finds. */
export const diagnose = (
  env: Record<string, string | undefined>,
  { groups = findingGroups, timeoutMs = 30_000, sendTo, ...given }: Planted = {},
): Promise<Finding[]> => examine(env, { groups: new Set(groups), timeoutMs, sendTo: sendTo ?? null }, given);

/** Those that are neither ok nor advice. */
export const troubles = (findings: readonly Finding[]): Finding[] =>
  findings.filter(({ verdict }) => verdict !== 'ok' && verdict !== 'advice');

/** The findings of a check, each of which says why, and what to do. */
export function found(findings: readonly Finding[], check: string): Finding[] {
  const of = findings.filter((each) => each.check === check);
  expect(of, check).not.toEqual([]);
  for (const { cause, action, verdict } of of)
    if (verdict !== 'ok')
      expect([cause, action]).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)]);
  return of;
}
