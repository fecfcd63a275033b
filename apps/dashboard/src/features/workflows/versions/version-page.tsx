import { useMemo } from 'react';
import { Link } from 'react-router';
import type { Workflow, WorkflowVersion } from '../../../lib/api.ts';
import { authorInWords } from '../../../lib/author-in-words.rules.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { formatCount } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Fact, Facts } from '../../../ui/facts.tsx';
import { Page } from '../../../ui/page.tsx';
import { Panel } from '../../../ui/panel.tsx';
import split from '../../../ui/split.module.css';
import { Moment } from '../../../ui/time.tsx';
import { ChangeList } from '../publish/change-list.tsx';
import { changesBetween, marksOfChanges } from '../publish/changes.rules.ts';
import { usePublishing } from '../publish/use-publishing.tsx';
import { WorkflowViewer } from '../viewer/workflow-viewer.tsx';

interface VersionPageProps {
  live: Workflow;
  edited: Workflow;
  version: WorkflowVersion;
}

/** One version: who published it and why, how it differs from the live one, its canvas, and the way back to it. */
export function VersionPage({ live, edited, version: shown }: VersionPageProps) {
  const to = useProjectPath();
  const { version, definition } = shown;
  const changes = useMemo(() => changesBetween(live, definition), [live, definition]);
  const marks = useMemo(() => marksOfChanges(changes), [changes]);
  const publishing = usePublishing({ live, edited });
  const title = `Version ${version}`;
  return (
    <Page
      title={title}
      wide
      back={{ to: to(`workflows/${live.id}/versions`), label: `${live.name}, versions` }}
      intro={shown.note ?? undefined}
      actions={
        !shown.live && (
          <Button kind="primary" icon="undo" onClick={() => publishing.publishVersion(version, definition)}>
            Publish again
          </Button>
        )
      }
    >
      <div className={split.columns}>
        <Panel title={shown.live ? 'Live' : `Compared with version ${live.version}, which is live`}>
          {shown.live && <p>By this version contacts enter now.</p>}
          {!shown.live && changes.length === 0 && <p>It is the same.</p>}
          {changes.length > 0 && <ChangeList label="Differences to the live version" rows={changes} />}
        </Panel>
        <Panel title="Details">
          <Facts>
            <Fact name="Published">
              <Moment at={shown.publishedAt} />
            </Fact>
            <Fact name="By">{authorInWords(shown)}</Fact>
            <Fact name="Entered with it">{formatCount(shown.entered)}</Fact>
            <Fact name="Of these still inside">{formatCount(shown.active)}</Fact>
            {shown.movedTo !== null && (
              <Fact name="Moved to">
                <Link to={to(`workflows/${live.id}/versions/${shown.movedTo}`)}>Version {shown.movedTo}</Link>
              </Fact>
            )}
          </Facts>
        </Panel>
      </div>
      <WorkflowViewer workflow={definition} label={`Steps of version ${version}`} marks={marks}>
        <p>A version never changes. Select a step to see its settings as they were.</p>
      </WorkflowViewer>
      {publishing.dialog}
    </Page>
  );
}
