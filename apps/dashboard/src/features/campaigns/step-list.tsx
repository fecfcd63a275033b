import type { ReactNode } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { Panel } from '../../ui/panel.tsx';
import styles from './step-list.module.css';
import { type Missing, type StepName, stepNames } from './steps.rules.ts';

const labels: Readonly<Record<StepName, string>> = {
  audience: 'Audience',
  content: 'Content',
  review: 'Review',
};

const idOf = (step: StepName): string => `step-${step}`;

/** The steps of the composer with what each still needs. Each goes to its section. */
export function StepList({ missing }: { missing: readonly Missing[] }) {
  return (
    <nav aria-label="Steps" className={styles.steps}>
      <ol>
        {stepNames.map((step, index) => {
          const open = missing.find((each) => step === 'review' || each.step === step);
          return (
            <li key={step}>
              <button type="button" onClick={() => goTo(step)} data-complete={open ? undefined : ''}>
                <span className={styles.mark} aria-hidden="true">
                  {open ? index + 1 : <Icon name="check" size={13} />}
                </span>
                {labels[step]}
                <span className={step === 'review' || !open ? 'visually-hidden' : styles.missing}>
                  {open ? open.text : 'Complete'}
                </span>
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

function goTo(step: StepName): void {
  const section = document.getElementById(idOf(step));
  section?.focus({ preventScroll: true });
  section?.scrollIntoView({ block: 'start' });
}

/** One step of the composer. */
export const StepSection = ({ step, children }: { step: StepName; children: ReactNode }) => (
  <div id={idOf(step)} data-step={step} tabIndex={-1} className={styles.section}>
    <Panel title={labels[step]}>
      <div className={styles.fields}>{children}</div>
    </Panel>
  </div>
);
