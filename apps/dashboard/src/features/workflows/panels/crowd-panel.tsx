import { reasonInWords } from '@postrider/core/mail/eligibility/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useApi, useApiClient, type Workflow, type WorkflowSimulation } from '../../../lib/api.ts';
import { formatCount, formatDay, plural } from '../../../lib/format.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { Button } from '../../../ui/button.tsx';
import { Fact, Facts } from '../../../ui/facts.tsx';
import { CheckField, SelectField } from '../../../ui/field.tsx';
import { Form, FormActions } from '../../../ui/form.tsx';
import { Notice } from '../../../ui/notice.tsx';
import type { Painting } from '../canvas/graph-context.ts';
import styles from '../steps/step-panel.module.css';
import { crowdPainting } from './crowd.rules.ts';

interface CrowdProps {
  workflow: Workflow;
  onPaint: (painting: Painting | null) => void;
}

type Asked = Parameters<ReturnType<typeof useApiClient>['workflows']['simulate']['query']>[0];

/** Contacts that all begin now. */
export function SamplePanel(props: CrowdProps) {
  const segments = useQuery(useApi().segments.list.queryOptions());
  return (
    <Crowd
      {...props}
      label="Sample"
      read={({ sample = '1000', segmentId = '' }) => ({
        mode: 'SAMPLE',
        sample: Number(sample),
        ...(segmentId !== '' && { segmentId }),
      })}
    >
      <SelectField name="sample" label="Contacts" defaultValue="1000" hint="Drawn at random. All begin now.">
        <option value="100">100</option>
        <option value="1000">1,000</option>
        <option value="10000">10,000</option>
      </SelectField>
      <SelectField name="segmentId" label="From" defaultValue="">
        <option value="">All contacts</option>
        {(segments.data ?? []).map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    </Crowd>
  );
}

/** Who would have entered lately, with what happened to them. */
export const ReplayPanel = (props: CrowdProps) => (
  <Crowd {...props} label="Last days" read={({ days = '30' }) => ({ mode: 'REPLAY', days: Number(days) })}>
    <SelectField
      name="days"
      label="Entries of the last"
      defaultValue="30"
      hint="With the events that were recorded, each at its time. Contacts are as they are now."
    >
      <option value="7">7 days</option>
      <option value="30">30 days</option>
    </SelectField>
  </Crowd>
);

interface CrowdFormProps extends CrowdProps {
  label: string;
  read: (values: Readonly<Record<string, string>>) => Omit<Asked, 'id'>;
  children: ReactNode;
}

interface Result {
  simulation: WorkflowSimulation;
  live: WorkflowSimulation | null;
}

function Crowd({ workflow, onPaint, label, read, children }: CrowdFormProps) {
  const { simulate } = useApiClient().workflows;
  const run = useMutation({
    async mutationFn({ compare, ...values }: Record<string, string>): Promise<Result> {
      const asked = { id: workflow.id, ...read(values) };
      const simulation = await simulate.query(asked);
      const { seed, startAt } = simulation;
      // The same people at the same time: one after the other, since a workflow has one simulation at a time.
      const live = compare ? await simulate.query({ ...asked, seed, startAt, definition: 'live' }) : null;
      return { simulation, live };
    },
    onMutate: () => onPaint(null),
    onSuccess: ({ simulation, live }) => onPaint(crowdPainting(simulation, workflow, live)),
  });
  const failure = useFailure(run.error);
  return (
    <>
      <Form label={label} failure={failure} onSubmit={(values) => run.mutate(values)}>
        {children}
        {workflow.draft && (
          <CheckField name="compare" label="Compare the draft with the live version" defaultChecked />
        )}
        <FormActions>
          <Button kind="primary" type="submit" pending={run.isPending}>
            Show the crowd
          </Button>
        </FormActions>
      </Form>
      {run.data && <CrowdResult {...run.data} />}
    </>
  );
}

function CrowdResult({ simulation, live }: Result) {
  const { people, ended, emails, requests, warnings, stopped } = simulation;
  const still = simulation.steps.reduce((sum, { here }) => sum + here, 0);
  const sent = emails.perDay.reduce((sum, { count }) => sum + count, 0);
  const sentLive = live?.emails.perDay.reduce((sum, { count }) => sum + count, 0);
  return (
    <section aria-label="What would happen" className={styles.result}>
      {stopped && (
        <Notice tone="warn" title="Stopped after 20 seconds">
          <p>The numbers are those of the contacts that were simulated by then.</p>
        </Notice>
      )}
      {people === 0 ? (
        <p role="status">Nobody would have entered.</p>
      ) : (
        <>
          <p role="status" className="visually-hidden">
            {plural(people, 'contact')}, {plural(sent, 'email')}
          </p>
          <Facts>
            <Fact name="Contacts">{formatCount(people)}</Fact>
            <Fact name="Reach the end">{formatCount(ended.completed)}</Fact>
            {ended.exited > 0 && <Fact name="Exit">{formatCount(ended.exited)}</Fact>}
            {ended.failed > 0 && <Fact name="Fail">{formatCount(ended.failed)}</Fact>}
            {still > 0 && <Fact name="Still inside">{formatCount(still)}</Fact>}
            <Fact name="Emails sent">
              {formatCount(sent)}
              {sentLive !== undefined && ` (live: ${formatCount(sentLive)})`}
            </Fact>
            {Object.entries(emails.skipped).map(([reason, count]) => (
              <Fact key={reason} name="Skipped">
                {formatCount(count)}: {reasonInWords(reason)}
              </Fact>
            ))}
            {emails.capped > 0 && <Fact name="Held by caps">{formatCount(emails.capped)}</Fact>}
            {emails.quiet > 0 && <Fact name="Held by quiet hours">{formatCount(emails.quiet)}</Fact>}
            <Fact name="Per contact">
              {emails.perPerson.median} for half of them, at most {emails.perPerson.max}
            </Fact>
            {requests > 0 && <Fact name="Requests">{formatCount(requests)}</Fact>}
          </Facts>
          <Days days={emails.perDay} />
        </>
      )}
      {warnings.length > 0 && (
        <Notice tone="busy" title="What this cannot know">
          <ul className={styles.warnings}>
            {warnings.map(({ code, text }) => (
              <li key={code}>{text}</li>
            ))}
          </ul>
        </Notice>
      )}
    </section>
  );
}

const mostDays = 14;

/** Emails by day, the first ones; the numbers stand beside the bars. */
function Days({ days }: { days: WorkflowSimulation['emails']['perDay'] }) {
  const [all, setAll] = useState(false);
  if (days.length === 0) return null;
  const highest = Math.max(...days.map(({ count }) => count));
  const shown = all ? days : days.slice(0, mostDays);
  return (
    <div>
      <h3 className={styles.subtitle}>Emails per day</h3>
      <ol className={styles.bars}>
        {shown.map(({ day, count }) => (
          <li key={day}>
            <span>{formatDay(day)}</span>
            <span className={styles.bar} aria-hidden="true">
              <span style={{ width: `${(100 * count) / highest}%` }} />
            </span>
            <span>{formatCount(count)}</span>
          </li>
        ))}
      </ol>
      {shown.length < days.length && (
        <Button small kind="quiet" onClick={() => setAll(true)}>
          Show all {days.length} days
        </Button>
      )}
    </div>
  );
}
