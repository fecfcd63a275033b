import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useApiClient, type Workflow, type WorkflowTest } from '../../../lib/api.ts';
import { foldFields } from '../../../lib/failure.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { Button } from '../../../ui/button.tsx';
import { Chip, type Tone } from '../../../ui/chip.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { Form, FormActions } from '../../../ui/form.tsx';
import { Moment } from '../../../ui/time.tsx';
import timeline from '../../../ui/timeline.module.css';
import { ContactPicker } from '../../audience/contacts/contact-picker.tsx';
import entry from '../executions/step-entry.module.css';
import { storyOf } from '../executions/step-story.rules.ts';
import { UnreadableField, unreadable } from '../steps/step-input.rules.ts';
import styles from '../steps/step-panel.module.css';
import { EventDataField } from './event-data-field.tsx';
import { SidePanel } from './side-panel.tsx';
import { readContext } from './start-execution.tsx';
import { canTimeOut, testWords } from './test-words.rules.ts';

interface TestPanelProps {
  workflow: Workflow;
  test: WorkflowTest | null;
  selected: string | null;
  onTest: (test: WorkflowTest | null) => void;
  onSelect: (stepId: string | null) => void;
  onClose: () => void;
}

/** Shows which way a contact would take, without sending or changing anything. */
export function TestPanel({ workflow, test, selected, onTest, onSelect, onClose }: TestPanelProps) {
  const client = useApiClient().workflows;
  const [contactId, setContactId] = useState<string | null>(null);
  const run = useMutation({
    async mutationFn({ context = '', waits }: Record<string, string>) {
      if (contactId === null) throw new UnreadableField('contactId', 'Select a contact of this project');
      return client.test.query({
        id: workflow.id,
        contactId,
        context: readContext(context),
        waits: waits === 'TIMEOUT' ? 'TIMEOUT' : 'EVENT',
      });
    },
    onMutate: () => onTest(null),
    onSuccess: onTest,
  });
  const refusal = useFailure(run.error instanceof UnreadableField ? null : run.error);
  const failure = useMemo(() => {
    if (run.error instanceof UnreadableField) return unreadable(run.error);
    return refusal && foldFields(refusal, 'context');
  }, [run.error, refusal]);
  return (
    <SidePanel title="Test run" icon="play" onClose={onClose}>
      <p className={styles.intro}>
        Shows the steps that a contact would take. Nothing is sent, and nothing changes.
        {workflow.draft && ` The test is of version ${workflow.version}, which is live, without the draft.`}
      </p>
      <Form label="Test run" failure={failure} onSubmit={(values) => run.mutate(values)}>
        <ContactPicker
          name="contactId"
          label="Contact"
          hint="Its data decides about branches."
          value={contactId}
          onChange={setContactId}
        />
        <EventDataField workflow={workflow} />
        {workflow.steps.some(canTimeOut) && (
          <SelectField name="waits" label="Waits end">
            <option value="EVENT">When the event occurs</option>
            <option value="TIMEOUT">At their timeout</option>
          </SelectField>
        )}
        <FormActions>
          <Button kind="primary" type="submit" pending={run.isPending}>
            Run test
          </Button>
        </FormActions>
      </Form>
      {test && <Result workflow={workflow} test={test} selected={selected} onSelect={onSelect} />}
    </SidePanel>
  );
}

const ends: Readonly<Partial<Record<WorkflowTest['status'], { text: string; tone: Tone }>>> = {
  COMPLETED: { text: 'Reaches the end', tone: 'good' },
  EXITED: { text: 'Exits', tone: 'good' },
  FAILED: { text: 'Fails', tone: 'bad' },
  RUNNING: { text: 'Stopped: the test took too long', tone: 'warn' },
};

type ResultProps = Pick<TestPanelProps, 'workflow' | 'selected' | 'onSelect'> & { test: WorkflowTest };

function Result({ workflow, test, selected, onSelect }: ResultProps) {
  const end = ends[test.status];
  return (
    <section aria-label="Result of the test run">
      <ol className={timeline.timeline}>
        {test.stepExecutions.map((taken) => {
          const settings = workflow.steps.find(({ id }) => id === taken.stepId);
          const text = testWords(taken, settings);
          return (
            <li key={taken.id} className={`${timeline.entry} ${timeline[storyOf(taken, settings).tone]}`}>
              <button
                type="button"
                className={entry.name}
                aria-pressed={taken.stepId === selected}
                onClick={() => onSelect(taken.stepId)}
              >
                {taken.step?.name}
              </button>
              <span className={timeline.text}>
                {text}
                {text.endsWith('until') && taken.completedAt && (
                  <>
                    {' '}
                    <Moment at={taken.completedAt} />
                  </>
                )}
              </span>
            </li>
          );
        })}
      </ol>
      <p role="status">{end && <Chip tone={end.tone}>{end.text}</Chip>}</p>
    </section>
  );
}
