import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { ErasureStatus } from '../features/insight/privacy/erasure-status.tsx';
import { Receipt } from '../features/insight/privacy/receipt.tsx';
import { shortHash } from '../features/insight/privacy/words.rules.ts';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

const refreshMs = 30_000;

/** The receipt of one erasure; refreshed while it runs. */
export function Component() {
  const { erasureId = '' } = useParams();
  const to = useProjectPath();
  const erasure = useQuery({
    ...useApi().privacy.getErasure.queryOptions({ id: erasureId }),
    refetchInterval: ({ state }) => (state.data?.status === 'RUNNING' ? refreshMs : false),
  });
  const back = { to: to('privacy'), label: 'Privacy' };
  if (!erasure.data) {
    return (
      <Page title="Erasure" back={back}>
        {erasure.isError ? (
          <LoadFailure error={erasure.error} retry={erasure.refetch} />
        ) : (
          <Skeleton lines={8} label="Loading the receipt" />
        )}
      </Page>
    );
  }
  return (
    <Page
      title={`Person ${shortHash(erasure.data.addressHash)}`}
      back={back}
      intro={<ErasureStatus status={erasure.data.status} />}
    >
      <Receipt erasure={erasure.data} />
    </Page>
  );
}
