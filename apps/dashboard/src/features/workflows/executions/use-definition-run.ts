import { useQuery } from '@tanstack/react-query';
import {
  type ExecutionDetail,
  useApi,
  type WorkflowDefinition,
  type WorkflowStep,
} from '../../../lib/api.ts';
import { versionRun } from './versions-run.rules.ts';

/** More are not published while an execution is under way, save in rare cases. */
const listed = 100;

interface DefinitionRun {
  /** by which the execution goes on, or went last; null before it is known, and for one of an earlier release */
  version: number | null;
  /** absent until it is loaded */
  definition: WorkflowDefinition | undefined;
  /** the steps of the version that it began with and of that one, the later last */
  steps: readonly WorkflowStep[];
  failed: { error: unknown; refetch: () => unknown } | null;
}

/** The definition that an execution runs, which others than the live one may be. @param execution absent until it is loaded */
export function useDefinitionRun(id: string, execution: ExecutionDetail | undefined): DefinitionRun {
  const api = useApi().workflows;
  // Asked for together with the execution.
  const versions = useQuery(api.listVersions.queryOptions({ id, limit: listed }));
  const began = execution?.version ?? null;
  const version = execution && versions.data ? versionRun(execution, versions.data.data) : null;
  const ofVersion = (number: number | null) => ({
    ...api.getVersion.queryOptions({ id, version: number ?? 0 }),
    enabled: number !== null,
  });
  const first = useQuery(ofVersion(began));
  const run = useQuery(ofVersion(version));
  const live = useQuery({ ...api.get.queryOptions({ id }), enabled: execution?.version === null });
  const definition = began === null ? live.data : run.data?.definition;
  return {
    version,
    definition,
    steps: [...(first.data?.definition.steps ?? []), ...(definition?.steps ?? [])],
    failed: [versions, first, run, live].find(({ isError, data }) => isError && !data) ?? null,
  };
}
