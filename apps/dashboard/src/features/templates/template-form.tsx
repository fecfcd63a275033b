import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { useApi } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { failureOf } from '../../lib/failure.ts';
import { given } from '../../lib/given.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { FieldRow, Form, FormActions } from '../../ui/form.tsx';
import { emailClassOf } from './email-class.ts';
import { LetterFields } from './letter-fields.tsx';

/** @param from the sender that is suggested */
export function TemplateForm({ from }: { from: string }) {
  const api = useApi();
  const to = useProjectPath();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const create = useMutation({
    ...api.templates.create.mutationOptions(),
    async onSuccess({ id }) {
      await queryClient.invalidateQueries(api.templates.pathFilter());
      await navigate(to(`templates/${id}`));
    },
  });
  return (
    <Form
      label="New template"
      failure={create.error ? failureOf(create.error) : null}
      onSubmit={(values) =>
        create.mutate({
          name: values.name ?? '',
          description: given(values.description),
          subject: values.subject ?? '',
          body: values.body ?? '',
          from: values.from ?? '',
          fromName: given(values.fromName),
          replyTo: given(values.replyTo),
          type: emailClassOf(values.type),
        })
      }
    >
      <FieldRow>
        <TextField name="name" label="Name" maxLength={100} required autoFocus />
        <TextField name="description" label="Description" maxLength={500} />
      </FieldRow>
      <LetterFields from={from} type="TRANSACTIONAL" />
      <FormActions>
        <Button kind="primary" type="submit" pending={create.isPending}>
          Save template
        </Button>
      </FormActions>
    </Form>
  );
}
