import { getViewportForBounds, Panel, useReactFlow, useStoreApi } from '@xyflow/react';
import { Button } from '../../../ui/button.tsx';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { useGraphView } from './graph-context.ts';
import styles from './workflow-graph.module.css';

/** The share of the canvas left free on each side. */
const padding = 0.08;

/** Zoom controls of the canvas, and those that undo and redo changes of it. */
export function GraphControls() {
  const { editing } = useGraphView();
  const flow = useReactFlow();
  const store = useStoreApi();
  // React Flow's `fitView` waits for the nodes to change, which here happens only with a new layout.
  const showAll = () => {
    const { width, height, minZoom } = store.getState();
    const bounds = flow.getNodesBounds(flow.getNodes());
    void flow.setViewport(getViewportForBounds(bounds, width, height, minZoom, 1, padding));
  };
  return (
    <Panel position="bottom-left" className={styles.controls ?? ''}>
      <Control label="Zoom in" icon="plus" onClick={() => void flow.zoomIn()} />
      <Control label="Zoom out" icon="minus" onClick={() => void flow.zoomOut()} />
      <Control label="Fit view" icon="whole" onClick={showAll} />
      {editing && (
        <>
          <Control label="Undo" icon="undo" keys="Z" onClick={editing.undo} />
          <Control label="Redo" icon="redo" keys="Shift+Z" onClick={editing.redo} />
        </>
      )}
    </Panel>
  );
}

interface ControlProps {
  label: string;
  icon: IconName;
  /** of the keyboard shortcut, besides Ctrl or ⌘ */
  keys?: string;
  /** null: not possible now */
  onClick: (() => void) | null;
}

const Control = ({ label, icon, keys, onClick }: ControlProps) => (
  <Button
    small
    aria-label={label}
    title={keys ? `${label} (${commandKey}+${keys})` : label}
    disabled={onClick === null}
    onClick={() => onClick?.()}
  >
    <Icon name={icon} size={14} />
  </Button>
);

const commandKey = /Mac|iP(hone|ad)/.test(navigator.platform) ? '⌘' : 'Ctrl';
