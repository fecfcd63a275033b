import { useReactFlow, useStoreApi } from '@xyflow/react';
import { useCallback } from 'react';
import { moveInto } from './first-view.rules.ts';

const moveMs = 200;

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const wantsNoMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Moves the canvas by as little as needed to make a box visible. */
export function useReveal(): (box: Box) => void {
  const flow = useReactFlow();
  const store = useStoreApi();
  return useCallback(
    (box) => {
      const { width, height, transform } = store.getState();
      const [left, top, zoom] = transform;
      const { x, y } = moveInto(box, transform, { width, height });
      if (x === 0 && y === 0) return;
      const duration = wantsNoMotion() ? 0 : moveMs;
      void flow.setViewport({ x: left + x, y: top + y, zoom }, { duration });
    },
    [flow, store],
  );
}
