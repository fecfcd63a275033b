import { useMemo } from 'react';
import { type Failure, failureOf } from './failure.ts';

/** What to say about an error, the same object for as long as it is the same error: forms act on a new one. */
export const useFailure = (error: unknown): Failure | null =>
  useMemo(() => (error === null || error === undefined ? null : failureOf(error)), [error]);
