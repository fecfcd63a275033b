import { useState } from 'react';
import type { Workflow } from '../../../lib/api.ts';
import { Button } from '../../../ui/button.tsx';
import { FormActions } from '../../../ui/form.tsx';
import { Segments } from '../../../ui/segments.tsx';
import type { Painting } from '../canvas/graph-context.ts';
import styles from '../steps/step-panel.module.css';
import { ReplayPanel, SamplePanel } from './crowd-panel.tsx';
import { SidePanel } from './side-panel.tsx';
import { TryOne } from './try-one.tsx';

interface SimulationPanelProps {
  workflow: Workflow;
  selected: string | null;
  /** Shows the simulation on the canvas; null: the workflow as it is. */
  onPaint: (painting: Painting | null) => void;
  onSelect: (stepId: string | null) => void;
  /** Asks before the draft is published; null without a draft. */
  onPublish: (() => void) | null;
  onClose: () => void;
}

const modes = [
  { value: 'one', label: 'One contact' },
  { value: 'sample', label: 'Sample' },
  { value: 'replay', label: 'Last days' },
] as const;

/** Shows what the workflow would do, without sending or changing anything. */
export function SimulationPanel({ onPaint, onPublish, onClose, ...view }: SimulationPanelProps) {
  const [mode, setMode] = useState<(typeof modes)[number]['value']>('one');
  return (
    <SidePanel title="Try it" icon="play" onClose={onClose}>
      <p className={styles.intro}>
        Shows what would happen, on the canvas too. Nothing is sent, and nothing changes.
      </p>
      <Segments
        label="Whom"
        options={modes}
        value={mode}
        onChange={(next) => {
          onPaint(null);
          setMode(next);
        }}
      />
      {mode === 'one' && <TryOne {...view} onPaint={onPaint} />}
      {mode === 'sample' && <SamplePanel {...view} onPaint={onPaint} />}
      {mode === 'replay' && <ReplayPanel {...view} onPaint={onPaint} />}
      {onPublish && (
        <FormActions>
          <Button onClick={onPublish}>Publish the draft</Button>
        </FormActions>
      )}
    </SidePanel>
  );
}
