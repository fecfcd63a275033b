import { useQuery } from '@tanstack/react-query';
import { type ExecutionDetail, useApi, type WorkflowDefinition } from '../../../lib/api.ts';
import { versionRun } from './versions-run.rules.ts';

/** More than were published while an execution was under way, save in rare cases. */
const listed = 100;

interface DefinitionRun {
  /** by which the execution goes on, or went last; null before it is known, and for one of an earlier release */
  version: number | null;
  /** absent until it is loaded */
  definition: WorkflowDefinition | undefined;
  failed: { error: unknown; refetch: () => unknown } | null;
}

/** The definition that an execution runs, which others than the live one may be. */
export function useDefinitionRun(execution: ExecutionDetail): DefinitionRun {
  const api = useApi().workflows;
  const id = execution.workflowId;
  const hasVersion = execution.version !== null;
  const versions = useQuery({ ...api.listVersions.queryOptions({ id, limit: listed }), enabled: hasVersion });
  const version = versions.data ? versionRun(execution, versions.data.data) : null;
  const run = useQuery({
    ...api.getVersion.queryOptions({ id, version: version ?? 0 }),
    enabled: version !== null,
  });
  const live = useQuery({ ...api.get.queryOptions({ id }), enabled: !hasVersion });
  const failed = [versions, run, live].find(({ isError, data }) => isError && !data);
  return {
    version,
    definition: hasVersion ? run.data?.definition : live.data,
    failed: failed ?? null,
  };
}
