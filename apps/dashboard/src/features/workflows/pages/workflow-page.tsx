import { useMutation } from '@tanstack/react-query';
import { useCallback, useId, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useApi, type Workflow } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { usePhone } from '../../../lib/use-media.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { ActionMenu } from '../../../ui/menu.tsx';
import { FailureNotice, Notice } from '../../../ui/notice.tsx';
import { Page } from '../../../ui/page.tsx';
import { useGraphHistory } from '../canvas/use-graph-history.ts';
import { useRefreshWorkflows } from '../canvas/use-refresh-workflows.ts';
import { useExportWorkflow } from '../document/export-workflow.tsx';
import { DraftBar, type Shown } from '../drafts/draft-bar.tsx';
import bench from '../panels/bench.module.css';
import { useStartExecution } from '../panels/start-execution.tsx';
import { changesBetween, marksOfChanges } from '../publish/changes.rules.ts';
import { usePublishing } from '../publish/use-publishing.tsx';
import { triggerLine } from '../steps/triggers/trigger-views.ts';
import { useDeleteWorkflow } from './delete-workflow.tsx';
import { useDuplicateWorkflow } from './duplicate-workflow.ts';
import { EnableSwitch } from './enable-switch.tsx';
import { type Obstacle, obstaclesOf } from './enabling.rules.ts';
import { FailingNotice } from './failing-notice.tsx';
import styles from './workflow-editor.module.css';
import { WorkflowEditor } from './workflow-editor.tsx';
import { WorkflowLook } from './workflow-look.tsx';
import { WorkflowTabs } from './workflow-tabs.tsx';

interface WorkflowPageProps {
  live: Workflow;
  /** its draft if there is one, else its live definition */
  edited: Workflow;
}

/** One workflow: its canvas, its draft beside the live version, and the switch that enables it. */
export function WorkflowPage({ live, edited }: WorkflowPageProps) {
  const to = useProjectPath();
  const announce = useAnnounce();
  const refresh = useRefreshWorkflows();
  const reasonId = useId();
  // The address names the selected step, so that Back leads to it again. Selections add nothing to the history.
  const [params, setParams] = useSearchParams();
  const [selected, setSelected] = useState(params.get('step'));
  const select = useCallback(
    (step: string | null) => {
      setSelected(step);
      setParams(step === null ? {} : { step }, { replace: true, preventScrollReset: true });
    },
    [setParams],
  );
  const [isTesting, setTesting] = useState(false);
  const [view, setView] = useState<Shown>('draft');
  const isPhone = usePhone();
  const hasDraft = live.draft !== null && edited.draft !== null;
  const changes = useMemo(() => (hasDraft ? changesBetween(live, edited) : []), [hasDraft, live, edited]);
  const changed = useMemo(() => marksOfChanges(changes), [changes]);
  const showStep = useCallback(
    (step: string) => {
      setView('draft');
      select(step);
    },
    [select],
  );
  // Here and not on the canvas, so that a look at the live version forgets nothing.
  const history = useGraphHistory(live.id);
  const publishing = usePublishing({ live, edited, onSelect: showStep });
  const start = useStartExecution(live);
  const duplicate = useDuplicateWorkflow(live);
  const download = useExportWorkflow(live, showStep);
  const remove = useDeleteWorkflow(live);
  // What may be enabled is what would be live; what is shown may be a draft beside it.
  const isBlocked = obstaclesOf(live).length > 0;
  const obstacles = obstaclesOf(edited);
  const update = useMutation({
    ...useApi().workflows.update.mutationOptions(),
    async onSuccess({ enabled }) {
      await refresh();
      announce(
        enabled
          ? 'Workflow enabled. Contacts can enter it.'
          : 'Workflow disabled. No new contacts can enter it.',
      );
    },
  });
  const failure = useFailure(update.error);
  return (
    <div className={bench.wide} data-bar={live.version !== null || undefined}>
      <Page
        title={edited.name}
        back={{ to: to('workflows'), label: 'Workflows' }}
        actions={
          <>
            <Button icon="play" aria-pressed={isTesting} onClick={() => setTesting(!isTesting)}>
              Try it
            </Button>
            <ActionMenu actions={[live.enabled && start, duplicate, download, remove]} />
            <EnableSwitch
              workflow={live}
              blocked={isBlocked}
              reasonId={reasonId}
              pending={update.isPending}
              onChange={(enabled) => update.mutate({ id: live.id, enabled })}
            />
          </>
        }
        intro={
          <span className={styles.intro}>
            {triggerLine(live)}
            {edited.description && ` · ${edited.description}`}
          </span>
        }
      >
        {failure && <FailureNotice failure={failure} />}
        {!live.enabled && live.disabledReason === 'errors' && <FailingNotice workflow={live} />}
        {obstacles.length > 0 && (
          <div id={reasonId}>
            <Obstacles obstacles={obstacles} title={incomplete(live)} onSelect={showStep} />
          </div>
        )}
        <WorkflowTabs workflowId={live.id} />
        <DraftBar
          live={live}
          edited={edited}
          changes={changes}
          shown={view}
          onShow={setView}
          onPublish={publishing.publishDraft}
        />
        {!isTesting && (isPhone || (hasDraft && view === 'live')) ? (
          <WorkflowLook
            workflow={view === 'live' ? live : edited}
            changed={view === 'live' ? noMarks : changed}
            isDraft={hasDraft && view === 'draft'}
          />
        ) : (
          <WorkflowEditor
            // Simulated is the draft, if there is one.
            workflow={edited}
            changed={isTesting ? noMarks : changed}
            history={history}
            selected={selected}
            onSelect={select}
            isTesting={isTesting}
            onPublish={hasDraft ? publishing.publishDraft : null}
            onEndTest={() => setTesting(false)}
          />
        )}
        {publishing.dialog}
      </Page>
    </div>
  );
}

const noMarks = {};

const incomplete = ({ version, draft, enabled }: Workflow): string =>
  draft !== null
    ? 'The draft cannot be published yet'
    : version === null
      ? 'This workflow cannot be enabled yet'
      : enabled
        ? 'This workflow is incomplete'
        : 'This workflow cannot be enabled yet';

interface ObstaclesProps {
  obstacles: Obstacle[];
  title: string;
  onSelect: (stepId: string) => void;
}

function Obstacles({ obstacles, title, onSelect }: ObstaclesProps) {
  return (
    <Notice tone="warn" title={title}>
      <ul className={styles.obstacles}>
        {obstacles.map(({ text, stepId }) => (
          <li key={text}>
            {stepId === null ? (
              text
            ) : (
              <button type="button" className={styles.link} onClick={() => onSelect(stepId)}>
                {text}
              </button>
            )}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
