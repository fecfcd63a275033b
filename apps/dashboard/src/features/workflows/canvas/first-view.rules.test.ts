import { describe, expect, it } from 'vitest';
import { firstView, moveInto, zooms } from './first-view.rules.ts';

const room = { width: 800, height: 660 };
const start = { x: 100, y: 0, width: 248, height: 60 };

describe('the first view of a canvas', () => {
  it('shows a whole graph of eight steps in a row', () => {
    const graph = { x: 100, y: 0, width: 248, height: 8 * 60 + 7 * 66 };
    const { x, y, zoom } = firstView(graph, start, room);
    expect(zoom).toBeGreaterThanOrEqual(zooms.readable);
    expect(y).toBeGreaterThan(0);
    expect(y + graph.height * zoom).toBeLessThan(room.height);
    expect(x + (graph.x + graph.width / 2) * zoom).toBe(room.width / 2);
  });

  it('shows the start of a graph that would be unreadable as a whole', () => {
    const graph = { x: -2_000, y: 0, width: 6_000, height: 5_000 };
    const { x, y, zoom } = firstView(graph, start, room);
    expect(zoom).toBe(zooms.readable);
    expect(y).toBeGreaterThan(0);
    expect(x + (start.x + start.width / 2) * zoom).toBe(room.width / 2);
  });

  it('does not enlarge a small graph', () => {
    expect(firstView(start, start, room).zoom).toBe(1);
  });
});

describe('a step that gets the focus', () => {
  it('moves the view by as little as needed', () => {
    const view = [0, 0, 1] as const;
    expect(moveInto({ x: 100, y: 100, width: 248, height: 60 }, view, room)).toEqual({ x: 0, y: 0 });
    expect(moveInto({ x: 100, y: 640, width: 248, height: 60 }, view, room)).toEqual({ x: 0, y: -60 });
    expect(moveInto({ x: -48, y: 100, width: 248, height: 60 }, view, room)).toEqual({ x: 68, y: 0 });
  });

  it('shows the start of a step that is larger than the canvas', () => {
    const { x } = moveInto({ x: 300, y: 100, width: 2_000, height: 60 }, [0, 0, 1], room);
    expect(300 + x).toBe(20);
  });
});
