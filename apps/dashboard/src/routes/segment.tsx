import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { useDeleteSegment } from '../features/audience/segments/delete-segment.tsx';
import { EditSegmentForm } from '../features/audience/segments/edit-segment-form.tsx';
import { useRecountSegment } from '../features/audience/segments/recount-segment.tsx';
import { SegmentFacts } from '../features/audience/segments/segment-facts.tsx';
import { SegmentMembers } from '../features/audience/segments/segment-members.tsx';
import { SegmentUsage } from '../features/audience/segments/segment-usage.tsx';
import { ExportButton } from '../features/common/exports/export-button.tsx';
import { type Segment, useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { ActionMenu } from '../ui/menu.tsx';
import { LoadFailure, Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Panel } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import styles from '../ui/split.module.css';

export function Component() {
  const { segmentId = '' } = useParams();
  const to = useProjectPath();
  const segment = useQuery(useApi().segments.get.queryOptions({ id: segmentId }));
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
  return <SegmentPage segment={segment.data} back={back} />;
}

function SegmentPage({ segment, back }: { segment: Segment; back: { to: string; label: string } }) {
  const { id, name, description, failedReason } = segment;
  const recount = useRecountSegment(segment);
  const remove = useDeleteSegment(segment);
  return (
    <Page
      title={name}
      back={back}
      {...(description && { intro: description })}
      actions={
        <>
          <ActionMenu actions={[recount, remove]} />
          <ExportButton request={{ type: 'contacts', segmentId: id }} what={`members of ${name}`} />
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
        <EditSegmentForm key={id} segment={segment} />
      </Panel>
      <div className={styles.columns}>
        <SegmentMembers key={id} segment={segment} />
        <div>
          <Panel title="Details">
            <SegmentFacts segment={segment} />
          </Panel>
          <SegmentUsage id={id} />
        </div>
      </div>
    </Page>
  );
}
