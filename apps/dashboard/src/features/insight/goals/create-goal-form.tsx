import { eventName } from '@postrider/core/audience/events/contract';
import { createGoalInput, goalAttribution } from '@postrider/core/automation/goals/contract';
import { limitsOf, textLimits } from '@postrider/core/base/lib/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useApi } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { given } from '../../../lib/given.ts';
import { useDraft } from '../../../lib/use-draft.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { FieldRow, Form, FormActions } from '../../../ui/form.tsx';
import { SuggestedField } from '../../../ui/suggested-field.tsx';
import { useRefreshGoals } from './use-refresh-goals.ts';
import { type WhereDraft, WhereFields, whereOf } from './where-fields.tsx';

const attributions = {
  CLICK: ['Was clicked', 'The usual choice: whoever bought after a click came by the email.'],
  OPEN: ['Was opened', 'Mail programs open many emails by themselves.'],
  SENT: ['Was sent', 'Also counts who would have come anyway.'],
} as const;

export function CreateGoalForm() {
  const to = useProjectPath();
  const navigate = useNavigate();
  const refresh = useRefreshGoals();
  const draft = useDraft('goal.new');
  const [where, setWhere] = useState<WhereDraft[]>([]);
  const api = useApi();
  const names = useQuery(api.events.names.queryOptions());
  const create = useMutation({
    ...api.goals.create.mutationOptions(),
    async onSuccess({ id }) {
      draft.saved();
      await refresh();
      await navigate(to(`goals/${id}`));
    },
  });
  return (
    <Form
      label="New goal"
      failure={useFailure(create.error)}
      draft={draft}
      extra={{ value: where, restore: (value) => setWhere(value as WhereDraft[]) }}
      onSubmit={(values) => {
        const property = given(values['value.property']);
        create.mutate({
          name: values.name ?? '',
          eventName: values.eventName ?? '',
          where: whereOf(where),
          ...(property !== undefined && {
            value: { property, currency: values['value.currency'] ?? '' },
          }),
          attribution: goalAttribution.parse(values.attribution),
          windowDays: Number(values.windowDays),
        });
      }}
    >
      <FieldRow>
        <TextField
          name="name"
          label="Name"
          placeholder="Purchase"
          {...textLimits(createGoalInput, 'name')}
          required
          autoFocus
        />
        <SuggestedField
          name="eventName"
          label="Event"
          suggestions={(names.data?.eventNames ?? []).filter((name) => !name.startsWith('email.'))}
          placeholder="order.paid"
          {...limitsOf(eventName)}
          required
          hint="What you hope for: an event that your code tracks. It counts from now on."
        />
      </FieldRow>
      <WhereFields drafts={where} onChange={setWhere} />
      <FieldRow>
        <TextField
          name="value.property"
          label="Value (optional)"
          placeholder="amount"
          hint="The property of the event that says how much it is worth."
        />
        <TextField
          name="value.currency"
          label="Currency"
          placeholder="EUR"
          defaultValue="EUR"
          maxLength={3}
        />
      </FieldRow>
      <FieldRow>
        <SelectField
          name="attribution"
          label="Credit the last email that"
          hint="What a goal counts can't be changed later: create another one instead."
        >
          {Object.entries(attributions).map(([value, [label, note]]) => (
            <option key={value} value={value} title={note}>
              {label}
            </option>
          ))}
        </SelectField>
        <TextField
          name="windowDays"
          label="Within days"
          type="number"
          min={1}
          max={30}
          defaultValue={7}
          required
        />
      </FieldRow>
      <FormActions>
        <Button kind="primary" type="submit" pending={create.isPending}>
          Create goal
        </Button>
      </FormActions>
    </Form>
  );
}
