import { useMemo } from 'react';
import { type Failure, failureOf } from './failure.ts';

/** The failure of an error. The object is stable for the same error, because forms react to a new one. */
export const useFailure = (error: unknown): Failure | null =>
  useMemo(() => (error === null || error === undefined ? null : failureOf(error)), [error]);
