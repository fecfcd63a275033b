import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Domain, useApi } from '../../lib/api.ts';
import { isLeader, useProject } from '../../lib/current.ts';
import { failureOf } from '../../lib/failure.ts';
import { plural } from '../../lib/format.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Fold } from '../../ui/fold.tsx';
import { FailureNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Ago } from '../../ui/time.tsx';
import styles from './domain-panel.module.css';
import { DomainStatus, domainMeanings } from './domain-status.tsx';
import { RecordList } from './record-list.tsx';

export function DomainPanel({ domain }: { domain: Domain }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const verify = useMutation({
    ...api.domains.verify.mutationOptions(),
    async onSuccess({ verified }) {
      await queryClient.invalidateQueries(api.domains.list.queryFilter());
      if (verified) announce(`${domain.domain} is verified`);
      else announce(`The DNS record for ${domain.domain} was not found yet`, 'note');
    },
  });
  return (
    <Panel
      title={
        <span className={styles.title}>
          {domain.domain} <DomainStatus status={domain.status} />
        </span>
      }
      aside={
        <span className={styles.actions}>
          <Button
            small
            icon="refresh"
            pending={verify.isPending}
            onClick={() => verify.mutate({ id: domain.id })}
          >
            Check now
          </Button>
          <DeleteDomain domain={domain} />
        </span>
      }
      flush
    >
      <div className={styles.meaning}>
        {verify.error && <FailureNotice failure={failureOf(verify.error)} />}
        <p>{domainMeanings[domain.status]}</p>
        {domain.lastCheckedAt && (
          <p className={styles.checked}>
            Last checked <Ago at={domain.lastCheckedAt} />
          </p>
        )}
      </div>
      <Fold
        className={styles.records}
        open={!domain.verified}
        summary={plural(domain.records.length, 'DNS record')}
      >
        <RecordList records={domain.records} />
      </Fold>
    </Panel>
  );
}

function DeleteDomain({ domain: { id, domain } }: { domain: Domain }) {
  const api = useApi();
  const project = useProject();
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const [asked, setAsked] = useState(false);
  const remove = useMutation({
    ...api.domains.delete.mutationOptions(),
    async onSuccess() {
      setAsked(false);
      announce(`${domain} removed`);
      await queryClient.invalidateQueries(api.domains.list.queryFilter());
    },
  });
  if (!isLeader(project)) return null;
  return (
    <>
      <Button
        kind="quiet"
        small
        onClick={() => {
          remove.reset();
          setAsked(true);
        }}
      >
        Remove
      </Button>
      {asked && (
        <Confirm
          title={`Remove ${domain}?`}
          action="Remove domain"
          danger
          pending={remove.isPending}
          failure={remove.error ? failureOf(remove.error) : null}
          onConfirm={() => remove.mutate({ id })}
          onClose={() => setAsked(false)}
        >
          <p>
            You will no longer be able to send from this domain, and queued emails from it will fail. If you
            add it again, it may need a new DNS record.
          </p>
        </Confirm>
      )}
    </>
  );
}
