import { ViewportPortal } from '@xyflow/react';
import { useId } from 'react';
import { formatCount, formatPercent } from '../../../lib/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { outletWords, shareOf, takenBy } from '../steps/outlets.rules.ts';
import { dropProps, type Place, useGraphView } from './graph-context.ts';
import { canInsert } from './graph-edit.rules.ts';
import { linePath, type PlacedEdge } from './layout-graph.ts';
import { useReveal } from './use-reveal.ts';
import styles from './workflow-graph.module.css';

/**
 * The lines from outlets to the next steps. Their positions come from the layout and are not measured, so they are
 * drawn in one SVG instead of as edges of React Flow. Screen readers get the same information at each step.
 */
export function GraphLines({ edges }: { edges: readonly PlacedEdge[] }) {
  const { taken, crowd } = useGraphView();
  const id = useId();
  const isTaken = (edge: PlacedEdge) => taken?.has(edge.id) ?? false;
  const inOrder = [...edges].sort((a, b) => Number(isTaken(a)) - Number(isTaken(b)));
  return (
    <ViewportPortal>
      <svg className={styles.lines} aria-hidden="true">
        <defs>
          <Arrow id={`${id}-plain`} look={styles.arrow} />
          <Arrow id={`${id}-taken`} look={styles.takenArrow} />
        </defs>
        {inOrder.map((edge) => (
          <path
            key={edge.id}
            d={linePath(edge.points)}
            className={[styles.line, edge.to === null && styles.open, isTaken(edge) && styles.taken]
              .filter(Boolean)
              .join(' ')}
            {...(crowd && {
              style: { strokeWidth: thickness(crowd.get(edge.outlet.transition?.id ?? '') ?? 0) },
            })}
            {...(edge.to && { markerEnd: `url(#${id}-${isTaken(edge) ? 'taken' : 'plain'})` })}
          />
        ))}
      </svg>
      {edges.map((edge) => (
        <EdgeLabel key={edge.id} edge={edge} isFaint={taken !== null && !isTaken(edge)} />
      ))}
    </ViewportPortal>
  );
}

const thinnest = 1;
const thickest = 12;

/** As wide as the crowd that goes along the line. */
const thickness = (part: number): number => thinnest + part * (thickest - thinnest);

const Arrow = ({ id, look }: { id: string; look: string | undefined }) => (
  <marker
    id={id}
    markerWidth="9"
    markerHeight="8"
    refX="8"
    refY="4"
    orient="auto"
    markerUnits="userSpaceOnUse"
  >
    <path d="M0 0 9 4 0 8z" className={look} />
  </marker>
);

function EdgeLabel({ edge, isFaint }: { edge: PlacedEdge; isFaint: boolean }) {
  const { editing, ways } = useGraphView();
  const { from, outlet, to, label } = edge;
  const taken = outlet.label === null ? 0 : takenBy(from.id, outlet, ways);
  const canEdit = editing !== null && to !== null;
  if (outlet.label === null && !canEdit) return null;
  return (
    <div
      className={isFaint ? `${styles.label} ${styles.faintLabel}` : styles.label}
      style={{ transform: `translate(-50%, -50%) translate(${label.x}px, ${label.y}px)` }}
    >
      {outlet.label !== null && (
        <span className={styles.outletName}>
          {outlet.label}
          {taken > 0 && (
            <span title="Executions that took this way">{` · ${formatCount(taken)} (${formatPercent(Math.round(shareOf(from.id, outlet, ways)))})`}</span>
          )}
        </span>
      )}
      {canEdit && <EdgeTools edge={edge} to={to} />}
    </div>
  );
}

function EdgeTools({ edge, to }: { edge: PlacedEdge; to: NonNullable<PlacedEdge['to']> }) {
  const { editing } = useGraphView();
  const reveal = useReveal();
  const { id, from, outlet, label } = edge;
  const place: Place = { id, from, outlet, to, at: { x: Math.round(label.x), y: Math.round(label.y) } };
  const between = `${outletWords(from.name, outlet)} and “${to.name}”`;
  const isActive = editing?.adding === id;
  const add = () => editing?.onAdd(place);
  const canDrop = editing?.chosen ? canInsert(editing.chosen, place) : false;
  const show = ({ target }: { target: Element }) => {
    if (target.matches(':focus-visible')) reveal({ ...label, width: 0, height: 0 });
  };
  return (
    <>
      <button
        type="button"
        className={[styles.tool, isActive && styles.active, canDrop && styles.wanted]
          .filter(Boolean)
          .join(' ')}
        aria-label={`Insert a step between ${between}`}
        aria-pressed={isActive}
        onClick={add}
        {...(canDrop && dropProps(editing, add))}
        onFocus={show}
      >
        <Icon name="plus" size={12} />
      </button>
      <button
        type="button"
        className={`${styles.tool} ${styles.cut}`}
        aria-label={`Delete the connection between ${between}`}
        onClick={() => editing?.onDisconnect(place)}
        onFocus={show}
      >
        <Icon name="cross" size={12} />
      </button>
    </>
  );
}
