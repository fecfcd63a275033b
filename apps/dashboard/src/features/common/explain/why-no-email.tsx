import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../lib/api.ts';
import { LoadFailure } from '../../../ui/notice.tsx';
import { type Option, Select } from '../../../ui/select.tsx';
import { ExplainPanel } from './explain-panel.tsx';
import styles from './explanation.module.css';

const kinds = [
  { value: 'any', label: 'Any email' },
  { value: 'campaign', label: 'A campaign' },
  { value: 'workflow', label: 'A workflow' },
  { value: 'segment', label: 'A segment' },
] as const;
type Kind = (typeof kinds)[number]['value'];

/** More are not offered, the newest are. */
const mostOffered = 100;

/** Why a contact gets no email: at all, of a campaign or workflow, or why it is in no segment. */
export function WhyNoEmail({ contactId }: { contactId: string }) {
  const [kind, setKind] = useState<Kind>('any');
  const [chosen, setChosen] = useState<string | null>(null);
  const records = useRecords(kind);
  const [first] = records.options;
  const id = chosen ?? first?.value ?? null;
  const question =
    kind === 'any' || id === null ? { contact: contactId } : { contact: contactId, [kind]: id };
  return (
    <ExplainPanel title="Why no email?" question={question}>
      <div className={styles.choice}>
        <Select
          small
          aria-label="Of what"
          options={kinds}
          value={kind}
          onChange={(next) => {
            setKind(next);
            setChosen(null);
          }}
        />
        {kind !== 'any' && id !== null && (
          <Select
            small
            aria-label={`Which ${kind}`}
            options={records.options}
            value={id}
            onChange={setChosen}
          />
        )}
      </div>
      {records.failure && <LoadFailure {...records.failure} />}
      {kind !== 'any' && records.isLoaded && id === null && <p>The project has no {kind} yet.</p>}
    </ExplainPanel>
  );
}

/** The records of a kind that the answer can be about. */
function useRecords(kind: Kind): {
  options: Option[];
  isLoaded: boolean;
  failure: { error: unknown; retry: () => unknown } | null;
} {
  const api = useApi();
  const campaigns = useQuery({
    ...api.campaigns.list.queryOptions({ pageSize: mostOffered }),
    enabled: kind === 'campaign',
  });
  const workflows = useQuery({
    ...api.workflows.list.queryOptions({ pageSize: mostOffered }),
    enabled: kind === 'workflow',
  });
  const segments = useQuery({ ...api.segments.list.queryOptions(), enabled: kind === 'segment' });
  if (kind === 'any') return { options: [], isLoaded: true, failure: null };
  const query = { campaign: campaigns, workflow: workflows, segment: segments }[kind];
  const found = {
    campaign: campaigns.data?.data,
    workflow: workflows.data?.data,
    segment: segments.data,
  }[kind];
  return {
    options: (found ?? []).map(({ id, name }) => ({ value: id, label: name })),
    isLoaded: query.isSuccess,
    failure: query.isError && !query.data ? { error: query.error, retry: query.refetch } : null,
  };
}
