import type { UseQueryResult } from '@tanstack/react-query';
import type { DomainHealth } from '../../../lib/api.ts';
import { plural } from '../../../lib/format.ts';
import { LoadFailure } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { Ago } from '../../../ui/time.tsx';
import { CheckStatus } from './check-status.tsx';
import styles from './health-panel.module.css';

type Check = DomainHealth['checks'][number];

const titles: Record<Check['name'], { title: string; meaning: string }> = {
  DKIM: { title: 'DKIM', meaning: 'Signature of your email' },
  SPF: { title: 'SPF', meaning: 'Servers that may send for the return-path' },
  DMARC: { title: 'DMARC', meaning: 'Policy for forged email, and reports' },
  MX: { title: 'MX', meaning: 'Where bounces go' },
  REVERSE_DNS: { title: 'Reverse DNS', meaning: 'Name of the mail server’s address' },
  TLS: { title: 'TLS', meaning: 'Encryption to the mail server' },
};

/** What a strict receiver would object to, each record found beside the record wanted. */
export function HealthPanel({ health }: { health: UseQueryResult<DomainHealth, unknown> }) {
  return (
    <Panel
      title="Deliverability"
      aside={
        health.data && (
          <span className={styles.checked}>
            {summaryOf(health.data.checks)}, checked <Ago at={health.data.checkedAt} />
          </span>
        )
      }
      flush
    >
      {health.isPending && <Skeleton lines={6} label="Loading the DNS records" />}
      {health.isError && !health.data && <LoadFailure error={health.error} retry={health.refetch} />}
      {health.data && (
        <ul className={styles.checks} aria-label="Checks">
          {health.data.checks.map((check) => (
            <CheckRow key={`${check.name} ${check.host}`} check={check} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function summaryOf(checks: Check[]): string {
  const open = checks.filter(({ status }) => status === 'fail' || status === 'warn').length;
  return open === 0 ? 'Nothing to object to' : `${plural(open, 'check')} to look at`;
}

function CheckRow({ check: { name, status, host, found, wanted, advice } }: { check: Check }) {
  const { title, meaning } = titles[name];
  const shows = status !== 'ok' && wanted !== null;
  return (
    <li className={styles.check}>
      <div className={styles.head}>
        <h3>{title}</h3>
        <span className={styles.meaning}>{meaning}</span>
        <span className={styles.state}>
          <CheckStatus status={status} />
        </span>
      </div>
      <p className={styles.advice}>{advice}</p>
      {(found.length > 0 || shows) && (
        <dl className={shows ? styles.pair : styles.single}>
          <Value name={host === null ? 'Found' : `Found at ${host}`} values={found} />
          {shows && <Value name="Wanted" values={[wanted]} />}
        </dl>
      )}
    </li>
  );
}

const Value = ({ name, values }: { name: string; values: string[] }) => (
  <div>
    <dt>{name}</dt>
    {values.length === 0 && <dd className={styles.nothing}>Nothing</dd>}
    {values.map((value) => (
      <dd key={value}>
        <code>{value}</code>
      </dd>
    ))}
  </div>
);
