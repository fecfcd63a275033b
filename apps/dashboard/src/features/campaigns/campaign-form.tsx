import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { useApi } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { failureOf } from '../../lib/failure.ts';
import { given } from '../../lib/given.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import { emailClassOf } from '../templates/email-class.ts';
import { LetterFields } from '../templates/letter-fields.tsx';

/** @param from the sender that is suggested */
export function CampaignForm({ from }: { from: string }) {
  const api = useApi();
  const to = useProjectPath();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const create = useMutation({
    ...api.campaigns.create.mutationOptions(),
    async onSuccess({ id }) {
      await queryClient.invalidateQueries(api.campaigns.pathFilter());
      await navigate(to(`campaigns/${id}`));
    },
  });
  return (
    <Form
      label="New campaign"
      failure={create.error ? failureOf(create.error) : null}
      onSubmit={(values) =>
        create.mutate({
          name: values.name ?? '',
          subject: values.subject ?? '',
          body: values.body ?? '',
          from: values.from ?? '',
          fromName: given(values.fromName),
          replyTo: given(values.replyTo),
          type: emailClassOf(values.type),
          audienceType: 'ALL',
        })
      }
    >
      <TextField
        name="name"
        label="Name"
        hint="For you; recipients do not see it."
        maxLength={200}
        required
        autoFocus
      />
      <LetterFields from={from} type="MARKETING" />
      <FormActions>
        <Button kind="primary" type="submit" pending={create.isPending}>
          Save draft
        </Button>
        <span>Nothing is sent yet.</span>
      </FormActions>
    </Form>
  );
}
