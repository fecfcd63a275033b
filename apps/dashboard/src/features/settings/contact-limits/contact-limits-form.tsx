import type { ContactLimits } from '@postrider/core/people/projects/contract';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAccountApi, useApi } from '../../../lib/api.ts';
import { isLeader, useProject } from '../../../lib/current.ts';
import { formatCount } from '../../../lib/format.ts';
import { useDebounced } from '../../../lib/use-debounced.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { FieldRow, Form, FormActions } from '../../../ui/form.tsx';
import { Moment } from '../../../ui/time.tsx';
import { fieldsOf, isComplete, type LimitFields, limitsInWords, limitsOf } from './limits.rules.ts';

/** How much marketing email a contact gets, in fields and as a sentence, with what it would have done lately. */
export function ContactLimitsForm() {
  const project = useProject();
  const api = useAccountApi();
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const [fields, setFields] = useState(() => fieldsOf(project.contactLimits));
  const update = useMutation(
    api.projects.update.mutationOptions({
      async onSuccess() {
        await queryClient.invalidateQueries(api.projects.list.queryFilter());
        announce('Limits saved');
      },
    }),
  );
  const mayChange = isLeader(project);
  const limits = limitsOf(fields);
  const isUsable = limits === null || isComplete(limits);
  const change = (changed: Partial<LimitFields>) => setFields({ ...fields, ...changed });
  const changeCap = (index: number, changed: Partial<LimitFields['caps'][number]>) =>
    change({ caps: fields.caps.map((cap, n) => (n === index ? { ...cap, ...changed } : cap)) });
  return (
    <Form
      label="Contact limits"
      failure={useFailure(update.error)}
      onSubmit={() => update.mutate({ id: project.id, contactLimits: limits })}
    >
      {fields.caps.map((cap, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are their numbers
        <FieldRow key={index}>
          <TextField
            name={`contactLimits.caps.${index}.max`}
            label={index === 0 ? 'Emails at most' : `Emails at most (${index + 1})`}
            type="number"
            min={1}
            max={100}
            value={cap.max}
            onChange={({ target }) => changeCap(index, { max: target.value })}
            disabled={!mayChange}
          />
          <TextField
            name={`contactLimits.caps.${index}.hours`}
            label={index === 0 ? 'In hours' : `In hours (${index + 1})`}
            type="number"
            min={1}
            max={720}
            value={cap.hours}
            onChange={({ target }) => changeCap(index, { hours: target.value })}
            disabled={!mayChange}
          />
        </FieldRow>
      ))}
      <FieldRow>
        <TextField
          name="contactLimits.quietHours.from"
          label="Quiet from"
          type="time"
          value={fields.from}
          onChange={({ target }) => change({ from: target.value })}
          disabled={!mayChange}
          hint="In the zone that data.timezone of the contact names, else in that of the project."
        />
        <TextField
          name="contactLimits.quietHours.to"
          label="Quiet until"
          type="time"
          value={fields.to}
          onChange={({ target }) => change({ to: target.value })}
          disabled={!mayChange}
        />
      </FieldRow>
      <TextField
        name="contactLimits.waitHours"
        label="Wait for at most (hours)"
        type="number"
        min={0}
        max={168}
        value={fields.waitHours}
        onChange={({ target }) => change({ waitHours: target.value })}
        disabled={!mayChange}
        hint="How long an email waits for its turn. Transactional and test email, and templates and campaigns that are exempt, never wait."
      />
      {isUsable && <p>{limitsInWords(limits)}</p>}
      {isUsable && limits && <WouldHaveHeld limits={limits} />}
      <FormActions>
        <Button kind="primary" type="submit" pending={update.isPending} disabled={!mayChange}>
          Save limits
        </Button>
      </FormActions>
    </Form>
  );
}

const pauseMs = 500;

/** What the limits would have done to the emails of the last 30 days. */
function WouldHaveHeld({ limits }: { limits: ContactLimits }) {
  const tried = JSON.parse(useDebounced(JSON.stringify(limits), pauseMs)) as ContactLimits;
  const { data } = useQuery({
    ...useApi().contacts.previewLimits.queryOptions(tried),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });
  if (!data) return null;
  if (data.emails === 0) return <p>No marketing email was sent in the last 30 days.</p>;
  return (
    <p>
      Of {formatCount(data.emails)} marketing emails since <Moment at={data.since} />,{' '}
      {formatCount(data.held)} would have waited and gone later
      {data.skipped > 0 && `, and ${formatCount(data.skipped)} would have been skipped`}.
    </p>
  );
}
