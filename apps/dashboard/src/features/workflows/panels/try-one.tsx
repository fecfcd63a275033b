import { useMutation } from '@tanstack/react-query';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { useApiClient, type Workflow, type WorkflowSimulation } from '../../../lib/api.ts';
import { foldFields } from '../../../lib/failure.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { Button } from '../../../ui/button.tsx';
import { Chip, type Tone } from '../../../ui/chip.tsx';
import { SelectField, TextAreaField, TextField } from '../../../ui/field.tsx';
import { Form, FormActions } from '../../../ui/form.tsx';
import { Moment } from '../../../ui/time.tsx';
import timeline from '../../../ui/timeline.module.css';
import { ContactPicker } from '../../audience/contacts/contact-picker.tsx';
import type { Painting } from '../canvas/graph-context.ts';
import { wayThrough } from '../executions/marks.rules.ts';
import entry from '../executions/step-entry.module.css';
import { storyOf } from '../executions/step-story.rules.ts';
import { UnreadableField, unreadable } from '../steps/step-input.rules.ts';
import styles from '../steps/step-panel.module.css';
import { EventDataField } from './event-data-field.tsx';
import { readData, readHappenings } from './happenings.rules.ts';
import { testMarks, testWords } from './test-words.rules.ts';
import { marksAt, momentsOf, upTo } from './try-one.rules.ts';

interface TryOneProps {
  workflow: Workflow;
  selected: string | null;
  onPaint: (painting: Painting | null) => void;
  onSelect: (stepId: string | null) => void;
}

type Tried = WorkflowSimulation['executions'][number];

/** Which way one contact would take, step by step, with what is assumed to happen to it. */
export function TryOne({ workflow, selected, onPaint, onSelect }: TryOneProps) {
  const client = useApiClient().workflows;
  const [contactId, setContactId] = useState<string | null>(null);
  const [at, setAt] = useState<string | null>(null);
  const paint = (execution: Tried, moment: string) => {
    const shown = upTo(execution, moment);
    const marks = { ...testMarks(shown), ...marksAt(shown, moment) };
    onPaint({ marks, ways: [], crowd: null, taken: wayThrough(shown, workflow) });
    setAt(moment);
  };
  const run = useMutation({
    async mutationFn({ context = '', ...values }: Record<string, string>) {
      if (contactId === null) throw new UnreadableField('contactId', 'Select a contact of this project');
      const startAt = new Date();
      return client.simulate.query({
        id: workflow.id,
        mode: 'CONTACT',
        contactId,
        context: readData(context, 'context'),
        startAt: startAt.toISOString(),
        events: readHappenings(values, startAt),
      });
    },
    onMutate: () => onPaint(null),
    onSuccess({ executions: [execution] }) {
      const last = execution && momentsOf(execution).at(-1);
      if (execution && last !== undefined) paint(execution, last);
    },
  });
  const refusal = useFailure(run.error instanceof UnreadableField ? null : run.error);
  const failure = useMemo(() => {
    if (run.error instanceof UnreadableField) return unreadable(run.error);
    // The API names single fields of what has one field here.
    const folded = refusal && foldFields(refusal, 'context');
    const events = Object.keys(folded?.fields ?? {}).flatMap(
      (field) => /^events\.\d+\.data/.exec(field) ?? [],
    );
    return folded && events.reduce(foldFields, folded);
  }, [run.error, refusal]);
  const execution = run.data?.executions[0];
  return (
    <>
      <Form label="Try it" failure={failure} onSubmit={(values) => run.mutate(values)}>
        <ContactPicker
          name="contactId"
          label="Contact"
          hint="Its data decides about branches."
          value={contactId}
          onChange={setContactId}
        />
        <EventDataField workflow={workflow} />
        <Happenings />
        <FormActions>
          <Button kind="primary" type="submit" pending={run.isPending}>
            Show the way
          </Button>
        </FormActions>
      </Form>
      {execution && at !== null && (
        <Result
          key={execution.id + execution.startedAt}
          workflow={workflow}
          execution={execution}
          at={at}
          selected={selected}
          onMove={(moment) => paint(execution, moment)}
          onSelect={onSelect}
        />
      )}
    </>
  );
}

