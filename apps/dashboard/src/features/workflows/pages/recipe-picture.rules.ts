import type { Recipe } from '@postrider/core/automation/workflows/contract';

type Shape = Pick<Recipe, 'steps' | 'transitions'>;

export interface PicturedStep {
  key: string;
  type: Recipe['steps'][number]['type'] | 'TRIGGER';
  /** row, from 0 */
  row: number;
  /** distance from the middle, in columns */
  column: number;
}

/** A small picture of a recipe: each step is one row below the last step that leads to it. */
export function pictureOf({ steps, transitions }: Shape): PicturedStep[] {
  const rows = new Map<string, number>([['trigger', 0]]);
  const rowOf = (key: string): number => {
    const known = rows.get(key);
    if (known !== undefined) return known;
    const above = transitions.filter(({ to }) => to === key).map(({ from }) => rowOf(from));
    const row = Math.max(-1, ...above) + 1;
    rows.set(key, row);
    return row;
  };
  const all = [{ key: 'trigger', type: 'TRIGGER' as const }, ...steps].map(({ key, type }) => ({
    key,
    type,
    row: rowOf(key),
  }));
  return all.map((step) => {
    const beside = all.filter(({ row }) => row === step.row);
    return { ...step, column: beside.indexOf(step) - (beside.length - 1) / 2 };
  });
}
