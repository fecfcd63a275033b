import { useMutation } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useApiClient, type Workflow, type WorkflowStep } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import { plural } from '../../../lib/format.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Confirm } from '../../../ui/dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Select } from '../../../ui/select.tsx';
import { outletInput } from '../canvas/build-graph.ts';
import type { Painting, StepChoice } from '../canvas/graph-context.ts';
import { type EditGraph, EditGraphContext, useEditGraph } from '../canvas/graph-history.ts';
import { StepPalette } from '../canvas/step-palette.tsx';
import { useCanvasKeys } from '../canvas/use-canvas-keys.ts';
import { useGraphHistory } from '../canvas/use-graph-history.ts';
import { useRefreshWorkflows } from '../canvas/use-refresh-workflows.ts';
import { useStepCopies } from '../canvas/use-step-copies.ts';
import { useStepFigures } from '../canvas/use-step-figures.ts';
import { type GraphEditing, type Place, WorkflowGraph } from '../canvas/workflow-graph.tsx';
import { AddStepPanel } from '../panels/add-step-panel.tsx';
import { DeleteStep } from '../panels/delete-step.tsx';
import { GoalsAndExits } from '../panels/goals-and-exits.tsx';
import { SimulationPanel } from '../panels/simulation-panel.tsx';
import { StepPanel } from '../panels/step-panel.tsx';
import { WorkflowSettings } from '../panels/workflow-settings.tsx';
import { outletWords, type Way } from '../steps/outlets.rules.ts';
import styles from './workflow-editor.module.css';

/** The place of a new step. */
interface Opened {
  place: Place;
  /** id of the step that was selected when it was opened */
  beside: string | null;
  /** the type, if it was chosen before the place */
  chosen: StepChoice | null;
}

interface WorkflowEditorProps {
  workflow: Workflow;
  /** id of a step */
  selected: string | null;
  onSelect: (stepId: string | null) => void;
  /** Whether the panel of simulations is open. */
  isTesting: boolean;
  onEndTest: () => void;
}

/** The canvas, with a panel for the selected step, a new step, or the workflow itself. */
export function WorkflowEditor({ workflow, selected, onSelect, isTesting, onEndTest }: WorkflowEditorProps) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const [cut, setCut] = useState<Place | null>(null);
  const [days, setDays] = useState<(typeof periods)[number]['value']>('30');
  const { marks: figures, ways, inside } = useStepFigures(workflow, Number(days));
  const [painted, setPainted] = useState<Painting | null>(null);
  const painting = isTesting ? painted : null;
  const { edit, undo, redo } = useGraphHistory(workflow.id);
  const connect = useConnect(workflow.id, edit);
  const [chosen, setChosen] = useState<StepChoice | null>(null);
  const [deleted, setDeleted] = useState<WorkflowStep | null>(null);
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
      onAdd(at) {
        setOpened({ place: at, beside: selected, chosen });
        setChosen(null);
      },
      adding: place?.id ?? null,
      chosen,
      undo,
      redo,
      onConnect: (from, outlet, to) =>
        connect({ fromStepId: from.id, toStepId: to.id, ...outletInput(outlet) }),
      onDisconnect: setCut,
    }),
    [place, selected, chosen, connect, undo, redo],
  );
  const copies = useStepCopies(workflow, edit, select);
  const movable = step && step.type !== 'TRIGGER' && !isTesting ? step : null;
  const paste = isTesting ? null : copies.paste && (() => copies.paste?.(step ?? null));
  useCanvasKeys({
    undo: isTesting ? null : undo,
    redo: isTesting ? null : redo,
    copy: movable && (() => copies.copy(movable)),
    paste,
    duplicate: movable && (() => copies.duplicate(movable)),
    remove: movable && (() => setDeleted(movable)),
  });
  const actions = [
    movable && { label: 'Duplicate', icon: 'copy' as const, run: () => copies.duplicate(movable) },
    movable && { label: 'Copy', run: () => copies.copy(movable) },
    paste && { label: 'Paste after this step', run: paste },
    movable && { label: 'Delete', icon: 'trash' as const, danger: true, run: () => setDeleted(movable) },
  ].filter((action) => action !== null);
  const close = () => {
    select(null);
    focusStep(place?.from.id ?? step?.id);
  };
  return (
    <EditGraphContext value={edit}>
      <div className={styles.bench}>
        <div className={styles.canvas}>
          {!painting && Object.keys(figures).length > 0 && (
            <div className={styles.period}>
              <Select
                aria-label="Period of the figures"
                small
                options={periods}
                value={days}
                onChange={setDays}
              />
            </div>
          )}
          <WorkflowGraph
            workflow={workflow}
            label={`Steps of ${workflow.name}`}
            marks={painting?.marks ?? figures}
            ways={painting?.ways ?? ways}
            {...(painting?.crowd && { crowd: painting.crowd })}
            {...(painting?.taken && { taken: painting.taken })}
            selected={step?.id ?? null}
            onSelect={select}
            {...(!painting && { editing })}
          />
        </div>
        <div className={styles.side}>
          {inside > 0 && !isTesting && (place || step) && (
            <ContactsInside count={inside} enabled={workflow.enabled} />
          )}
          {isTesting && (
            <SimulationPanel
              workflow={workflow}
              selected={selected}
              onPaint={setPainted}
              onSelect={onSelect}
              onClose={() => {
                setPainted(null);
                onEndTest();
              }}
            />
          )}
          {!isTesting && place && (
            <AddStepPanel
              key={place.id}
              workflow={workflow}
              place={place}
              chosen={opened?.chosen ?? null}
              onAdded={select}
              onClose={close}
            />
          )}
          {!isTesting && !place && step && (
            <StepPanel
              key={step.id}
              workflow={workflow}
              step={step}
              actions={actions}
              onDelete={() => setDeleted(step)}
              onClose={close}
            />
          )}
          {!isTesting && !place && !step && (
            <>
              <StepPalette chosen={chosen} onChoose={setChosen} />
              <WorkflowSettings key={workflow.id} workflow={workflow} />
              <GoalsAndExits key={`${workflow.id} ends`} workflow={workflow} />
            </>
          )}
        </div>
        {cut && <DeleteConnection workflow={workflow} place={cut} onClose={() => setCut(null)} />}
        {deleted && (
          <DeleteStep
            workflow={workflow}
            step={deleted}
            onDeleted={() => {
              setDeleted(null);
              select(null);
            }}
            onClose={() => setDeleted(null)}
          />
        )}
      </div>
    </EditGraphContext>
  );
}

