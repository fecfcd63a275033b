import type { Prisma } from '../../../base/db/index.ts';
import {
  keyOfNumber,
  type StoredTest,
  type TestDecider,
  type TestState,
  type VariantKey,
  withoutDesigns,
} from './variants.rules.ts';

/** The columns of a campaign that hold its test. */
type TestColumns = Pick<
  Prisma.CampaignGetPayload<object>,
  | 'status'
  | 'test'
  | 'testState'
  | 'testStartedAt'
  | 'testEndsAt'
  | 'testDecidedAt'
  | 'testWinner'
  | 'testDecidedBy'
  | 'testProven'
  | 'testMismatch'
>;

export interface PresentedTest extends StoredTest {
  state: TestState | null;
  startedAt: Date | null;
  endsAt: Date | null;
  decidedAt: Date | null;
  winner: VariantKey | null;
  decidedBy: TestDecider | null;
  proven: boolean | null;
  mismatch: boolean;
}

export const testOf = ({ test }: { test: unknown }): StoredTest | null => test as StoredTest | null;

/** The test of a campaign as callers see it; of a cancelled one nothing runs any more. Lists leave out the designs. */
export function presentTest(row: TestColumns, hasDesigns = false): PresentedTest | null {
  const test = testOf(row);
  if (test === null) return null;
  const state = row.testState as TestState | null;
  return {
    ...(hasDesigns ? test : withoutDesigns(test)),
    state: row.status === 'CANCELLED' && state === 'RUNNING' ? 'UNDECIDED' : state,
    startedAt: row.testStartedAt,
    endsAt: row.testEndsAt,
    decidedAt: row.testDecidedAt,
    winner: row.testWinner === null ? null : keyOfNumber(row.testWinner),
    decidedBy: row.testDecidedBy as TestDecider | null,
    proven: row.testProven,
    mismatch: row.testMismatch,
  };
}

/** What a test compares and how, without how far it is. */
export const setupOf = (test: StoredTest | null): StoredTest | null =>
  test && {
    variants: test.variants,
    sample: test.sample,
    metric: test.metric,
    hours: test.hours,
    decide: test.decide,
  };
