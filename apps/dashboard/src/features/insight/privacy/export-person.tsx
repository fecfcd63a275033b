import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../lib/api.ts';
import { useProject } from '../../../lib/current.ts';
import { downloadBlob } from '../../../lib/download.ts';
import { failureOf } from '../../../lib/failure.ts';
import { plural } from '../../../lib/format.ts';
import { readPersonFile } from '../../../lib/rest.ts';
import { shownAddress } from '../../../lib/shown-address.rules.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { JobProgress } from '../../../ui/job-progress.tsx';
import type { Action } from '../../../ui/menu.tsx';
import { FailureNotice, Notice } from '../../../ui/notice.tsx';

/** Writes what is stored about a person to a document in the background, and offers it for download. */
export function useExportPerson(email: string): Action {
  const start = useMutation(useApi().privacy.export.mutationOptions());
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return {
    label: 'Export',
    icon: 'download',
    pending: start.isPending,
    run() {
      setOpen(true);
      start.mutate({ email });
    },
    dialog: open && (
      <Dialog title={`Export ${shownAddress(email)}`} onClose={close}>
        {start.error && <FailureNotice failure={failureOf(start.error)} />}
        {start.data && <Progress jobId={start.data.id} onClose={close} />}
      </Dialog>
    ),
  };
}

const nothingToRefresh = (): undefined => undefined;

function Progress({ jobId, onClose }: { jobId: string; onClose: () => void }) {
  const { id: projectId } = useProject();
  const job = useQuery(useApi().privacy.getExport.queryOptions({ jobId }));
  const download = useMutation({
    mutationFn: readPersonFile,
    onSuccess: (file) => downloadBlob(`person-${jobId}.json`, file),
  });
  return (
    <JobProgress
      label="Collecting what is stored"
      failure="The export failed"
      job={job}
      onOver={nothingToRefresh}
      onClose={onClose}
      next={
        job.data?.state === 'completed' && (
          <Button
            kind="primary"
            icon="download"
            pending={download.isPending}
            onClick={() => download.mutate({ projectId, jobId })}
          >
            Download JSON
          </Button>
        )
      }
    >
      {({ records }) => (
        <>
          <Notice tone="good" title={`${plural(records, 'record')} written`}>
            <p>The document is kept for 7 days, or until a person is erased in this project.</p>
          </Notice>
          {download.error && <FailureNotice failure={failureOf(download.error)} />}
        </>
      )}
    </JobProgress>
  );
}
