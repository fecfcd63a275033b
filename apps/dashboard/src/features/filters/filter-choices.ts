import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { useApi } from '../../lib/api.ts';
import type { ValueType } from './filter-tree.rules.ts';

interface FilterChoices {
  /** The keys of contact data in this project. */
  keys: { name: string; type: ValueType }[];
  events: string[];
  segments: { id: string; name: string }[];
}

const none: FilterChoices = { keys: [], events: [], segments: [] };

export const FilterChoicesContext = createContext<FilterChoices>(none);
export const useFilterChoices = () => useContext(FilterChoicesContext);

/** These seldom change; a builder with many rows fetches them once. */
const freshMs = 60_000;
const prefix = 'data.';
const typeOfField = { string: 'text', number: 'number', boolean: 'boolean', date: 'date' } as const;

/** @param except a segment to leave out: the one being edited cannot refer to itself */
export function useLoadFilterChoices(except?: string): FilterChoices {
  const api = useApi();
  const fields = useQuery({ ...api.contacts.fields.queryOptions(), staleTime: freshMs });
  const events = useQuery({ ...api.events.names.queryOptions(), staleTime: freshMs });
  const segments = useQuery({ ...api.segments.list.queryOptions(), staleTime: freshMs });
  return {
    keys: (fields.data?.fields ?? [])
      .filter(({ field }) => field.startsWith(prefix))
      .map(({ field, type }) => ({ name: field.slice(prefix.length), type: typeOfField[type] })),
    events: events.data?.eventNames ?? [],
    segments: (segments.data ?? []).filter(({ id }) => id !== except).map(({ id, name }) => ({ id, name })),
  };
}
