import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { type ActivityItem, useApi } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { formatClock, formatCount, formatDate } from '../../../lib/format.ts';
import { keysOf } from '../../../lib/keys-of.ts';
import { Fold } from '../../../ui/fold.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { LoadMore } from '../../../ui/list-end.tsx';
import { LoadFailure } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { Filter } from '../../../ui/toolbar.tsx';
import { WhyButton } from '../../common/explain/why-dialog.tsx';
import { aboutAll } from '../activity/groups.rules.ts';
import { dataInWords } from '../events/data-in-words.rules.ts';
import { EventFacts } from '../events/event-facts.tsx';
import styles from './contact-timeline.module.css';
import {
  byDay,
  dataOfItem,
  inWords,
  lookOf,
  runsOf,
  type TimelineKind,
  timelineKinds,
  unsentEmail,
} from './contact-timeline.rules.ts';

const kinds = keysOf(timelineKinds).map((value) => ({ value, label: timelineKinds[value].label }));
const pageSize = 20;
/** Before any contact: without a beginning, the feed has only the last 30 days. */
const beginning = '2000-01-01T00:00:00.000Z';

/** Everything that happened to a contact, newest first: emails, events, workflows and the subscription. */
export function ContactTimeline({ contactId }: { contactId: string }) {
  const [kind, setKind] = useState<TimelineKind | ''>('');
  const list = useInfiniteQuery({
    ...useApi().activity.list.infiniteQueryOptions(
      {
        contactId,
        limit: pageSize,
        startDate: beginning,
        ...(kind && { types: timelineKinds[kind].types.join(',') }),
      },
      { getNextPageParam: ({ cursor }) => cursor },
    ),
  });
  const items = list.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Panel title="Timeline" aside={<Filter label="Show" value={kind} options={kinds} onChange={setKind} />}>
      {list.isPending && <Skeleton lines={8} label="Loading the timeline" />}
      {list.isError && items.length === 0 && <LoadFailure error={list.error} retry={list.refetch} />}
      {list.isSuccess && items.length === 0 && (
        <p className={styles.none}>{kind === '' ? 'Nothing happened yet.' : 'Nothing of this kind yet.'}</p>
      )}
      {byDay(items, formatDate).map(({ day, items: ofDay }) => (
        <section key={day} className={styles.day} aria-label={day}>
          <h3>{day}</h3>
          <ol>
            {runsOf(ofDay).map((run) => {
              const [item] = run;
              return item && run.length > 1 ? (
                <TimelineRun key={`${item.id} ${item.type}`} item={item} run={run} />
              ) : (
                item && <TimelineItem key={`${item.id} ${item.type}`} item={item} />
              );
            })}
          </ol>
        </section>
      ))}
      {list.hasNextPage && (
        <LoadMore
          shown={items.length}
          hasMore
          pending={list.isFetchingNextPage}
          onMore={() => void list.fetchNextPage()}
        />
      )}
    </Panel>
  );
}

/** The same thing many times in a row. @param item the newest of it */
function TimelineRun({ item, run }: { item: ActivityItem; run: readonly ActivityItem[] }) {
  const [icon, mark] = lookOf(item.type);
  const to = useProjectPath();
  const { what, about } = inWords(item);
  const { path } = aboutAll(item);
  const [from, until] = [formatClock((run.at(-1) ?? item).timestamp), formatClock(item.timestamp)];
  return (
    <li className={styles.item}>
      <span className={`${styles.icon} ${styles[mark]}`}>
        <Icon name={icon} size={14} />
      </span>
      <div className={styles.text}>
        <p>
          <strong>
            {what} × {formatCount(run.length)}
          </strong>{' '}
          {path === null ? about : <Link to={to(path)}>{about}</Link>}
        </p>
        <Fold className={styles.data} summary="Show each" label={`Show each ${about}`}>
          <ol className={styles.run}>
            {run.map((each) => (
              <TimelineItem key={`${each.id} ${each.type}`} item={each} />
            ))}
          </ol>
        </Fold>
      </div>
      <time dateTime={item.timestamp} title={item.timestamp}>
        {from === until ? until : `${from} – ${until}`}
      </time>
    </li>
  );
}

function TimelineItem({ item }: { item: ActivityItem }) {
  const to = useProjectPath();
  const [icon, mark] = lookOf(item.type);
  const { what, about, path } = inWords(item);
  const data = dataOfItem(item);
  const unsent = unsentEmail(item);
  return (
    <li className={styles.item}>
      <span className={`${styles.icon} ${styles[mark]}`}>
        <Icon name={icon} size={14} />
      </span>
      <div className={styles.text}>
        <p>
          <strong>{what}</strong> {path === null || about === '' ? about : <Link to={to(path)}>{about}</Link>}
        </p>
        {data && (
          <Fold
            className={styles.data}
            summary={dataInWords(data)}
            label={`Data of ${about}: ${dataInWords(data)}`}
          >
            <EventFacts name={about} data={data} />
          </Fold>
        )}
      </div>
      {unsent !== null && <WhyButton emailId={unsent} address={about} />}
      <time dateTime={item.timestamp} title={item.timestamp}>
        {formatClock(item.timestamp)}
      </time>
    </li>
  );
}
