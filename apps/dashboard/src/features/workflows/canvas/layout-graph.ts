import { Graph, layout } from '@dagrejs/dagre';
import type { WorkflowStep, WorkflowTransition } from '../../../lib/api.ts';
import { type Outlet, outletsOf } from '../steps/outlets.rules.ts';

/** The layout of a workflow's graph, in pixels of the unscaled canvas. Pure: the same graph always gets the same layout. */

interface Point {
  x: number;
  y: number;
}

export interface PlacedStep {
  step: WorkflowStep;
  /** upper left corner */
  at: Point;
  /** from left to right, in the order of the steps that follow; `x` is relative to the left side of the step */
  outlets: { outlet: Outlet; x: number }[];
}

export interface PlacedEdge {
  id: string;
  from: WorkflowStep;
  outlet: Outlet;
  /** null if no step follows yet */
  to: WorkflowStep | null;
  /** from the outlet to the upper side of the next step or end */
  points: Point[];
  /** middle of the label */
  label: Point;
}

/** The end of an outlet without a transition. */
export interface PlacedEnd {
  id: string;
  from: WorkflowStep;
  outlet: Outlet;
  at: Point;
}

export interface PlacedGraph {
  /** of each step */
  size: Size;
  steps: PlacedStep[];
  edges: PlacedEdge[];
  ends: PlacedEnd[];
}

interface Size {
  width: number;
  height: number;
}

/** A step with its name and its summary; `tall` has a line of figures below them. */
export const stepSizes = { short: { width: 248, height: 60 }, tall: { width: 248, height: 88 } } as const;
export const endSize = { width: 28, height: 28 };
const labelHeight = 30;
const gaps = { nodesep: 36, edgesep: 28, ranksep: 36, marginx: 0, marginy: 0 };
const charWidth = 7;
const labelPadding = 64;

interface LayoutOptions {
  /** whether outlets without a transition get an end, where a step can be added */
  withEnds?: boolean;
  size?: Size;
}

export function layoutGraph(
  steps: readonly WorkflowStep[],
  transitions: readonly WorkflowTransition[],
  { withEnds = false, size = stepSizes.short }: LayoutOptions = {},
): PlacedGraph {
  const graph = new Graph({ multigraph: true });
  graph.setGraph(gaps);
  const byId = new Map(steps.map((step) => [step.id, step]));
  const ways = steps.flatMap((from) =>
    outletsOf(from, transitions).flatMap((outlet) => {
      const to = outlet.transition ? (byId.get(outlet.transition.toStepId) ?? null) : null;
      return to || withEnds
        ? [{ id: outlet.transition?.id ?? `${from.id} ${outlet.key}`, from, outlet, to }]
        : [];
    }),
  );
  for (const { id } of steps) graph.setNode(id, { ...size });
  for (const { id, from, outlet, to } of ways) {
    if (!to) graph.setNode(id, { ...endSize });
    const width = (outlet.label?.length ?? 0) * charWidth + labelPadding;
    graph.setEdge(from.id, to?.id ?? id, { width, height: labelHeight, labelpos: 'c' }, id);
  }
  layout(graph);
  const spots = inReadingOrder(spotsOf(graph, ways), ways);
  const placed = steps.map((step) => placeStep(spots, step, ways, size));
  return {
    size,
    steps: placed,
    edges: ways.map((way) => placeEdge(spots, way, placed, size)),
    ends: ways
      .filter(({ to }) => to === null)
      .map(({ id, from, outlet }) => ({ id, from, outlet, at: corner(spots, id, endSize) })),
  };
}

interface Way {
  id: string;
  from: WorkflowStep;
  outlet: Outlet;
  to: WorkflowStep | null;
}

/** The centres of steps and ends by their id; the centres of labels and the points of lines by the id of their edge. */
interface Spots {
  middles: Map<string, Point>;
  lines: Map<string, { label: Point; points: Point[] }>;
  /** of the whole graph */
  width: number;
}

const nowhere: Point = { x: 0, y: 0 };

