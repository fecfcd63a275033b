import type { EmailContent } from '@postrider/core/content/templates/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApi } from '../../lib/api.ts';
import { picturedText } from '../../ui/mail-picture.rules.ts';

export type RenderedContent = Pick<EmailContent, 'subject' | 'preheader' | 'body' | 'type'>;

interface RenderedMail {
  subject: string;
  /** null until it is rendered */
  html: string | null;
}

/**
 * An email as a contact gets it, or as one of whom nothing is known does: with its fallbacks, and without what is for certain contacts only.
 * Where the API cannot render it, it is as a picture of it reads.
 */
export function useRenderedMail(
  { subject, preheader, body, type }: RenderedContent,
  contactId: string | null = null,
): RenderedMail {
  const preview = useQuery({
    ...useApi().sending.previewContent.queryOptions({
      ...{ subject, preheader, body, type },
      ...(contactId !== null && { contactId }),
    }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (preview.data) return preview.data;
  return { subject: picturedText(subject), html: preview.isError ? picturedText(body) : null };
}
