import { useMutation, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useApi, type Workflow } from '../../lib/api.ts';
import { failureOf } from '../../lib/failure.ts';
import { formatCount } from '../../lib/format.ts';
import { whileSettling } from '../../lib/polling.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { AddStepPanel } from './add-step-panel.tsx';
import { outletInput } from './build-graph.ts';
import { outletWords } from './outlets.rules.ts';
import { StepPanel } from './step-panel.tsx';
import { useRefreshWorkflows } from './use-refresh-workflows.ts';
import styles from './workflow-editor.module.css';
import { type GraphEditing, type Place, type StepMark, WorkflowGraph } from './workflow-graph.tsx';
import { WorkflowSettings } from './workflow-settings.tsx';

interface WorkflowEditorProps {
  workflow: Workflow;
  /** id of a step */
  selected: string | null;
  onSelect: (stepId: string | null) => void;
}

/** The canvas, with a panel for the selected step, a new step, or the workflow itself. */
export function WorkflowEditor({ workflow, selected, onSelect }: WorkflowEditorProps) {
  const [opened, setOpened] = useState<{ place: Place; beside: string | null } | null>(null);
  const [cut, setCut] = useState<Place | null>(null);
  const marks = useStepMarks(workflow.id);
  const connect = useConnect(workflow.id);
  // Selecting another step closes the panel of a new one.
  const place = opened?.beside === selected ? opened.place : null;
  const step = place ? undefined : workflow.steps.find(({ id }) => id === selected);
  const select = useCallback(
    (stepId: string | null) => {
      setOpened(null);
      onSelect(stepId);
    },
    [onSelect],
  );
  const editing = useMemo(
    (): GraphEditing => ({
      onAdd: (chosen) => setOpened({ place: chosen, beside: selected }),
      adding: place?.id ?? null,
      onConnect: (from, outlet, to) =>
        connect({ fromStepId: from.id, toStepId: to.id, ...outletInput(outlet) }),
      onDisconnect: setCut,
    }),
    [place, selected, connect],
  );
  const close = () => {
    select(null);
    focusStep(place?.from.id ?? step?.id);
  };
  return (
    <div className={styles.bench}>
      <div className={styles.canvas}>
        <WorkflowGraph
          workflow={workflow}
          label={`Steps of ${workflow.name}`}
          marks={marks}
          selected={step?.id ?? null}
          onSelect={select}
          editing={editing}
        />
      </div>
      <div className={styles.side}>
        {place && (
          <AddStepPanel key={place.id} workflow={workflow} place={place} onAdded={select} onClose={close} />
        )}
        {!place && step && <StepPanel key={step.id} workflow={workflow} step={step} onClose={close} />}
        {!place && !step && <WorkflowSettings key={workflow.id} workflow={workflow} />}
      </div>
      {cut && <DeleteConnection workflow={workflow} place={cut} onClose={() => setCut(null)} />}
    </div>
  );
}

/** Returns the focus to the step from which a panel was opened. */
const focusStep = (stepId: string | undefined): void =>
  document.querySelector<HTMLElement>(`[data-id="${stepId}"] button`)?.focus({ preventScroll: true });

/** How many executions are at each step, completed it, or failed at it. */
function useStepMarks(id: string): Readonly<Record<string, readonly StepMark[]>> {
  const counts = useQuery({
    ...useApi().workflows.counts.queryOptions({ id }),
    refetchInterval: whileSettling,
  });
  const { data } = counts;
  return useMemo(
    () =>
      Object.fromEntries(
        (data?.steps ?? []).map(({ stepId, standing, passed, failed }) => [
          stepId,
          [
            ...markOf(standing, 'waiting', 'busy', 'Executions that are at this step now'),
            ...markOf(passed, 'completed', 'calm', 'Executions that completed this step'),
            ...markOf(failed, 'failed', 'bad', 'Executions that failed at this step'),
          ],
        ]),
      ),
    [data],
  );
}

const markOf = (count: number, word: string, tone: StepMark['tone'], title: string): StepMark[] =>
  count === 0 ? [] : [{ tone, text: `${formatCount(count)} ${word}`, title }];

interface NewConnection {
  fromStepId: string;
  toStepId: string;
  branch?: string;
  waitOutcome?: 'EVENT' | 'TIMEOUT';
}

/** Connects two steps. Errors appear as a toast, since there is no form to show them in. */
function useConnect(id: string): (connection: NewConnection) => void {
  const announce = useAnnounce();
  const refresh = useRefreshWorkflows();
  const { mutate } = useMutation({
    ...useApi().workflows.addTransition.mutationOptions(),
    onError: (error) => announce(failureOf(error).message, 'note'),
    onSettled: refresh,
  });
  return useCallback((connection) => mutate({ id, ...connection }), [mutate, id]);
}

interface DeleteConnectionProps {
  workflow: Workflow;
  place: Place;
  onClose: () => void;
}

function DeleteConnection({ workflow, place: { from, outlet, to }, onClose }: DeleteConnectionProps) {
  const refresh = useRefreshWorkflows();
  const remove = useMutation({
    ...useApi().workflows.deleteTransition.mutationOptions(),
    async onSuccess() {
      onClose();
      await refresh();
    },
  });
  const transitionId = outlet.transition?.id ?? '';
  return (
    <Confirm
      title="Delete this connection?"
      action="Delete connection"
      danger
      pending={remove.isPending}
      failure={remove.error ? failureOf(remove.error) : null}
      onConfirm={() => remove.mutate({ id: workflow.id, transitionId })}
      onClose={onClose}
    >
      <p>
        From {outletWords(from.name, outlet)} to “{to?.name}”. Both steps stay.
      </p>
    </Confirm>
  );
}
