import { stepDefinitions, stepTypes } from '@postrider/core/automation/workflows/contract';
import { useId } from 'react';
import { Icon } from '../../../ui/icon.tsx';
import { stepView } from '../steps/step-views.ts';
import type { StepChoice } from './graph-context.ts';
import styles from './step-palette.module.css';

interface StepPaletteProps {
  /** The type to add, once a place is chosen. */
  chosen: StepChoice | null;
  onChoose: (type: StepChoice | null) => void;
}

const types = stepTypes.filter((type): type is StepChoice => type !== 'TRIGGER');

/** The types of steps, to drag to a plus sign of the canvas, or to choose before one is pressed. */
export function StepPalette({ chosen, onChoose }: StepPaletteProps) {
  const id = useId();
  return (
    <section className={styles.palette} aria-labelledby={id}>
      <h2 id={id}>Steps</h2>
      <ul className={styles.types}>
        {types.map((type) => (
          <li key={type}>
            <button
              type="button"
              className={styles.type}
              draggable
              aria-pressed={type === chosen}
              title={stepView(type).does}
              onClick={() => onChoose(type === chosen ? null : type)}
              onDragStart={({ dataTransfer }) => {
                dataTransfer.setData('text/plain', stepDefinitions[type].label);
                dataTransfer.effectAllowed = 'copy';
                onChoose(type);
              }}
              onDragEnd={() => onChoose(null)}
            >
              <span className={styles.icon} data-type={type}>
                <Icon name={stepView(type).icon} size={14} />
              </span>
              {stepDefinitions[type].label}
            </button>
          </li>
        ))}
      </ul>
      <p className={styles.hint} role="status">
        {chosen
          ? `Choose a plus sign on the canvas for the new step.`
          : 'Drag a step to a plus sign, or choose it and then a plus sign.'}
      </p>
    </section>
  );
}
