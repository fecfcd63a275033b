import { useQuery } from '@tanstack/react-query';
import { type Storage, useApi } from '../../../lib/api.ts';
import { useProject } from '../../../lib/current.ts';
import { formatBytes } from '../../../lib/format.ts';
import { Chip } from '../../../ui/chip.tsx';
import { Fact, Facts } from '../../../ui/facts.tsx';
import { LoadFailure } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Progress } from '../../../ui/progress.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';

const kinds: readonly { kind: keyof Storage['byKind']; label: string }[] = [
  { kind: 'images', label: 'Images' },
  { kind: 'attachments', label: 'Attachments' },
  { kind: 'contents', label: 'Content of sent email' },
  { kind: 'templates', label: 'Templates, campaigns and blocks' },
  { kind: 'imports', label: 'Imports' },
  { kind: 'exports', label: 'Exports' },
];

/** Percent of the limit from which it shows; the limit itself is 100. */
const warnFrom = 80;

/** What the project stores, and how much of the owner's limit is used. */
export function StoragePanel() {
  const { id } = useProject();
  const storage = useQuery(useApi().projects.getStorage.queryOptions({ id }));
  return (
    <Panel title="Storage">
      {storage.isPending && <Skeleton lines={7} label="Loading storage" />}
      {storage.isError && !storage.data && <LoadFailure error={storage.error} retry={storage.refetch} />}
      {storage.data && <StorageFacts storage={storage.data} />}
    </Panel>
  );
}

function StorageFacts({ storage: { usedBytes, owner, byKind } }: { storage: Storage }) {
  const { proven } = useProject().sandbox;
  // Owners without a proven address have one limit together.
  const scope = proven ? 'in all projects' : 'of all owners who have not confirmed their address';
  return (
    <Facts>
      <Fact name="This project">{formatBytes(usedBytes)}</Fact>
      {kinds.map(({ kind, label }) => (
        <Fact key={kind} name={label}>
          {formatBytes(byKind[kind])}
        </Fact>
      ))}
      <Fact name="Limit of the owner">
        {owner.limitBytes === null ? (
          `${formatBytes(owner.usedBytes)} ${scope}, no limit`
        ) : (
          <OwnerLimit used={owner.usedBytes} limit={owner.limitBytes} scope={scope} />
        )}
      </Fact>
    </Facts>
  );
}

function OwnerLimit({ used, limit, scope }: { used: number; limit: number; scope: string }) {
  const percent = (used / limit) * 100;
  return (
    <>
      <Progress
        label={`${formatBytes(used)} of ${formatBytes(limit)} ${scope}`}
        value={Math.min(100, percent)}
      />
      {percent >= 100 ? (
        <Chip tone="bad">Limit reached</Chip>
      ) : (
        percent >= warnFrom && <Chip tone="warn">Near the limit</Chip>
      )}
    </>
  );
}
