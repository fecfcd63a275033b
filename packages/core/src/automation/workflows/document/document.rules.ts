import type { Filter, FilterTree } from '../../../audience/segments/filters.rules.ts';
import { canonicalJson } from '../../../base/lib/canonical-json.rules.ts';
import type { ExitRule } from '../definitions/ends.rules.ts';

/** A definition as a document: by names instead of ids, so that it can be kept beside code and brought into another project (behaviour B14.4). */

export const documentFormat = 'postrider-workflow/1';

export interface DocumentPosition {
  x: number;
  y: number;
}

export interface DocumentStep {
  key: string;
  type: string;
  /** absent where it is the key */
  name?: string | undefined;
  config: Record<string, unknown>;
  /** `template:<alias>` */
  template?: string | undefined;
  position?: DocumentPosition | undefined;
}

export interface DocumentTransition {
  from: string;
  to: string;
  branch?: string | undefined;
  outcome?: 'EVENT' | 'TIMEOUT' | undefined;
  priority?: number | undefined;
}

export interface DocumentGoal {
  /** `goal:<name>` */
  goal: string;
  /** absent: it is only measured */
  effect?: string | undefined;
  toStepKey?: string | undefined;
}

export interface WorkflowDocument {
  format: typeof documentFormat;
  name: string;
  description?: string | undefined;
  /** its type and configuration; the name and the position of the TRIGGER step where they are not the usual ones */
  trigger: Record<string, unknown> & { type: string };
  allowReentry?: boolean | undefined;
  alias?: string | undefined;
  /** the rules that it has; references in the filter are names */
  entry?: Record<string, unknown> | undefined;
  timeZone?: string | undefined;
  goals?: DocumentGoal[] | undefined;
  exits?: ExitRule[] | undefined;
  steps: DocumentStep[];
  transitions: DocumentTransition[];
}

/** The order of ways out of a step that says nothing of how they are evaluated: they exclude each other. */
const wayOf = ({ branch, outcome }: DocumentTransition): string => branch ?? outcome ?? '';

/**
 * The same document in the order in which it is walked through: from the trigger, each step before those that follow it, so that equal
 * definitions have equal documents.
 */
export function inOrder(document: WorkflowDocument): WorkflowDocument {
  const byKey = new Map(document.steps.map((step) => [step.key, step]));
  const outgoing = Map.groupBy(document.transitions, ({ from }) => from);
  for (const ways of outgoing.values())
    ways.sort((a, b) =>
      wayOf(a) < wayOf(b) ? -1 : wayOf(a) > wayOf(b) ? 1 : (a.priority ?? 0) - (b.priority ?? 0),
    );
  const steps: DocumentStep[] = [];
  const transitions: DocumentTransition[] = [];
  const seen = new Set<string>();
  const walk = (start: string): void => {
    const open = [{ key: start, ways: outgoing.get(start) ?? [], next: 0 }];
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const way = top.ways[top.next];
      top.next += 1;
      if (way === undefined) {
        open.pop();
        continue;
      }
      transitions.push(way);
      const step = byKey.get(way.to);
      if (!step || seen.has(step.key)) continue;
      seen.add(step.key);
      steps.push(step);
      open.push({ key: step.key, ways: outgoing.get(step.key) ?? [], next: 0 });
    }
  };
  walk('trigger');
  for (;;) {
    const left = document.steps.filter(({ key }) => !seen.has(key));
    const led = new Set(
      document.transitions.filter(({ from }) => !seen.has(from) && from !== 'trigger').map(({ to }) => to),
    );
    const root = left.find(({ key }) => !led.has(key)) ?? left[0];
    if (!root) return { ...document, steps, transitions };
    seen.add(root.key);
    steps.push(root);
    walk(root.key);
  }
}

/** A tree with other names of its segments. */
export function withSegments(tree: FilterTree, nameOf: (field: string) => string): FilterTree {
  const renamed = (filter: Filter): Filter => ({ ...filter, field: nameOf(filter.field) });
  return {
    ...tree,
    groups: tree.groups.map(({ filters, conditions, ...group }) => ({
      ...group,
      filters: filters.map(renamed),
      ...(conditions ? { conditions: withSegments(conditions, nameOf) } : {}),
    })),
  };
}

/** The text of a document: its keys in order, absent ones left out. */
export const documentText = (document: WorkflowDocument): string =>
  `${JSON.stringify(JSON.parse(canonicalJson(document)), null, 2)}\n`;
