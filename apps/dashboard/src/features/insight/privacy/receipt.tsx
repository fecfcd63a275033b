import type { Erasure } from '../../../lib/api.ts';
import { formatCount, plural } from '../../../lib/format.ts';
import { Fact, Facts } from '../../../ui/facts.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import styles from '../../../ui/split.module.css';
import { Moment } from '../../../ui/time.tsx';
import { recordName } from './words.rules.ts';

/** What was removed about a person, what stays and why. */
export function Receipt({ erasure }: { erasure: Erasure }) {
  const { status, removed, kept, remaining, actor, reason, requestedAt, completedAt, addressHash } = erasure;
  const records = Object.entries(removed);
  return (
    <>
      {status === 'RUNNING' && (
        <Notice tone="busy" title="Not completed yet">
          <p>
            Nothing of the person is shown any more.{' '}
            {remaining === 0
              ? 'The address is still searched for, which takes some minutes.'
              : `${plural(remaining, 'record')} left. They are removed within 8 days: on their own, or once no other recipient can share them.`}
          </p>
        </Notice>
      )}
      <div className={styles.columns}>
        <div className={styles.side}>
          <Panel title="Removed">
            {records.length === 0 ? (
              <p>Nothing was stored, or nothing has been found yet.</p>
            ) : (
              <Facts>
                {records.map(([record, count]) => (
                  <Fact key={record} name={recordName(record)}>
                    {formatCount(count)}
                  </Fact>
                ))}
              </Facts>
            )}
          </Panel>
          {kept.length > 0 && (
            <Panel title="Kept">
              <Facts>
                {kept.map(({ record, why }) => (
                  <Fact key={record} name={recordName(record)}>
                    {why}
                  </Fact>
                ))}
              </Facts>
            </Panel>
          )}
        </div>
        <div className={styles.side}>
          <Panel title="Details">
            <Facts>
              <Fact name="Asked for by">{actor.label}</Fact>
              {reason !== null && <Fact name="Reason">{reason}</Fact>}
              <Fact name="Asked for">
                <Moment at={requestedAt} />
              </Fact>
              {completedAt !== null && (
                <Fact name="Completed">
                  <Moment at={completedAt} />
                </Fact>
              )}
              <Fact name="Keyed hash" code>
                {addressHash}
              </Fact>
            </Facts>
          </Panel>
        </div>
      </div>
    </>
  );
}
