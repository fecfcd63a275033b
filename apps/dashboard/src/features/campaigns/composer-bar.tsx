import { useEffect, useRef } from 'react';
import type { Campaign } from '../../lib/api.ts';
import { formatMinute } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import styles from './composer-bar.module.css';
import type { ComposerAction } from './composer-dialog.tsx';
import { useUnscheduleCampaign } from './unschedule-campaign.tsx';
import type { ComposerState } from './use-composer.ts';

interface ComposerBarProps {
  /** The page has just been opened by a button of the bar, which has gone with the page before. */
  takesFocus: boolean;
  composer: ComposerState;
  /** Whether nothing is missing. */
  isReady: boolean;
  onAction: (action: ComposerAction) => void;
}

/** What is saved, and the actions of the composer. It stays at the end of the window. */
export function ComposerBar({ takesFocus, composer, isReady, onAction }: ComposerBarProps) {
  const bar = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it opens
  useEffect(() => {
    if (takesFocus) bar.current?.focus({ preventScroll: true });
  }, []);
  const { known, isSaving, isUnsaved, problem, newer } = composer;
  const isScheduled = known?.status === 'SCHEDULED';
  return (
    <section ref={bar} tabIndex={-1} className={styles.bar} aria-label="Campaign actions">
      <div className={styles.state}>
        <p role="status">
          {stateOf(composer)}
          {isScheduled && known.scheduledFor && (
            <span className={styles.schedule}>
              <Icon name="clock" size={13} /> {formatMinute(known.scheduledFor)}
            </span>
          )}
        </p>
        {problem && isUnsaved && problem.code !== 'UNREACHABLE' && (
          <Button kind="quiet" small onClick={composer.showProblem}>
            Show problem
          </Button>
        )}
      </div>
      <div className={styles.actions}>
        <Button type="submit" pending={isSaving} disabled={newer !== null || (!isUnsaved && known !== null)}>
          {isScheduled ? 'Save' : 'Save draft'}
        </Button>
        <Button icon="eye" onClick={() => onAction('preview')}>
          Preview
        </Button>
        <Button icon="mail" onClick={() => onAction('test')}>
          Send test
        </Button>
        <Button icon="clock" disabled={!isReady} onClick={() => onAction('schedule')}>
          {isScheduled ? 'Change time' : 'Schedule'}
        </Button>
        {isScheduled && <UnscheduleButton campaign={known} onUnscheduled={composer.follow} />}
        <Button kind="primary" icon="send" disabled={!isReady} onClick={() => onAction('send')}>
          Send now
        </Button>
      </div>
    </section>
  );
}

function stateOf({ known, isSaving, isUnsaved, problem, newer }: ComposerState): string {
  if (newer) return 'Not saved: a newer version exists';
  if (isSaving) return 'Saving …';
  if (problem && isUnsaved) return `Not saved: ${problem.message}`;
  if (isUnsaved) return 'Unsaved changes';
  return known ? 'Saved' : 'Not saved yet';
}

interface UnscheduleButtonProps {
  campaign: Campaign;
  onUnscheduled: (campaign: Campaign) => void;
}

/** Makes the campaign a draft again; what is written and not saved stays. */
function UnscheduleButton({ campaign, onUnscheduled }: UnscheduleButtonProps) {
  const { label, icon, pending, run } = useUnscheduleCampaign(campaign, onUnscheduled);
  return (
    <Button icon={icon} pending={pending} onClick={run}>
      {label}
    </Button>
  );
}
