import { Check, CircleQuestionMark, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { type Failure, failureOf, isFinal, isMissing } from '../lib/failure.ts';

import styles from './notice.module.css';
import { PlainButton } from './plain-button.tsx';
import { Shape } from './shape.tsx';

type Tone = 'bad' | 'warn' | 'good' | 'busy';

const shapes: Record<Tone, LucideIcon> = {
  bad: TriangleAlert,
  warn: TriangleAlert,
  good: Check,
  busy: CircleQuestionMark,
};

interface NoticeProps {
  tone: Tone;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
}

/** Information that the reader needs before continuing. */
export function Notice({ tone, title, children, action }: NoticeProps) {
  return (
    <div className={`${styles.notice} ${styles[tone]}`} role={tone === 'bad' ? 'alert' : 'note'}>
      <Shape of={shapes[tone]} />
      <div className={styles.text}>
        <strong>{title}</strong>
        {children}
      </div>
      {action}
    </div>
  );
}

/** Shows an error with the server's message. */
export function FailureNotice({ failure, action }: { failure: Failure; action?: ReactNode }) {
  return (
    <Notice tone="bad" title={failure.message} action={action}>
      {failure.suggestion && <p>{failure.suggestion}</p>}
      {failure.requestId && failure.code === 'INTERNAL_SERVER_ERROR' && (
        <p>
          Request ID: <code>{failure.requestId}</code>
        </p>
      )}
    </Notice>
  );
}

/** Shown in place of content that could not be loaded. It offers another try only where that can help. */
export function LoadFailure({ error, retry }: { error: unknown; retry: () => unknown }) {
  const failure = failureOf(error);
  if (isMissing(failure)) {
    return (
      <Notice tone="bad" title="Nothing was found at this address">
        <p>It may have been deleted, or the address is incomplete.</p>
      </Notice>
    );
  }
  return (
    <FailureNotice
      failure={failure}
      action={
        !isFinal(error) && (
          <PlainButton small onClick={() => void retry()}>
            Try again
          </PlainButton>
        )
      }
    />
  );
}
