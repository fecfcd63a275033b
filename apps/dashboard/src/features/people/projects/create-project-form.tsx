import { textLimits } from '@postrider/core/base/lib/contract';
import { createProjectInput } from '@postrider/core/people/projects/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { useAccountApi } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import { paths } from '../../../lib/paths.ts';
import { Button } from '../../../ui/button.tsx';
import { CheckField, TextField } from '../../../ui/field.tsx';
import { Form, FormActions } from '../../../ui/form.tsx';

export function CreateProjectForm() {
  const api = useAccountApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const create = useMutation(
    api.projects.create.mutationOptions({
      async onSuccess({ id }) {
        await queryClient.invalidateQueries(api.projects.list.queryFilter());
        await navigate(paths.project(id));
      },
    }),
  );
  return (
    <Form
      label="New project"
      failure={create.error ? failureOf(create.error) : null}
      onSubmit={({ name = '', test }) =>
        create.mutate({ name, environment: test === undefined ? 'LIVE' : 'TEST' })
      }
    >
      <TextField
        name="name"
        label="Name"
        hint="Used as the default From name of your emails."
        {...textLimits(createProjectInput, 'name')}
        autoComplete="organization"
        required
        autoFocus
      />
      <CheckField
        name="test"
        label="Test project"
        hint="None of its email ever leaves, and its domains need no DNS. This can't be changed later."
      />
      <FormActions>
        <Button kind="primary" type="submit" pending={create.isPending}>
          Create project
        </Button>
      </FormActions>
    </Form>
  );
}
