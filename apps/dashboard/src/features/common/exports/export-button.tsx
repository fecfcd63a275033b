import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ExportRequest, useApi } from '../../../lib/api.ts';
import { useProject } from '../../../lib/current.ts';
import { downloadBlob } from '../../../lib/download.ts';
import { failureOf } from '../../../lib/failure.ts';
import { plural } from '../../../lib/format.ts';
import { readExportFile } from '../../../lib/rest.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { JobProgress } from '../../../ui/job-progress.tsx';
import { FailureNotice, Notice } from '../../../ui/notice.tsx';

interface ExportButtonProps {
  request: ExportRequest;
  /** What the file has, in words: “All contacts”. */
  what: string;
  label?: string;
}

/** Writes the records of a list to a CSV file in the background, and offers it for download. */
export function ExportButton({ request, what, label = 'Export' }: ExportButtonProps) {
  const start = useMutation(useApi().exports.start.mutationOptions());
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        icon="download"
        pending={start.isPending}
        onClick={() => {
          setOpen(true);
          start.mutate(request);
        }}
      >
        {label}
      </Button>
      {open && (
        <Dialog title={`Export: ${what}`} onClose={() => setOpen(false)}>
          {start.error && <FailureNotice failure={failureOf(start.error)} />}
          {start.data && (
            <ExportProgress jobId={start.data.id} type={request.type} onClose={() => setOpen(false)} />
          )}
        </Dialog>
      )}
    </>
  );
}

const nothingToRefresh = (): undefined => undefined;

function ExportProgress({
  jobId,
  type,
  onClose,
}: {
  jobId: string;
  type: ExportRequest['type'];
  onClose: () => void;
}) {
  const { id: projectId } = useProject();
  const job = useQuery(useApi().exports.get.queryOptions({ jobId }));
  const download = useMutation({
    mutationFn: readExportFile,
    onSuccess: (file) => downloadBlob(`${type}.csv`, file),
  });
  const isReady = job.data?.state === 'completed';
  return (
    <JobProgress
      label="Writing the file"
      failure="The export failed"
      job={job}
      onOver={nothingToRefresh}
      onClose={onClose}
      next={
        isReady && (
          <Button
            kind="primary"
            icon="download"
            pending={download.isPending}
            onClick={() => download.mutate({ projectId, jobId })}
          >
            Download CSV
          </Button>
        )
      }
    >
      {({ rows }) => (
        <>
          <Notice tone="good" title={`${plural(rows, 'row')} written`}>
            <p>The file is kept for 7 days.</p>
          </Notice>
          {download.error && <FailureNotice failure={failureOf(download.error)} />}
        </>
      )}
    </JobProgress>
  );
}
