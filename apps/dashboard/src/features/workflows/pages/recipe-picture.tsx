import type { Recipe } from '@postrider/core/automation/workflows/contract';
import { Icon } from '../../../ui/icon.tsx';
import { stepView } from '../steps/step-views.ts';
import styles from './recipe-gallery.module.css';
import { pictureOf } from './recipe-picture.rules.ts';

const size = 26;
const gap = { x: 46, y: 40 };

/** A picture of the steps of a recipe; its description says the same in words. */
export function RecipePicture({ recipe }: { recipe: Recipe }) {
  const steps = pictureOf(recipe);
  const columns = Math.max(...steps.map(({ column }) => Math.abs(column)));
  const width = 2 * columns * gap.x + size;
  const height = Math.max(...steps.map(({ row }) => row)) * gap.y + size;
  const places = new Map(
    steps.map(({ key, row, column }) => [key, { x: (column + columns) * gap.x, y: row * gap.y }]),
  );
  return (
    <span className={styles.picture} style={{ width, height }} aria-hidden="true">
      <svg width={width} height={height} aria-hidden="true">
        {recipe.transitions.map(({ from, to, branch, waitOutcome }) => (
          <path key={`${from} ${to} ${branch} ${waitOutcome}`} d={lineOf(places.get(from), places.get(to))} />
        ))}
      </svg>
      {steps.map(({ key, type }) => (
        <span
          key={key}
          className={styles.step}
          data-type={type}
          style={{ left: places.get(key)?.x, top: places.get(key)?.y }}
        >
          <Icon name={stepView(type).icon} size={14} />
        </span>
      ))}
    </span>
  );
}

interface Point {
  x: number;
  y: number;
}

function lineOf(from: Point | undefined, to: Point | undefined): string {
  if (!from || !to) return '';
  const [x1, y1, x2, y2] = [from.x + size / 2, from.y + size, to.x + size / 2, to.y];
  const middle = y1 + (gap.y - size) / 2;
  // A line past other steps goes aside at once, so that it does not run below them.
  if (to.y - from.y > gap.y && x1 !== x2) {
    const below = y1 + gap.y - size;
    return `M ${x1} ${y1} C ${x1} ${middle + 6}, ${x2} ${middle - 6}, ${x2} ${below} V ${y2}`;
  }
  return `M ${x1} ${y1} C ${x1} ${middle + 6}, ${x2} ${middle - 6}, ${x2} ${y2}`;
}
