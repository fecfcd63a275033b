import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../lib/api.ts';
import { useProject } from '../../../lib/current.ts';
import { Notice } from '../../../ui/notice.tsx';

/** The progress of a reset while it runs. */
export function ResetProgress() {
  const { id } = useProject();
  const { data } = useQuery(useApi().projects.resetState.queryOptions({ id }));
  if (!data?.running) return null;
  if (data.waitsFor) return <Notice tone="busy" title="The reset begins when the workflow engine is back." />;
  return <Notice tone="busy" title={`The project is being reset: ${data.progress}% done.`} />;
}
