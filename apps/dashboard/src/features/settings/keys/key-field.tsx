import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import styles from './key-field.module.css';

interface KeyFieldProps {
  label: string;
  hint: string;
  value: string;
  /** Hidden until revealed: it gives full access to the project. */
  isSecret?: boolean;
}

/** The first and last characters of a key, enough to recognize it. */
export const maskKey = (key: string): string => `${key.slice(0, 7)}${'•'.repeat(12)}${key.slice(-4)}`;

export function KeyField({ label, hint, value, isSecret }: KeyFieldProps) {
  const [shown, setShown] = useState(!isSecret);
  return (
    <div className={styles.key}>
      <div className={styles.words}>
        <h3>{label}</h3>
        <p>{hint}</p>
      </div>
      <code className={styles.value} data-testid={isSecret ? 'secret-key' : 'public-key'}>
        {shown ? value : maskKey(value)}
      </code>
      <div className={styles.actions}>
        {isSecret && (
          <Button kind="quiet" small icon="eye" aria-pressed={shown} onClick={() => setShown(!shown)}>
            {shown ? 'Hide' : 'Reveal'}
          </Button>
        )}
        <CopyButton text={value} label={label} />
      </div>
    </div>
  );
}
