import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { useApi } from '../../../lib/api.ts';
import { fieldKey, isCustom } from '../../audience/contacts/contact-fields.rules.ts';
import { eventVariables } from './variables.rules.ts';

/** What every email may use, before the fields of the project. */
const common = ['firstName ?? there', 'email', 'unsubscribeUrl', 'manageUrl'];
const freshMs = 60_000;

/** The event that starts the workflow of the emails below; undefined for emails of any workflow. */
export const EventOfEmails = createContext<string | undefined>(undefined);

/**
 * The variables that emails of the project may use: the common ones, the fields of its contacts, and the data of its latest events, which
 * emails of workflows have as `event`: events of one name where the workflow is known.
 */
export function useVariables(): string[] {
  const api = useApi();
  const eventName = useContext(EventOfEmails);
  const fields = useQuery({ ...api.contacts.listFields.queryOptions(), staleTime: freshMs });
  const events = useQuery({
    ...api.workflows.fields.queryOptions({ ...(eventName && { eventName }) }),
    staleTime: freshMs,
  });
  const own = (fields.data?.fields ?? [])
    .map(({ field }) => field)
    .filter((field) => isCustom(field) && fieldKey(field) !== 'firstName');
  return [...common, ...own.map(fieldKey), ...eventVariables(events.data?.fields ?? [])];
}