/** What happens to the contact on its way. */
function Happenings() {
  const [rows, setRows] = useState<number[]>([]);
  return (
    <>
      {rows.map((row, index) => (
        <div key={row} className={styles.row}>
          <div className={styles.withRemove}>
            <TextField
              name={`events.${index}.eventName`}
              label="Event that happens"
              required
              maxLength={100}
            />
            <Button
              kind="quiet"
              icon="cross"
              aria-label="Remove this event"
              onClick={() => setRows(rows.filter((each) => each !== row))}
            />
          </div>
          <div className={styles.pair}>
            <TextField
              name={`events.${index}.after`}
              label="After"
              type="number"
              min={0}
              defaultValue={1}
              required
            />
            <SelectField name={`events.${index}.unit`} label="Unit" defaultValue="hours">
              <option value="minutes">minutes</option>
              <option value="hours">hours</option>
              <option value="days">days</option>
            </SelectField>
          </div>
          <TextAreaField
            name={`events.${index}.data`}
            label="Its data"
            code
            rows={2}
            placeholder={'orderId: A-1001\ntotal: 120'}
            hint="One field per line. Empty for none."
          />
        </div>
      ))}
      <div>
        <Button small icon="plus" onClick={() => setRows([...rows, Math.max(0, ...rows) + 1])}>
          Add an event
        </Button>
      </div>
    </>
  );
}

const ends: Readonly<Record<Tried['status'], { text: string; tone: Tone }>> = {
  COMPLETED: { text: 'Reaches the end', tone: 'good' },
  EXITED: { text: 'Exits', tone: 'good' },
  FAILED: { text: 'Fails', tone: 'bad' },
  WAITING: { text: 'Waits until an event occurs', tone: 'warn' },
  RUNNING: { text: 'Stopped: it took too long', tone: 'warn' },
  CANCELLED: { text: 'Cancelled', tone: 'calm' },
};

interface ResultProps extends Pick<TryOneProps, 'workflow' | 'selected' | 'onSelect'> {
  execution: Tried;
  at: string;
  onMove: (moment: string) => void;
}

function Result({ workflow, execution, at, selected, onMove, onSelect }: ResultProps) {
  const id = useId();
  const moments = momentsOf(execution);
  const index = moments.indexOf(at);
  const end = ends[execution.status];
  const section = useRef<HTMLElement>(null);
  // The form fills the panel: what it led to comes into view.
  useEffect(() => {
    // Some browsers return a promise here, which must not be what an effect returns.
    section.current?.scrollIntoView({ block: 'start' });
  }, []);
  return (
    <section ref={section} aria-label="What would happen" className={styles.result}>
      {moments.length > 1 && (
        <div className={styles.time}>
          <label htmlFor={id}>
            Time <Moment at={at} />
          </label>
          <input
            id={id}
            type="range"
            min={0}
            max={moments.length - 1}
            value={index}
            aria-valuetext={new Date(at).toLocaleString()}
            onChange={({ target }) => onMove(moments[Number(target.value)] ?? at)}
          />
        </div>
      )}
      <ol className={timeline.timeline}>
        {upTo(execution, at).stepExecutions.map((taken) => {
          const settings = workflow.steps.find((step) => step.id === taken.stepId);
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
                {text.endsWith('until') && (taken.completedAt ?? taken.scheduledFor) && (
                  <>
                    {' '}
                    <Moment at={taken.completedAt ?? taken.scheduledFor ?? ''} />
                  </>
                )}
              </span>
            </li>
          );
        })}
      </ol>
      {index === moments.length - 1 && (
        <p role="status">
          <Chip tone={end.tone}>{end.text}</Chip>
        </p>
      )}
    </section>
  );
}
