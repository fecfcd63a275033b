import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../lib/api.ts';
import { fieldKey, isCustom } from '../contacts/contact-fields.rules.ts';

/** What every email may use, before the fields of the project. */
const common = ['name ?? there', 'email', 'unsubscribeUrl', 'manageUrl'];
const freshMs = 60_000;

/** The variables that emails of the project may use: the common ones, and the fields of its contacts. */
export function useVariables(): string[] {
  const fields = useQuery({ ...useApi().contacts.fields.queryOptions(), staleTime: freshMs });
  const own = (fields.data?.fields ?? [])
    .map(({ field }) => field)
    .filter((field) => isCustom(field) && fieldKey(field) !== 'name');
  return [...common, ...own.map(fieldKey)];
}
