import { stepDefinitions } from '@postrider/core/automation/workflows/contract';
import { type ReactNode, useState } from 'react';
import type { WorkflowDefinition } from '../../../lib/api.ts';
import { usePhone } from '../../../lib/use-media.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { Segments } from '../../../ui/segments.tsx';
import type { StepMark } from '../canvas/graph-context.ts';
import { WorkflowGraph } from '../canvas/workflow-graph.tsx';
import bench from '../panels/bench.module.css';
import { SidePanel } from '../panels/side-panel.tsx';
import { StepFacts } from '../panels/step-facts.tsx';
import type { Way } from '../steps/outlets.rules.ts';
import step from '../steps/step-panel.module.css';
import { stepView } from '../steps/step-views.ts';
import { StepList } from './step-list.tsx';
import styles from './workflow-viewer.module.css';

interface WorkflowViewerProps {
  workflow: WorkflowDefinition;
  /** The accessible name. */
  label: string;
  marks: Readonly<Record<string, readonly StepMark[]>>;
  ways?: readonly Way[];
  /** Over the canvas, on its right. */
  corner?: ReactNode;
  /** Beside the canvas while no step is selected: why nothing can be changed here. */
  children: ReactNode;
}

const forms = [
  { value: 'canvas', label: 'Canvas' },
  { value: 'list', label: 'List' },
] as const;

/** A workflow that can be looked at and not changed: as a canvas, or as a list of its steps. */
export function WorkflowViewer({ workflow, label, marks, ways, corner, children }: WorkflowViewerProps) {
  const isPhone = usePhone();
  const [form, setForm] = useState<'canvas' | 'list'>('canvas');
  const [selected, setSelected] = useState<string | null>(null);
  const shown = workflow.steps.find(({ id }) => id === selected);
  return (
    <div className={bench.bench}>
      <div className={form === 'list' ? styles.rows : `${bench.canvas} ${styles.view}`}>
        <div className={styles.top}>
          <Segments label="Shown as" options={forms} value={form} onChange={setForm} />
          {corner}
        </div>
        {form === 'list' ? (
          <StepList workflow={workflow} label={label} marks={marks} onSelect={setSelected} />
        ) : (
          <WorkflowGraph
            workflow={workflow}
            label={label}
            marks={marks}
            {...(ways && { ways })}
            selected={selected}
            onSelect={setSelected}
          />
        )}
      </div>
      {isPhone ? (
        shown && (
          <Dialog title={shown.name} onClose={() => setSelected(null)}>
            <p className={step.intro}>{stepDefinitions[shown.type].label}</p>
            <StepFacts key={shown.id} workflow={workflow} step={shown} />
            <DialogActions>
              <Button onClick={() => setSelected(null)}>Close</Button>
            </DialogActions>
          </Dialog>
        )
      ) : (
        <div className={bench.side}>
          {shown ? (
            <SidePanel
              key={shown.id}
              title={stepDefinitions[shown.type].label}
              icon={stepView(shown.type).icon}
              onClose={() => setSelected(null)}
            >
              <StepFacts workflow={workflow} step={shown} />
            </SidePanel>
          ) : (
            <div className={styles.hint}>{children}</div>
          )}
        </div>
      )}
    </div>
  );
}
