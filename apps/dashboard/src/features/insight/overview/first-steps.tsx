import { useState } from 'react';
import { Link } from 'react-router';
import type { Overview } from '../../../lib/api.ts';
import { useProject, useProjectPath } from '../../../lib/current.ts';
import { readPreference, writePreference } from '../../../lib/storage.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { ConfirmAddress } from './confirm-address.tsx';
import { FirstEmail } from './first-email.tsx';
import styles from './first-steps.module.css';
import { type FirstStep, firstSteps } from './first-steps.rules.ts';

/** The first steps with their state, the next one with what it needs. It is gone once all are done or it is hidden. */
export function FirstSteps({ overview }: { overview: Overview }) {
  const project = useProject();
  const preference = `first-steps.${project.id}`;
  const [isHidden, setHidden] = useState(() => readPreference(preference) === 'hidden');
  const steps = firstSteps(overview, project);
  const [chosen, setChosen] = useState<FirstStep['name'] | null>(null);
  const next = steps.find(({ done }) => !done);
  const open = steps.find(({ name }) => name === chosen) ?? next;
  if (isHidden || !next || !open) return null;
  const count = steps.filter(({ done }) => done).length;
  return (
    <Panel
      title="Get started"
      aside={
        <span className={styles.aside}>
          {count} of {steps.length} done
          <Button
            kind="quiet"
            small
            icon="cross"
            onClick={() => {
              writePreference(preference, 'hidden');
              setHidden(true);
            }}
          >
            Hide
          </Button>
        </span>
      }
    >
      <div className={styles.columns}>
        <ol className={styles.list}>
          {steps.map((step) => (
            <li key={step.name}>
              <button
                type="button"
                className={styles.step}
                data-done={step.done || undefined}
                aria-current={step === open ? 'step' : undefined}
                onClick={() => setChosen(step.name)}
              >
                <span className={styles.mark}>{step.done && <Icon name="check" size={12} />}</span>
                {step.title}
                <span className="visually-hidden">{step.done ? ' (done)' : ' (to do)'}</span>
              </button>
            </li>
          ))}
        </ol>
        <Details key={open.name} step={open} onStart={() => setChosen(open.name)} />
      </div>
    </Panel>
  );
}

interface DetailsProps {
  step: FirstStep;
  /** The step has begun: it stays in sight when it is done. */
  onStart: () => void;
}

function Details({ step: { name, title, text, page, action, done }, onStart }: DetailsProps) {
  const to = useProjectPath();
  return (
    <div className={styles.details}>
      <h3>{title}</h3>
      <p>{text}</p>
      {name === 'email' ? (
        <FirstEmail onSend={onStart} />
      ) : name === 'address' ? (
        <ConfirmAddress action={action} done={done} />
      ) : done ? (
        <Link to={to(page)}>{action}</Link>
      ) : (
        <ButtonLink kind="primary" to={to(page)}>
          {action}
        </ButtonLink>
      )}
    </div>
  );
}
