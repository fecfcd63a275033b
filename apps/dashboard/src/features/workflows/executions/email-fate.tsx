import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../lib/api.ts';
import { type EndedBy, fateInWords } from './ended-by.rules.ts';

/** Whether an email went before a goal or an exit rule ended its execution. */
export function EmailFate({ emailId, by }: { emailId: string; by: EndedBy }) {
  const email = useQuery(useApi().sending.getEmail.queryOptions({ id: emailId }));
  const words = email.data ? fateInWords(email.data, by) : null;
  return words === null ? null : <> {words}.</>;
}
