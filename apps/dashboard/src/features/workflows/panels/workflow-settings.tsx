import { updateWorkflowInput } from '@postrider/core/automation/workflows/contract';
import { textLimits, type Whole } from '@postrider/core/base/lib/contract';
import { useMutation } from '@tanstack/react-query';
import { useApi, type Workflow, type WorkflowUpdate } from '../../../lib/api.ts';
import { useDraft } from '../../../lib/use-draft.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { TextAreaField, TextField } from '../../../ui/field.tsx';
import { Form, FormActions } from '../../../ui/form.tsx';
import { useEditedCache } from '../canvas/use-edited-workflow.ts';
import styles from '../steps/step-panel.module.css';
import { ReentryField } from './create-workflow-form.tsx';
import { SidePanel } from './side-panel.tsx';

/** What holds at once, for all versions. The trigger has a form of its own, and enabling a switch. */
type Settings = Whole<Pick<WorkflowUpdate, 'name' | 'description'>, undefined>;

/** The settings of the workflow, shown beside the canvas while no step is selected. */
export function WorkflowSettings({ workflow }: { workflow: Workflow }) {
  const announce = useAnnounce();
  const { read } = useEditedCache(workflow.id);
  const draft = useDraft(`workflow.${workflow.id}`);
  const update = useMutation({
    ...useApi().workflows.update.mutationOptions(),
    async onSuccess({ draft: inDraft }) {
      draft.saved();
      await read(inDraft ? 'draft' : 'no draft');
      announce('Saved');
    },
  });
  const { id, name, description, allowReentry } = workflow;
  return (
    <SidePanel title="Workflow" icon="workflow">
      <p className={styles.intro}>Select a step to edit it, or a plus sign to add one.</p>
      <Form
        label="Workflow"
        failure={useFailure(update.error)}
        draft={draft}
        onSubmit={(values) => {
          const settings: Settings = {
            name: values.name ?? '',
            description: values.description ?? '',
          };
          const again = values.allowReentry === 'on';
          update.mutate({
            id,
            ...settings,
            // It belongs to the definition, so that a change of it is one of the draft.
            ...(again !== allowReentry && { allowReentry: again, publish: false }),
          });
        }}
      >
        <TextField
          name="name"
          label="Name"
          defaultValue={name}
          {...textLimits(updateWorkflowInput, 'name')}
          required
        />
        <TextAreaField
          name="description"
          label="Description"
          rows={3}
          defaultValue={description ?? ''}
          {...textLimits(updateWorkflowInput, 'description')}
        />
        <ReentryField defaultChecked={allowReentry} />
        <FormActions>
          <Button kind="primary" type="submit" pending={update.isPending}>
            Save
          </Button>
        </FormActions>
      </Form>
    </SidePanel>
  );
}
