import { useMutation } from '@tanstack/react-query';
import { useProject } from '../../../lib/current.ts';
import { downloadBlob } from '../../../lib/download.ts';
import { failureOf } from '../../../lib/failure.ts';
import { readFailedRows } from '../../../lib/rest.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';

interface FailedRowsButtonProps {
  jobId: string;
  /** What the file is named after. */
  fileName: string | null;
  /** The words on the button. */
  label?: string;
}

/** Downloads the rows that an import did not take, each with the reason, to be corrected and imported again. */
export function FailedRowsButton({ jobId, fileName, label = 'Failed rows' }: FailedRowsButtonProps) {
  const { id: projectId } = useProject();
  const announce = useAnnounce();
  const download = useMutation({
    mutationFn: readFailedRows,
    onSuccess: (file) => downloadBlob(`failed-rows-of-${fileName ?? 'import.csv'}`, file),
    onError: (error) => announce(failureOf(error).message, 'note'),
  });
  return (
    <Button
      small
      icon="download"
      pending={download.isPending}
      aria-label={`${label} of ${fileName ?? 'the import'} as CSV`}
      onClick={() => download.mutate({ projectId, jobId })}
    >
      {label}
    </Button>
  );
}
