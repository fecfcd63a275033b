import { getViewportForBounds, Panel, useReactFlow, useStoreApi } from '@xyflow/react';
import { Button } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import styles from './workflow-graph.module.css';

/** The share of the canvas left free on each side. */
const padding = 0.08;

/** Zoom controls of the canvas. */
export function GraphControls() {
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
    </Panel>
  );
}

const Control = ({ label, icon, onClick }: { label: string; icon: IconName; onClick: () => void }) => (
  <Button small aria-label={label} title={label} onClick={onClick}>
    <Icon name={icon} size={14} />
  </Button>
);
