import { useQuery } from '@tanstack/react-query';
import { useAccountApi } from '../../lib/api.ts';
import { useProject } from '../../lib/current.ts';
import { Notice } from '../../ui/notice.tsx';

const pollMs = 2_000;

/** The progress of a reset while it runs. */
export function ResetProgress() {
  const { id } = useProject();
  const { data } = useQuery({
    ...useAccountApi().projects.resetState.queryOptions({ id }),
    refetchInterval: ({ state }) => (state.data?.running ? pollMs : false),
  });
  if (!data?.running) return null;
  return <Notice tone="busy" title={`The project is being reset: ${data.progress}% done.`} />;
}