function spotsOf(graph: Graph, ways: readonly Way[]): Spots {
  const middles = graph.nodes().map((id): [string, Point] => {
    const { x, y } = graph.node(id) as Point;
    return [id, { x, y }];
  });
  const lines = ways.map(({ id, from, to }): [string, { label: Point; points: Point[] }] => {
    const { x, y, points } = graph.edge(from.id, to?.id ?? id, id) as Point & { points: Point[] };
    return [id, { label: { x, y }, points }];
  });
  return { middles: new Map(middles), lines: new Map(lines), width: graph.graph().width };
}

/** The layout algorithm ignores the order of branches, so the graph is mirrored when most would run from right to left. */
function inReadingOrder({ middles, lines, width }: Spots, ways: readonly Way[]): Spots {
  const xOf = ({ id }: Way) => lines.get(id)?.label.x ?? 0;
  const pairs = ways.flatMap((way, index) =>
    ways.slice(index + 1).flatMap((later) => (later.from.id === way.from.id ? [xOf(later) - xOf(way)] : [])),
  );
  const rightward = pairs.filter((distance) => distance > 0).length;
  if (rightward * 2 >= pairs.length) return { middles, lines, width };
  const mirror = ({ x, y }: Point): Point => ({ x: width - x, y });
  return {
    middles: new Map([...middles].map(([id, point]) => [id, mirror(point)])),
    lines: new Map(
      [...lines].map(([id, { label, points }]) => [id, { label: mirror(label), points: points.map(mirror) }]),
    ),
    width,
  };
}

function corner({ middles }: Spots, id: string, { width, height }: Size): Point {
  const { x, y } = middles.get(id) ?? nowhere;
  return { x: Math.round(x - width / 2), y: Math.round(y - height / 2) };
}

function placeStep(spots: Spots, step: WorkflowStep, ways: readonly Way[], size: Size): PlacedStep {
  const own = ways
    .filter(({ from }) => from.id === step.id)
    .map(({ id, outlet }) => ({ outlet, towards: spots.lines.get(id)?.label.x ?? 0 }))
    .sort((a, b) => a.towards - b.towards);
  const gap = size.width / (own.length + 1);
  return {
    step,
    at: corner(spots, step.id, size),
    outlets: own.map(({ outlet }, index) => ({ outlet, x: Math.round(gap * (index + 1)) })),
  };
}

/** The layout algorithm starts lines at the middle of a side; here they start at their outlet. */
function placeEdge(spots: Spots, way: Way, placed: readonly PlacedStep[], size: Size): PlacedEdge {
  const { label, points } = spots.lines.get(way.id) ?? { label: nowhere, points: [] };
  const from = placed.find(({ step }) => step.id === way.from.id);
  const outlet = from?.outlets.find((each) => each.outlet.key === way.outlet.key);
  const start = from && outlet ? { x: from.at.x + outlet.x, y: from.at.y + size.height } : nowhere;
  const { x, y } = spots.middles.get(way.to?.id ?? way.id) ?? nowhere;
  const end = { x, y: y - (way.to ? size : endSize).height / 2 };
  return { ...way, points: [start, ...points.slice(1, -1), end], label };
}

/** A line through the points that leaves and reaches each of them vertically, as the `d` of an SVG path. */
export function linePath([start, ...others]: readonly Point[]): string {
  if (!start) return '';
  let before = start;
  const parts = others.map((point) => {
    const middle = (before.y + point.y) / 2;
    const part =
      Math.abs(before.x - point.x) < 1
        ? `L ${point.x} ${point.y}`
        : `C ${before.x} ${middle}, ${point.x} ${middle}, ${point.x} ${point.y}`;
    before = point;
    return part;
  });
  return [`M ${start.x} ${start.y}`, ...parts].join(' ');
}

/** The rectangle around all steps and ends. */
export function boundsOf({ size, steps, ends }: Pick<PlacedGraph, 'size' | 'steps' | 'ends'>) {
  const boxes = [
    ...steps.map(({ at }) => ({ ...at, ...size })),
    ...ends.map(({ at }) => ({ ...at, ...endSize })),
  ];
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  };
}
