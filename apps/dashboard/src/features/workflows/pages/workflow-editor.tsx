import { useMutation } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import type { Workflow, WorkflowStep } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Confirm } from '../../../ui/dialog.tsx';
import { Select } from '../../../ui/select.tsx';
import type { Painting, StepChoice, StepMark } from '../canvas/graph-context.ts';
import { withConnection, withoutConnection } from '../canvas/graph-edit.rules.ts';
import { type GraphEdits, GraphEditsContext, useGraphEdits } from '../canvas/graph-history.ts';
import { StepPalette } from '../canvas/step-palette.tsx';
import { useCanvasKeys } from '../canvas/use-canvas-keys.ts';
import type { GraphHistory } from '../canvas/use-graph-history.ts';
import { useStepCopies } from '../canvas/use-step-copies.ts';
import { useStepFigures } from '../canvas/use-step-figures.ts';
import { type GraphEditing, type Place, WorkflowGraph } from '../canvas/workflow-graph.tsx';
import { AddStepPanel } from '../panels/add-step-panel.tsx';
import bench from '../panels/bench.module.css';
import { DeleteStep } from '../panels/delete-step.tsx';
import { GoalsAndExits } from '../panels/goals-and-exits.tsx';
import { SimulationPanel } from '../panels/simulation-panel.tsx';
import { StepPanel } from '../panels/step-panel.tsx';
import { WorkflowSettings } from '../panels/workflow-settings.tsx';
import { joinedMarks } from '../publish/changes.rules.ts';
import { outletWords } from '../steps/outlets.rules.ts';
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
  /** its draft if there is one, else its live definition */
  workflow: Workflow;
  /** marks of what the draft changes, by step id */
  changed: Readonly<Record<string, readonly StepMark[]>>;
  history: GraphHistory;
  /** id of a step */
  selected: string | null;
  onSelect: (stepId: string | null) => void;
  /** Whether the panel of simulations is open. */
  isTesting: boolean;
  /** Asks before the draft is published; null without a draft. */
  onPublish: (() => void) | null;
  onEndTest: () => void;
}

/** The canvas, with a panel for the selected step, a new step, or the workflow itself. */
export function WorkflowEditor({
  workflow,
  changed,
  history,
  selected,
  onSelect,
  isTesting,
  onPublish,
  onEndTest,
}: WorkflowEditorProps) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const [cut, setCut] = useState<Place | null>(null);
  const [days, setDays] = useState<(typeof periods)[number]['value']>('30');
  const { marks: figures, ways } = useStepFigures(workflow, Number(days));
  const [painted, setPainted] = useState<Painting | null>(null);
  const painting = isTesting ? painted : null;
  const marks = useMemo(() => joinedMarks(changed, figures), [changed, figures]);
  const { edits, undo, redo } = history;
  const connect = useConnect(edits);
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
      onConnect: (from, outlet, to) => connect({ from, outlet, to }),
      onDisconnect: setCut,
    }),
    [place, selected, chosen, connect, undo, redo],
  );
  const copies = useStepCopies(workflow, edits, select);
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
    <GraphEditsContext value={edits}>
      <div className={bench.bench}>
        <div className={bench.canvas}>
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
            marks={painting?.marks ?? marks}
            ways={painting?.ways ?? ways}
            {...(painting?.crowd && { crowd: painting.crowd })}
            {...(painting?.taken && { taken: painting.taken })}
            selected={step?.id ?? null}
            onSelect={select}
            {...(!isTesting && { editing })}
          />
        </div>
        <div className={bench.side}>
          {isTesting && (
            <SimulationPanel
              workflow={workflow}
              selected={selected}
              onPaint={setPainted}
              onSelect={onSelect}
              onPublish={onPublish}
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
        {cut && <DeleteConnection place={cut} onClose={() => setCut(null)} />}
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
    </GraphEditsContext>
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

type Connection = Pick<Place, 'from' | 'outlet'> & { to: WorkflowStep };

/** Connects two steps. Errors appear as a toast, since there is no form to show them in. */
function useConnect({ put }: GraphEdits): (connection: Connection) => void {
  const announce = useAnnounce();
  const { mutate } = useMutation({
    mutationFn: ({ to, ...place }: Connection) =>
      put('connection', (present) => withConnection(present, place, to.id)),
    onError: (error) => announce(failureOf(error).message, 'note'),
  });
  return useCallback((connection) => mutate(connection), [mutate]);
}

interface DeleteConnectionProps {
  place: Place;
  onClose: () => void;
}

function DeleteConnection({ place: { from, outlet, to }, onClose }: DeleteConnectionProps) {
  const { put } = useGraphEdits();
  const remove = useMutation({
    mutationFn: () =>
      put('deletion of a connection', (present) => withoutConnection(present, outlet.transition?.id)),
    onSuccess: onClose,
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
