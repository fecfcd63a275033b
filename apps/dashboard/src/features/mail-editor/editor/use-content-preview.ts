import type { EmailContent } from '@postrider/core/content/templates/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { type ContentPreview, useApi } from '../../../lib/api.ts';
import { type Failure, failureOf } from '../../../lib/failure.ts';
import { useDebounced } from '../../../lib/use-debounced.ts';
import { readSample } from '../content/sample.rules.ts';

/** The values for the variables: sample values, or the data of a contact. */
export interface Sample {
  /** JSON */
  values: string;
  contactId: string | null;
}

export const noSample: Sample = { values: '', contactId: null };

export interface LivePreview {
  /** The last version that could be rendered; null before the first. */
  shown: ContentPreview | null;
  /** Why the current input cannot be rendered. */
  failure: Failure | null;
  /** Why the sample values cannot be read. */
  sampleFailure: string | undefined;
}

const pauseMs = 400;
/** Every pause in typing caches a response as long as the email, and none of them is used again. */
const keptMs = 1_000;

/** Renders an email on the server while it is being written, after a pause in typing. */
export function useContentPreview(content: EmailContent, sample: Sample): LivePreview {
  const written = useMemo(() => ({ content, sample }), [content, sample]);
  const {
    content: { subject, preheader, body, text, type },
    sample: { values, contactId },
  } = useDebounced(written, pauseMs);
  const read = useMemo(() => readSample(values), [values]);
  // While the sample is not valid JSON, the email is rendered with the last valid sample.
  const data = useLast('data' in read ? read.data : null) ?? {};
  const preview = useQuery({
    ...useApi().sending.previewContent.queryOptions({
      ...{ subject, preheader, body, text, type },
      ...(contactId !== null && { contactId }),
      data,
    }),
    placeholderData: keepPreviousData,
    gcTime: keptMs,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const shown = useLast(preview.data ?? null);
  return {
    shown,
    failure: preview.error ? failureOf(preview.error) : null,
    sampleFailure: 'problem' in read ? read.problem : undefined,
  };
}

/** The last value that was not null. */
function useLast<Value>(value: Value | null): Value | null {
  const [last, setLast] = useState(value);
  useEffect(() => {
    if (value !== null) setLast(value);
  }, [value]);
  return last;
}
