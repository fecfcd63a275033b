import { createWorkflowInput } from '@postrider/core/automation/workflows/contract';
import { textLimits } from '@postrider/core/base/lib/contract';
import { useMutation } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import { useApiClient } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { renameField } from '../../../lib/failure.ts';
import { given } from '../../../lib/given.ts';
import { Button } from '../../../ui/button.tsx';
import { CheckField, TextField } from '../../../ui/field.tsx';
import { FieldRow, Form, FormActions, type FormValues } from '../../../ui/form.tsx';
import { createWorkflow } from '../canvas/build-graph.ts';
import { useRefreshWorkflows } from '../canvas/use-refresh-workflows.ts';
import { ofFields } from '../steps/step-failures.ts';
import { TriggerFields } from '../steps/triggers/trigger-fields.tsx';
import { triggerOf } from '../steps/triggers/trigger-views.ts';
import { useInputFailure } from '../steps/use-input-failure.ts';

const untouched = { triggerType: 'EVENT', triggerConfig: {} } as const;

export function CreateWorkflowForm() {
  const to = useProjectPath();
  const navigate = useNavigate();
  const client = useApiClient();
  const refresh = useRefreshWorkflows();
  const create = useMutation({
    mutationFn: async (values: FormValues) =>
      createWorkflow(client, {
        name: values.name ?? '',
        description: given(values.description),
        allowReentry: values.allowReentry === 'on',
        ...triggerOf(values),
      }),
    async onSuccess(id) {
      await refresh();
      await navigate(to(`workflows/${id}`));
    },
  });
  const refusal = useInputFailure(create.error);
  const failure = useMemo(
    () => refusal && renameField(refusal, 'eventName', 'triggerConfig.eventName'),
    [refusal],
  );
  const fieldFailure = useMemo(() => failure && ofFields(failure), [failure]);
  return (
    <Form label="New workflow" failure={fieldFailure} onSubmit={(values) => create.mutate(values)}>
      <FieldRow>
        <TextField name="name" label="Name" {...textLimits(createWorkflowInput, 'name')} required autoFocus />
        <TextField
          name="description"
          label="Description"
          {...textLimits(createWorkflowInput, 'description')}
        />
      </FieldRow>
      <TriggerFields trigger={untouched} failure={failure} />
      <ReentryField />
      <FormActions>
        <Button kind="primary" type="submit" pending={create.isPending}>
          Create workflow
        </Button>
      </FormActions>
    </Form>
  );
}

export const ReentryField = ({ defaultChecked = false }: { defaultChecked?: boolean }) => (
  <CheckField
    name="allowReentry"
    label="Allow re-entry"
    hint="After finishing. Otherwise each contact enters only once."
    defaultChecked={defaultChecked}
  />
);
