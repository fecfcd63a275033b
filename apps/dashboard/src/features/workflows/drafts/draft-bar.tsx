import { Link } from 'react-router';
import type { Workflow } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Segments } from '../../../ui/segments.tsx';
import { Ago } from '../../../ui/time.tsx';
import type { ChangeRow } from '../publish/changes.rules.ts';
import { DiscardDraft } from './discard-draft.tsx';
import styles from './draft-bar.module.css';

export type Shown = 'draft' | 'live';

interface DraftBarProps {
  live: Workflow;
  /** its draft if there is one, else the live definition */
  edited: Workflow;
  /** what the draft changes */
  changes: readonly ChangeRow[];
  shown: Shown;
  onShow: (shown: Shown) => void;
  onPublish: () => void;
}

const views = [
  { value: 'draft', label: 'Draft' },
  { value: 'live', label: 'Live' },
] as const;

/** Which version is live, and what the draft beside it changes. A workflow that was never enabled has neither. */
export function DraftBar({ live, edited, changes, shown, onShow, onPublish }: DraftBarProps) {
  const to = useProjectPath();
  const { version, draft, enabled, id } = live;
  if (version === null) return null;
  return (
    <section className={styles.bar} aria-label="Draft and live version">
      <p className={styles.state}>
        <span className={styles.dot} data-state={enabled ? 'live' : 'off'} aria-hidden="true" />
        <span>
          {enabled ? 'Live: ' : 'Not enabled: '}
          <Link to={to(`workflows/${id}/versions/${version}`)}>version {version}</Link>
        </span>
      </p>
      {draft ? (
        <p className={styles.state}>
          <span className={styles.dot} data-state="draft" aria-hidden="true" />
          <span>
            <strong>Draft: {changes.length === 0 ? 'no changes' : plural(changes.length, 'change')}</strong>
            <span className={styles.faint}>
              {draft.author && ` · ${draft.author.label}`} · <Ago at={draft.updatedAt} />
            </span>
          </span>
        </p>
      ) : (
        <p className={styles.faint}>Changes are kept in a draft until you publish them.</p>
      )}
      {draft && (
        <div className={styles.actions}>
          <Segments label="Shown on the canvas" options={views} value={shown} onChange={onShow} />
          <DiscardDraft live={live} edited={edited} changes={changes} />
          <Button kind="primary" small onClick={onPublish}>
            Publish
          </Button>
        </div>
      )}
    </section>
  );
}
