import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { ExportButton } from '../features/exports/export-button.tsx';
import { DeleteSegment } from '../features/segments/delete-segment.tsx';
import { EditSegmentForm } from '../features/segments/edit-segment-form.tsx';
import { RecountSegment } from '../features/segments/recount-segment.tsx';
import { SegmentFacts } from '../features/segments/segment-facts.tsx';
import { SegmentMembers } from '../features/segments/segment-members.tsx';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { idle } from '../lib/polling.ts';
import { LoadFailure, Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Panel } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import styles from '../ui/split.module.css';

export function SegmentRoute() {
  const { segmentId = '' } = useParams();
  const to = useProjectPath();
  const segment = useQuery({
    ...useApi().segments.get.queryOptions({ id: segmentId }),
    refetchInterval: idle,
  });
  const back = { to: to('segments'), label: 'Segments' };
  if (!segment.data) {
    return (
      <Page title="Segment" back={back}>
        {segment.isError ? (
          <LoadFailure error={segment.error} retry={segment.refetch} />
        ) : (
          <Skeleton lines={8} label="Loading the segment" />
        )}
      </Page>
    );
  }
  const { name, description, failedReason } = segment.data;
  return (
    <Page
      title={name}
      back={back}
      {...(description && { intro: description })}
      actions={
        <>
          <DeleteSegment segment={segment.data} />
          <ExportButton
            request={{ type: 'contacts', segmentId: segment.data.id }}
            what={`members of ${segment.data.name}`}
          />
          <RecountSegment segment={segment.data} />
        </>
      }
    >
      {failedReason && (
        <Notice tone="warn" title="This segment cannot be computed">
          <p>
            Its members are those of the last computation that succeeded. Postrider tries again every 5
            minutes and when you change the definition.
          </p>
        </Notice>
      )}
      <Panel title="Definition">
        <EditSegmentForm key={segmentId} segment={segment.data} />
      </Panel>
      <div className={styles.columns}>
        <SegmentMembers key={segmentId} segment={segment.data} />
        <Panel title="Details">
          <SegmentFacts segment={segment.data} />
        </Panel>
      </div>
    </Page>
  );
}
