import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { RenderedMail } from '../features/templates/mail-panel.tsx';
import { RestoreVersion } from '../features/templates/versions/restore-version.tsx';
import { useVersions } from '../features/templates/versions/use-versions.ts';
import styles from '../features/templates/versions/version.module.css';
import { VersionFacts } from '../features/templates/versions/version-facts.tsx';
import { type Template, type TemplateVersion, useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { CodeCompare } from '../ui/code-compare.tsx';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Frame, Panel } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Tabs } from '../ui/tabs.tsx';

export function Component() {
  const { templateId = '', version: number = '' } = useParams();
  const to = useProjectPath();
  const api = useApi();
  const template = useQuery(api.templates.get.queryOptions({ id: templateId }));
  const version = useQuery(api.templates.version.queryOptions({ id: templateId, version: number }));
  const { newest } = useVersions(templateId);
  const title = `Version ${number}`;
  const back = { to: to(`templates/${templateId}`), label: template.data?.name ?? 'Template' };
  if (template.data && version.data && newest !== null) {
    const isCurrent = version.data.version === newest;
    return (
      <Page
        title={title}
        back={back}
        actions={
          !isCurrent && (
            <RestoreVersion templateId={templateId} version={version.data.version} current={newest} />
          )
        }
      >
        <Panel title={isCurrent ? 'Current version' : 'Details'}>
          <VersionFacts version={version.data} template={template.data} />
        </Panel>
        {isCurrent ? (
          <Panel title="Content" flush>
            <RenderedMail title={title} content={{ ...version.data, type: template.data.type }} />
          </Panel>
        ) : (
          <Comparison title={title} version={version.data} template={template.data} />
        )}
      </Page>
    );
  }
  const failed = [template, version].find(({ isError }) => isError);
  return (
    <Page title={title} back={back}>
      {failed ? (
        <LoadFailure error={failed.error} retry={failed.refetch} />
      ) : (
        <Skeleton lines={8} label="Loading the version" />
      )}
    </Page>
  );
}

const now = 'Current version';

function Comparison({
  title,
  version,
  template,
}: {
  title: string;
  version: TemplateVersion;
  template: Template;
}) {
  return (
    <Frame label={`${title} compared with the current version`}>
      <Tabs
        label="Comparison"
        tabs={[
          {
            label: 'Email',
            content: (
              <div className={styles.pictures}>
                <figure>
                  <figcaption>{title}</figcaption>
                  <RenderedMail title={title} content={{ ...version, type: template.type }} />
                </figure>
                <figure>
                  <figcaption>{now}</figcaption>
                  <RenderedMail title={now} content={template} />
                </figure>
              </div>
            ),
          },
          {
            label: 'Code',
            content: <CodeCompare labels={[title, now]} left={version.body} right={template.body} />,
          },
        ]}
      />
    </Frame>
  );
}
