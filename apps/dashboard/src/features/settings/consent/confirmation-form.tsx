import { publicSubscriptions } from '@postrider/core/people/projects/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAccountApi, useApi } from '../../../lib/api.ts';
import { isLeader, useProject } from '../../../lib/current.ts';
import { given } from '../../../lib/given.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { ChoiceField } from '../../../ui/choice-field.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { FieldRow, Form, FormActions } from '../../../ui/form.tsx';

const choices = [
  {
    value: 'DIRECT',
    label: 'Subscribes at once',
    note: 'Every visitor of your pages can subscribe any address.',
  },
  {
    value: 'CONFIRM',
    label: 'Is confirmed by email first',
    note: 'Also what your pages track with the public key.',
  },
] as const;

/** Who asks people to confirm a subscription, and where the pages of recipients lead. */
export function ConfirmationForm() {
  const project = useProject();
  const { confirmation, privacyUrl, ...settings } = project.consent;
  const api = useAccountApi();
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const [tracked, setTracked] = useState(settings.publicSubscriptions);
  const templates = useQuery(useApi().templates.list.queryOptions({ type: 'TRANSACTIONAL', pageSize: 100 }));
  const update = useMutation(
    api.projects.update.mutationOptions({
      async onSuccess() {
        await queryClient.invalidateQueries(api.projects.list.queryFilter());
        announce('Saved');
      },
    }),
  );
  const disabled = !isLeader(project);
  return (
    <Form
      label="Confirmation"
      failure={useFailure(update.error)}
      onSubmit={(values) => {
        const from = given(values['consent.confirmation.from']);
        update.mutate({
          id: project.id,
          consent: {
            confirmation:
              from === undefined
                ? null
                : {
                    from,
                    fromName: given(values['consent.confirmation.fromName']) ?? null,
                    replyTo: given(values['consent.confirmation.replyTo']) ?? null,
                    templateId: given(values['consent.confirmation.templateId']) ?? null,
                  },
            publicSubscriptions: tracked,
            privacyUrl: given(values['consent.privacyUrl']) ?? null,
          },
        });
      }}
    >
      <FieldRow>
        <TextField
          name="consent.confirmation.from"
          label="Confirmations come from"
          placeholder="hello@example.com"
          defaultValue={confirmation?.from ?? ''}
          disabled={disabled}
          hint="An address of a verified domain. Sign-up forms need it."
        />
        <TextField
          name="consent.confirmation.fromName"
          label="With the name (optional)"
          placeholder={project.name}
          defaultValue={confirmation?.fromName ?? ''}
          maxLength={100}
          disabled={disabled}
        />
      </FieldRow>
      <FieldRow>
        <TextField
          name="consent.confirmation.replyTo"
          label="Replies go to (optional)"
          defaultValue={confirmation?.replyTo ?? ''}
          disabled={disabled}
        />
        <SelectField
          key={templates.data?.data.length ?? 0}
          name="consent.confirmation.templateId"
          label="Email"
          defaultValue={confirmation?.templateId ?? ''}
          disabled={disabled}
          hint="A transactional template must contain {{confirmUrl}}."
        >
          <option value="">Built in, in 11 languages with your brand</option>
          {(templates.data?.data ?? []).map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      </FieldRow>
      <ChoiceField
        name="consent.publicSubscriptions"
        label="A subscription with the public key"
        options={choices}
        value={tracked}
        onChange={(value) => setTracked(publicSubscriptions.parse(value))}
      />
      <TextField
        name="consent.privacyUrl"
        label="Privacy policy (optional)"
        placeholder="https://example.com/privacy"
        defaultValue={privacyUrl ?? ''}
        maxLength={2000}
        disabled={disabled}
        hint="The pages of recipients link to it."
      />
      <FormActions>
        <Button kind="primary" type="submit" pending={update.isPending} disabled={disabled}>
          Save
        </Button>
      </FormActions>
    </Form>
  );
}
