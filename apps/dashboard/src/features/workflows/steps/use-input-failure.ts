import { useMemo } from 'react';
import type { Failure } from '../../../lib/failure.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { UnreadableField, unreadable } from './step-input.rules.ts';

/** Why a form was not saved: input that cannot be sent, which is at its field, or the answer of the API. */
export function useInputFailure(error: Parameters<typeof useFailure>[0]): Failure | null {
  const isOwn = error instanceof UnreadableField;
  const refusal = useFailure(isOwn ? null : error);
  return useMemo(() => (error instanceof UnreadableField ? unreadable(error) : refusal), [error, refusal]);
}
