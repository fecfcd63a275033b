import { useReactFlow, useStoreApi } from '@xyflow/react';
import { useCallback } from 'react';

const margin = 16;
const moveMs = 200;

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const wantsNoMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Moves the canvas so that a box is visible, unless it already is. */
export function useReveal(): (box: Box) => void {
  const flow = useReactFlow();
  const store = useStoreApi();
  return useCallback(
    (box) => {
      const { width, height, transform } = store.getState();
      const [left, top, zoom] = transform;
      const isWithin = (start: number, length: number, room: number) =>
        start >= margin && start + length <= room - margin;
      const isSeen =
        isWithin(box.x * zoom + left, box.width * zoom, width) &&
        isWithin(box.y * zoom + top, box.height * zoom, height);
      if (isSeen) return;
      const duration = wantsNoMotion() ? 0 : moveMs;
      void flow.setCenter(box.x + box.width / 2, box.y + box.height / 2, { zoom, duration });
    },
    [flow, store],
  );
}