/** Returns the focus to the step from which a panel was opened. */
const focusStep = (stepId: string | undefined): void =>
  document.querySelector<HTMLElement>(`[data-id="${stepId}"] button`)?.focus({ preventScroll: true });

const periods = [
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
] as const;
const noWays: readonly Way[] = [];

/** What a change means for the contacts who are in the workflow (behaviour B3.4 and B4.9). */
const ContactsInside = ({ count, enabled }: { count: number; enabled: boolean }) => (
  <div className={styles.inside}>
    <Notice tone="warn" title={`${plural(count, 'contact')} in this workflow`}>
      <p>
        Changes apply to them from their next step on.
        {enabled && ' The settings of a step can be changed only while the workflow is disabled.'}
      </p>
    </Notice>
  </div>
);

interface NewConnection {
  fromStepId: string;
  toStepId: string;
  branch?: string;
  waitOutcome?: 'EVENT' | 'TIMEOUT';
}

/** Connects two steps. Errors appear as a toast, since there is no form to show them in. */
function useConnect(id: string, edit: EditGraph): (connection: NewConnection) => void {
  const announce = useAnnounce();
  const client = useApiClient().workflows;
  const refresh = useRefreshWorkflows();
  const { mutate } = useMutation({
    mutationFn: (connection: NewConnection) =>
      edit('connection', () => client.addTransition.mutate({ id, ...connection })),
    onError: (error) => announce(failureOf(error).message, 'note'),
    onSettled: refresh,
  });
  return useCallback((connection) => mutate(connection), [mutate]);
}

interface DeleteConnectionProps {
  workflow: Workflow;
  place: Place;
  onClose: () => void;
}

function DeleteConnection({ workflow, place: { from, outlet, to }, onClose }: DeleteConnectionProps) {
  const refresh = useRefreshWorkflows();
  const client = useApiClient().workflows;
  const edit = useEditGraph();
  const remove = useMutation({
    mutationFn: () =>
      edit('deletion of a connection', () =>
        client.deleteTransition.mutate({ id: workflow.id, transitionId: outlet.transition?.id ?? '' }),
      ),
    async onSuccess() {
      onClose();
      await refresh();
    },
  });
  return (
    <Confirm
      title="Delete this connection?"
      action="Delete connection"
      danger
      pending={remove.isPending}
      failure={remove.error ? failureOf(remove.error) : null}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>
        From {outletWords(from.name, outlet)} to “{to?.name}”. Both steps stay.
      </p>
    </Confirm>
  );
}
