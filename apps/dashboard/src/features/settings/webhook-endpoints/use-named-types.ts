import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../lib/api.ts';
import { typeNamed } from './endpoint-types.rules.ts';

/** These seldom change. */
const freshMs = 60_000;

/** The types of events that have the name of an event or segment of the project. */
export function useNamedTypes(): string[] {
  const names = useQuery({ ...useApi().events.names.queryOptions(), staleTime: freshMs });
  const types = (names.data?.eventNames ?? []).map(typeNamed).filter((type) => type !== null);
  return types.filter((type) => type.startsWith('event.') || type.startsWith('segment.'));
}
