interface Size {
  width: number;
  height: number;
}

interface Box extends Size {
  x: number;
  y: number;
}

/** Zooms: the least and most that can be chosen, and the least at which a canvas opens, where names are still readable. */
export const zooms = { least: 0.25, most: 1.25, readable: 0.55, readableOnPhone: 0.7 };
/** A canvas that is narrower is held close to the eyes, and shows less at once. */
const phoneWidth = 480;
const padding = 24;
/** Space above a graph that is lower than the canvas. */
const mostAbove = 56;

/**
 * The view in which a canvas opens: the whole graph, unless its steps would then be unreadable; in this case its start,
 * at the least readable zoom.
 *
 * @param graph the rectangle around the graph
 * @param start the TRIGGER step
 */
export function firstView(graph: Box, start: Box, room: Size): { x: number; y: number; zoom: number } {
  const fitting = Math.min(
    1,
    (room.width - 2 * padding) / graph.width,
    (room.height - 2 * padding) / graph.height,
  );
  const zoom = Math.max(room.width < phoneWidth ? zooms.readableOnPhone : zooms.readable, fitting);
  const isWhole = graph.width * zoom <= room.width;
  const middle = isWhole ? graph.x + graph.width / 2 : start.x + start.width / 2;
  const free = (room.height - graph.height * zoom) / 2;
  const above = Math.max(padding, Math.min(free, mostAbove));
  return { x: room.width / 2 - middle * zoom, y: above - graph.y * zoom, zoom };
}

/** How far a view has to move so that a box is visible, by the shortest way; zero if it already is. */
export function moveInto(
  box: Box,
  [left, top, zoom]: readonly [number, number, number],
  room: Size,
): { x: number; y: number } {
  return {
    x: shift(box.x * zoom + left, box.width * zoom, room.width),
    y: shift(box.y * zoom + top, box.height * zoom, room.height),
  };
}

const margin = 20;

function shift(start: number, length: number, room: number): number {
  if (start < margin) return margin - start;
  const over = start + length - (room - margin);
  // The start of what does not fit stays visible.
  return over > 0 ? -Math.min(over, start - margin) : 0;
}
