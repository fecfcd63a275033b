import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { type LetterPreview, useApi } from '../../lib/api.ts';
import { type Failure, failureOf } from '../../lib/failure.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import type { Letter } from './email-class.ts';
import { readSample } from './sample.rules.ts';

/** What the variables are filled in with: values that somebody makes up, or what is known of a contact. */
export interface Sample {
  /** JSON */
  values: string;
  contactId: string | null;
}

export const noSample: Sample = { values: '', contactId: null };

export interface LivePreview {
  /** The last that could be rendered; null before the first. */
  shown: LetterPreview | null;
  /** What is wrong with what is written now. */
  failure: Failure | null;
  /** What is wrong with the sample's JSON. */
  sampleFailure: string | undefined;
}

const pauseMs = 400;
/** Every pause while writing makes an answer as long as the mail; nobody comes back to one. */
const keptMs = 1_000;

/** What the server makes of a letter that is being written, a moment after the last key. */
export function useLetterPreview(
  letter: Pick<Letter, 'subject' | 'preheader' | 'body' | 'type'>,
  sample: Sample,
): LivePreview {
  const written = useMemo(() => ({ letter, sample }), [letter, sample]);
  const {
    letter: { subject, preheader, body, type },
    sample: { values, contactId },
  } = useDebounced(written, pauseMs);
  const read = useMemo(() => readSample(values), [values]);
  // While the sample is being written, the letter is rendered with what it said before.
  const data = useLast('data' in read ? read.data : null) ?? {};
  const preview = useQuery({
    ...useApi().emails.previewContent.queryOptions({
      subject,
      preheader,
      body,
      type,
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

/** The last that was there. */
function useLast<Value>(value: Value | null): Value | null {
  const [last, setLast] = useState(value);
  useEffect(() => {
    if (value !== null) setLast(value);
  }, [value]);
  return last;
}
