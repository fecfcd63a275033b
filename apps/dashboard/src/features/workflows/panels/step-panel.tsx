import { stepDefinitions } from '@postrider/core/automation/workflows/contract';
import { useMutation } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApiClient, type Workflow, type WorkflowStep } from '../../../lib/api.ts';
import { useDraft } from '../../../lib/use-draft.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { Form, FormActions, type FormValues } from '../../../ui/form.tsx';
import type { Action } from '../../../ui/menu.tsx';
import { useGraphEdits } from '../canvas/graph-history.ts';
import { useEditedCache } from '../canvas/use-edited-workflow.ts';
import { useCancelAtStep } from '../executions/cancel-at-step.tsx';
import { ofFields } from '../steps/step-failures.ts';
import { StepForm } from '../steps/step-form.tsx';
import { nearestBefore, StepsBefore } from '../steps/step-place.ts';
import { type StepInput, stepView } from '../steps/step-views.ts';
import { TriggerFields } from '../steps/triggers/trigger-fields.tsx';
import { triggerOf } from '../steps/triggers/trigger-views.ts';
import { useInputFailure } from '../steps/use-input-failure.ts';
import { eventNameOf } from './add-step-panel.tsx';
import { SidePanel } from './side-panel.tsx';

interface StepPanelProps {
  workflow: Workflow;
  step: WorkflowStep;
  actions: readonly Action[];
  onDelete: () => void;
  onClose: () => void;
}

/** Shows the selected step with a form to change it. */
export function StepPanel({ workflow, step, actions, onDelete, onClose }: StepPanelProps) {
  const cancel = useCancelAtStep({ workflowId: workflow.id, step });
  // Nobody is in a workflow that was never enabled.
  const mayCancel = step.type !== 'TRIGGER' && workflow.version !== null;
  return (
    <SidePanel
      title={stepDefinitions[step.type].label}
      icon={stepView(step.type).icon}
      actions={mayCancel ? [...actions, cancel] : actions}
      onClose={onClose}
    >
      {step.type === 'TRIGGER' ? (
        <TriggerForm workflow={workflow} />
      ) : (
        <StepsBefore value={nearestBefore(workflow, step.id)}>
          <EditStepForm key={step.id} workflow={workflow} step={step} type={step.type} onDelete={onDelete} />
        </StepsBefore>
      )}
    </SidePanel>
  );
}

function TriggerForm({ workflow }: { workflow: Workflow }) {
  const announce = useAnnounce();
  const { read } = useEditedCache(workflow.id);
  const draft = useDraft(`workflow.${workflow.id}.trigger`);
  const { workflows } = useApiClient();
  const update = useMutation({
    mutationFn: async (values: FormValues) =>
      workflows.update.mutate({ id: workflow.id, ...triggerOf(values), publish: false }),
    async onSuccess({ draft: inDraft }) {
      draft.saved();
      await read(inDraft ? 'draft' : 'no draft');
      announce(savedWords(workflow));
    },
  });
  const failure = useInputFailure(update.error);
  return (
    <Form
      label="Trigger"
      failure={useMemo(() => failure && ofFields(failure), [failure])}
      draft={draft}
      onSubmit={(values) => update.mutate(values)}
    >
      <TriggerFields trigger={workflow} failure={failure} />
      <FormActions>
        <Button kind="primary" type="submit" pending={update.isPending}>
          Save
        </Button>
      </FormActions>
    </Form>
  );
}

/** Where an edit is: nothing of a workflow with versions changes before it is published. */
export const savedWords = ({ version }: Pick<Workflow, 'version'>): string =>
  version === null ? 'Saved' : 'Saved in the draft';

interface EditStepFormProps {
  workflow: Workflow;
  step: WorkflowStep;
  type: Exclude<WorkflowStep['type'], 'TRIGGER'>;
  onDelete: () => void;
}

function EditStepForm({ workflow, step, type, onDelete }: EditStepFormProps) {
  const announce = useAnnounce();
  const draft = useDraft(`workflow.${workflow.id}.${step.id}`);
  const client = useApiClient().workflows;
  const { edit } = useGraphEdits();
  const update = useMutation({
    mutationFn: ({ type: _, ...input }: StepInput) =>
      edit(`change of “${input.name}”`, () =>
        client.updateStep.mutate({ id: workflow.id, stepId: step.id, ...input, publish: false }),
      ),
    onSuccess() {
      draft.saved();
      announce(savedWords(workflow));
    },
  });
  return (
    <StepForm
      label="Step"
      type={type}
      name={step.name}
      config={step.config}
      templateId={step.templateId}
      eventName={eventNameOf(workflow)}
      failure={useFailure(update.error)}
      draft={draft}
      onSubmit={(input) => update.mutate(input)}
    >
      <Button kind="primary" type="submit" pending={update.isPending}>
        Save
      </Button>
      <Button onClick={onDelete}>Delete</Button>
    </StepForm>
  );
}
