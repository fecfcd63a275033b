import { maxWording } from '@postrider/core/audience/consent/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../lib/api.ts';
import { useProject } from '../../../lib/current.ts';
import { languageName, languages } from '../../../lib/languages.ts';
import { DateField } from '../../../ui/date-field.tsx';
import { CheckField, SelectField, TextAreaField, TextField } from '../../../ui/field.tsx';
import { FieldRow } from '../../../ui/form.tsx';
import { type ConsentChoices, newWording } from './import-consent.rules.ts';

const shownLength = 70;

const short = (text: string): string =>
  text.length > shownLength ? `${text.slice(0, shownLength).trimEnd()}…` : text;

/** Who is subscribed where no column says it, and what that rests on. */
export function ImportConsent({ choices }: { choices: ConsentChoices }) {
  const [isAgreed, setIsAgreed] = useState(choices.subscribed);
  return (
    <>
      <CheckField
        name="subscribed"
        label="Everyone in this file agreed to receive marketing emails"
        hint="New contacts are then subscribed. Existing contacts keep their status, and people who have unsubscribed stay unsubscribed."
        defaultChecked={choices.subscribed}
        onChange={setIsAgreed}
      />
      {isAgreed && <Agreement choices={choices} />}
    </>
  );
}

function Agreement({ choices }: { choices: ConsentChoices }) {
  const { language } = useProject();
  const [wording, setWording] = useState(choices.wordingId);
  const wordings = useInfiniteQuery(
    useApi().wordings.list.infiniteQueryOptions(
      { limit: 50 },
      { getNextPageParam: ({ cursor }) => cursor ?? undefined },
    ),
  );
  const known = wordings.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <>
      <FieldRow>
        <SelectField name="basis" label="Their agreement" defaultValue={choices.basis}>
          <option value="given">They asked for emails</option>
          <option value="customer">They are customers</option>
        </SelectField>
        <DateField name="consentDay" label="When" defaultValue={choices.consentDay} />
        <TextField
          name="consentSource"
          label="Where"
          maxLength={200}
          placeholder="Checkout"
          defaultValue={choices.consentSource}
        />
      </FieldRow>
      <SelectField
        name="wordingId"
        label="The words they agreed to"
        value={wording}
        onChange={({ target }) => setWording(target.value)}
      >
        <option value="">Not known</option>
        <option value={newWording}>Other words</option>
        {known.map(({ id, text, language: of }) => (
          <option key={id} value={id} title={languageName(of)}>
            {short(text)}
          </option>
        ))}
      </SelectField>
      {wording === newWording && (
        <>
          <TextAreaField
            name="wordingText"
            label="Words"
            rows={3}
            maxLength={maxWording}
            required
            defaultValue={choices.wordingText}
          />
          <SelectField
            name="wordingLanguage"
            label="Language of the words"
            defaultValue={choices.wordingLanguage || language}
          >
            {languages.map((code) => (
              <option key={code} value={code}>
                {languageName(code)}
              </option>
            ))}
          </SelectField>
        </>
      )}
    </>
  );
}
