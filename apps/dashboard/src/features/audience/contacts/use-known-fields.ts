import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../lib/api.ts';
import { fieldKey, isCustom } from './contact-fields.rules.ts';
import type { RowType } from './data-rows.rules.ts';

const typeOfField = {
  string: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  list: 'list',
} as const;

/** The contact fields of the project with the type that most contacts have there. */
export function useKnownFields(): { name: string; type: RowType }[] {
  const fields = useQuery({ ...useApi().contacts.listFields.queryOptions(), staleTime: 60_000 });
  return (fields.data?.fields ?? [])
    .filter(({ field }) => isCustom(field))
    .map(({ field, type }) => ({ name: fieldKey(field), type: typeOfField[type] }));
}
