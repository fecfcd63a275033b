import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../lib/api.ts';
import { fieldKey, isCustom } from '../contacts/contact-fields.rules.ts';
import { eventVariables } from './variables.rules.ts';

/** What every email may use, before the fields of the project. */
const common = ['name ?? there', 'email', 'unsubscribeUrl', 'manageUrl'];
const freshMs = 60_000;

/**
 * The variables that emails of the project may use: the common ones, the fields of its contacts, and the data of its latest events, which
 * emails of workflows have as `event`.
 */
export function useVariables(): string[] {
  const api = useApi();
  const fields = useQuery({ ...api.contacts.fields.queryOptions(), staleTime: freshMs });
  const events = useQuery({ ...api.workflows.fields.queryOptions({}), staleTime: freshMs });
  const own = (fields.data?.fields ?? [])
    .map(({ field }) => field)
    .filter((field) => isCustom(field) && fieldKey(field) !== 'name');
  return [...common, ...own.map(fieldKey), ...eventVariables(events.data?.fields ?? [])];
}
