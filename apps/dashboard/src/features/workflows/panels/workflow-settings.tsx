import { updateWorkflowInput } from '@postrider/core/automation/workflows/contract';
import { textLimits, type Whole } from '@postrider/core/base/lib/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi, type Workflow, type WorkflowUpdate } from '../../../lib/api.ts';
import { type Failure, withoutFields } from '../../../lib/failure.ts';
import { given } from '../../../lib/given.ts';
import { useDraft } from '../../../lib/use-draft.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { CheckField, TextAreaField, TextField } from '../../../ui/field.tsx';
import { Form, FormActions } from '../../../ui/form.tsx';
import { SuggestedField } from '../../../ui/suggested-field.tsx';
import { fromTree, isTree, type TreeDraft, toTree } from '../../common/filters/filter-tree.rules.ts';
import { incompleteFilters } from '../../common/filters/incomplete-filters.ts';
import { useEditedCache } from '../canvas/use-edited-workflow.ts';
import styles from '../steps/step-panel.module.css';
import { ReentryField } from './create-workflow-form.tsx';
import { EntryFields, rulesOf } from './entry-fields.tsx';
import { SidePanel } from './side-panel.tsx';

/** What holds at once, for all versions. Enabling has a switch. */
type Settings = Whole<Pick<WorkflowUpdate, 'name' | 'description' | 'alias' | 'errorBudget'>, undefined>;
/** What belongs to the definition, so that a change of it is one of the draft. Trigger, goals and exits have forms of their own. */
type Rules = Whole<Pick<WorkflowUpdate, 'timeZone' | 'allowReentry' | 'entry'>, undefined>;

const zones = Intl.supportedValuesOf('timeZone');

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
  const { id, name, description, alias, timeZone, allowReentry, entry, errorBudget } = workflow;
  const [tree, setTree] = useState(() => (isTree(entry.filter) ? fromTree(entry.filter) : null));
  const [own, setOwn] = useState<Failure | null>(null);
  const refusal = useFailure(update.error);
  const failure = own ?? refusal;
  return (
    <SidePanel title="Workflow" icon="workflow">
      <p className={styles.intro}>Select a step to edit it, or a plus sign to add one.</p>
      <Form
        label="Workflow"
        failure={failure && withoutFields(failure, 'entry.filter')}
        draft={draft}
        extra={{ value: tree, restore: (value) => setTree(value as TreeDraft | null) }}
        onSubmit={(values) => {
          const missing = tree && incompleteFilters(tree, 'entry.filter');
          setOwn(missing);
          if (missing) return;
          const isRepeated = values.allowReentry === 'on';
          const settings: Settings = {
            name: values.name ?? '',
            description: values.description ?? '',
            errorBudget: values.errorBudget === 'on',
            alias: given(values.alias) ?? null,
          };
          const rules: Rules = {
            timeZone: given(values.timeZone) ?? null,
            allowReentry: isRepeated,
            entry: { filter: tree && toTree(tree), ...(isRepeated ? rulesOf(values) : {}) },
          };
          update.mutate({ id, ...settings, ...rules, publish: false });
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
        <TextField
          name="alias"
          label="Alias"
          defaultValue={alias ?? ''}
          {...textLimits(updateWorkflowInput, 'alias')}
          autoComplete="off"
          spellCheck={false}
          hint="A name for programs. It can stand for the id in requests."
        />
        <SuggestedField
          name="timeZone"
          label="Time zone"
          suggestions={zones}
          defaultValue={timeZone ?? ''}
          placeholder="That of the project"
          hint="Of delays and dates, for contacts without one of their own."
        />
        <ReentryField defaultChecked={allowReentry} />
        <CheckField
          name="errorBudget"
          label="Disable when many executions fail"
          hint="When half of 50 within an hour fail at a step, or nearly all of 20 within a week."
          defaultChecked={errorBudget}
        />
        <EntryFields entry={entry} tree={tree} onTree={setTree} failures={failure?.fields ?? {}} />
        <FormActions>
          <Button kind="primary" type="submit" pending={update.isPending}>
            Save
          </Button>
        </FormActions>
      </Form>
    </SidePanel>
  );
}
