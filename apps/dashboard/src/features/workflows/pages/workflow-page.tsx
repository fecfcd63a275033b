import { useMutation } from '@tanstack/react-query';
import { useCallback, useId, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useApi, type Workflow } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { ActionMenu } from '../../../ui/menu.tsx';
import { FailureNotice, Notice } from '../../../ui/notice.tsx';
import { Page } from '../../../ui/page.tsx';
import { useRefreshWorkflows } from '../canvas/use-refresh-workflows.ts';
import { useStartExecution } from '../panels/start-execution.tsx';
import { triggerLine } from '../steps/triggers/trigger-views.ts';
import { useDeleteWorkflow } from './delete-workflow.tsx';
import { useDuplicateWorkflow } from './duplicate-workflow.ts';
import { EnableSwitch } from './enable-switch.tsx';
import { type Obstacle, obstaclesOf } from './enabling.rules.ts';
import { FailingNotice } from './failing-notice.tsx';
import styles from './workflow-editor.module.css';
import { WorkflowEditor } from './workflow-editor.tsx';
import { WorkflowTabs } from './workflow-tabs.tsx';

/** One workflow: its canvas, and the switch that enables it. */
export function WorkflowPage({ workflow }: { workflow: Workflow }) {
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
  const start = useStartExecution(workflow);
  const duplicate = useDuplicateWorkflow(workflow);
  const remove = useDeleteWorkflow(workflow);
  const obstacles = obstaclesOf(workflow);
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
    <div className={styles.wide}>
      <Page
        title={workflow.name}
        back={{ to: to('workflows'), label: 'Workflows' }}
        actions={
          <>
            <Button icon="play" aria-pressed={isTesting} onClick={() => setTesting(!isTesting)}>
              Try it
            </Button>
            <ActionMenu actions={[workflow.enabled && start, duplicate, remove]} />
            <EnableSwitch
              workflow={workflow}
              blocked={obstacles.length > 0}
              reasonId={reasonId}
              pending={update.isPending}
              onChange={(enabled) => update.mutate({ id: workflow.id, enabled })}
            />
          </>
        }
        intro={
          <span className={styles.intro}>
            {triggerLine(workflow)}
            {workflow.description && ` · ${workflow.description}`}
          </span>
        }
      >
        {failure && <FailureNotice failure={failure} />}
        {!workflow.enabled && workflow.disabledReason === 'errors' && <FailingNotice workflow={workflow} />}
        {obstacles.length > 0 && (
          <div id={reasonId}>
            <Obstacles obstacles={obstacles} enabled={workflow.enabled} onSelect={select} />
          </div>
        )}
        <WorkflowTabs workflowId={workflow.id} />
        <WorkflowEditor
          workflow={workflow}
          selected={selected}
          onSelect={select}
          isTesting={isTesting}
          onEndTest={() => setTesting(false)}
        />
      </Page>
    </div>
  );
}

interface ObstaclesProps {
  obstacles: Obstacle[];
  enabled: boolean;
  onSelect: (stepId: string) => void;
}

function Obstacles({ obstacles, enabled, onSelect }: ObstaclesProps) {
  return (
    <Notice
      tone={enabled ? 'warn' : 'busy'}
      title={enabled ? 'This workflow is incomplete' : 'This workflow cannot be enabled yet'}
    >
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
