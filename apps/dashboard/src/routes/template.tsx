import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { TemplateUsage } from '../features/campaigns/template-usage.tsx';
import { templateTexts } from '../features/mail-editor/content/content.rules.ts';
import { sampleData } from '../features/mail-editor/variables/variables.rules.ts';
import { RequestExample } from '../features/settings/keys/request-example.tsx';
import { sendTemplateRequest } from '../features/settings/keys/requests.ts';
import { ContentFacts } from '../features/templates/content-facts.tsx';
import { useDeleteTemplate } from '../features/templates/delete-template.tsx';
import { useDuplicateTemplate } from '../features/templates/duplicate-template.tsx';
import { MailPanel } from '../features/templates/mail-panel.tsx';
import { HistoryPanel } from '../features/templates/versions/history-panel.tsx';
import { type Template, useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { ButtonLink } from '../ui/button.tsx';
import { CopyChip } from '../ui/copy-chip.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { ActionMenu } from '../ui/menu.tsx';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Panel } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import styles from '../ui/split.module.css';
import { Moment } from '../ui/time.tsx';

export function Component() {
  const { templateId = '' } = useParams();
  const to = useProjectPath();
  const template = useQuery(useApi().templates.get.queryOptions({ id: templateId }));
  const back = { to: to('templates'), label: 'Templates' };
  if (!template.data) {
    return (
      <Page title="Template" back={back}>
        {template.isError ? (
          <LoadFailure error={template.error} retry={template.refetch} />
        ) : (
          <Skeleton lines={8} label="Loading the template" />
        )}
      </Page>
    );
  }
  return <TemplatePage template={template.data} back={back} />;
}

function TemplatePage({ template, back }: { template: Template; back: { to: string; label: string } }) {
  const to = useProjectPath();
  const duplicate = useDuplicateTemplate(template);
  const remove = useDeleteTemplate(template);
  const { id, name, description, createdAt, updatedAt } = template;
  return (
    <Page
      title={name}
      back={back}
      {...(description ? { intro: description } : {})}
      actions={
        <>
          <ActionMenu
            actions={[
              {
                label: 'Use in a campaign',
                icon: 'campaign',
                to: `${to('campaigns/new')}?template=${id}`,
              },
              duplicate,
              remove,
            ]}
          />
          <ButtonLink kind="primary" to={to(`templates/${id}/edit`)}>
            Edit
          </ButtonLink>
        </>
      }
    >
      <div className={styles.columns}>
        <MailPanel content={template} />
        <div className={styles.side}>
          <Panel title="Details">
            <Facts>
              <ContentFacts content={template} />
              <Fact name="Created">
                <Moment at={createdAt} />
              </Fact>
              <Fact name="Updated">
                <Moment at={updatedAt} />
              </Fact>
              {template.alias && (
                <Fact name="Alias">
                  <CopyChip text={template.alias} label="alias" />
                </Fact>
              )}
              <Fact name="Template ID">
                <CopyChip text={id} label="template ID" />
              </Fact>
            </Facts>
          </Panel>
          <HistoryPanel templateId={id} />
          <TemplateUsage templateId={id} />
          <RequestExample
            title="Send this template"
            build={(parts) =>
              sendTemplateRequest(parts, template.alias ?? id, sampleData(templateTexts(template)))
            }
          />
        </div>
      </div>
    </Page>
  );
}
