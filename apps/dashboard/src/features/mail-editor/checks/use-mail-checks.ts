import type { EmailContent } from '@postrider/core/content/templates/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '../../../lib/api.ts';
import { useProject } from '../../../lib/current.ts';
import { useDebounced } from '../../../lib/use-debounced.ts';
import { fieldKey } from '../../audience/contacts/contact-fields.rules.ts';
import { checkMail } from './check-mail.rules.ts';
import type { Finding } from './finding.rules.ts';

/** What the checks read of an email. */
export type CheckedContent = Pick<EmailContent, 'subject' | 'preheader' | 'type' | 'body' | 'text'> & {
  design?: unknown;
};

const pauseMs = 400;
const freshMs = 60_000;

/**
 * The findings of an email while it is written, after a pause in typing.
 *
 * @param rendered the HTML as a recipient gets it; null while it was not rendered
 */
export function useMailChecks(
  content: CheckedContent,
  { isCampaign, rendered }: { isCampaign: boolean; rendered: string | null },
): Finding[] {
  const fields = useQuery({ ...useApi().contacts.listFields.queryOptions(), staleTime: freshMs }).data
    ?.fields;
  const known = useMemo(
    () => fields && new Map(fields.map(({ field, coverage }) => [fieldKey(field), coverage])),
    [fields],
  );
  const { address } = useProject().brand;
  const { subject, preheader, body, text, type, design = null } = content;
  const written = useMemo(
    () => ({ subject, preheader, body, text, type, design, address, rendered, isCampaign }),
    [subject, preheader, body, text, type, design, address, rendered, isCampaign],
  );
  const settled = useDebounced(written, pauseMs);
  return useMemo(() => checkMail({ ...settled, known: known ?? null }), [settled, known]);
}
