import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { useApi } from '../../../lib/api.ts';
import type { OptionGroup } from '../../../ui/combobox.tsx';
import { activities, type FilterDraft, type ValueType } from './filter-tree.rules.ts';
import { activityNames, kindNames } from './words.ts';

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
const typeOfField = {
  string: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  list: 'list',
} as const;

/** @param except a segment to leave out: the one being edited cannot refer to itself */
export function useLoadFilterChoices(except?: string): FilterChoices {
  const api = useApi();
  const fields = useQuery({ ...api.contacts.listFields.queryOptions(), staleTime: freshMs });
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

/** The type of a contact field; undefined while it is unknown. */
export const typeIn = ({ keys }: FilterChoices, name: string): ValueType | undefined =>
  keys.find((key) => key.name === name)?.type;

const standard = ['email', 'subscribed', 'createdAt', 'updatedAt'] as const;

/** Everything to filter by, as fields of the API. */
export const fieldGroups = ({ keys, events, segments }: FilterChoices): OptionGroup[] => [
  { label: 'Contact fields', options: keys.map(({ name }) => ({ value: `data.${name}`, label: name })) },
  { label: 'Contact', options: standard.map((value) => ({ value, label: kindNames[value] })) },
  {
    label: 'Email activity',
    options: activities.map((value) => ({
      value: `email.${value}`,
      label: `Email ${lower(activityNames[value] ?? value)}`,
    })),
  },
  { label: 'Events', options: events.map((name) => ({ value: `event.${name}`, label: name })) },
  { label: 'Segments', options: segments.map(({ id, name }) => ({ value: `segment.${id}`, label: name })) },
];

/** Fields and events may be named before they exist. */
export const newFields = (name: string): OptionGroup => ({
  label: 'Not used yet',
  options: [
    { value: `data.${name}`, label: `Contact field “${name}”` },
    { value: `event.${name}`, label: `Event “${name}”` },
  ],
});

const lower = (text: string): string => text.toLowerCase();

/** The field of a filter in words; empty while a name is missing. */
export function fieldInWords({ kind, name }: FilterDraft, { segments }: FilterChoices): string {
  switch (kind) {
    case 'data':
      return name;
    case 'event':
      return name === '' ? '' : `Event ${name}`;
    case 'activity':
      return `Email ${lower(activityNames[name] ?? name)}`;
    case 'segment':
      return `Segment ${segments.find(({ id }) => id === name)?.name ?? name}`;
    default:
      return kindNames[kind];
  }
}
