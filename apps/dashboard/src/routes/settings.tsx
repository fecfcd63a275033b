import { roleNames } from '../features/people/members/member-roles.ts';
import { DangerZone } from '../features/people/projects/danger-zone.tsx';
import { ProjectSettingsForm } from '../features/people/projects/project-settings-form.tsx';
import { StoragePanel } from '../features/people/projects/storage-panel.tsx';
import { BrandForm } from '../features/settings/brand/brand-form.tsx';
import { ContactLimitsForm } from '../features/settings/contact-limits/contact-limits-form.tsx';
import { LinkTaggingForm } from '../features/settings/link-tagging/link-tagging-form.tsx';
import { isLeader, useProject } from '../lib/current.ts';
import { CopyChip } from '../ui/copy-chip.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Page } from '../ui/page.tsx';
import { Panel } from '../ui/panel.tsx';
import { Moment } from '../ui/time.tsx';

export function Component() {
  const project = useProject();
  return (
    <Page title="Settings" narrow>
      <Panel title="Project">
        <ProjectSettingsForm key={project.id} />
      </Panel>
      <Panel title="Contact limits">
        <ContactLimitsForm key={project.id} />
      </Panel>
      <Panel title="Link tags">
        <LinkTaggingForm key={project.id} />
      </Panel>
      <div id="brand">
        <Panel title="Brand">
          <BrandForm key={project.id} />
        </Panel>
      </div>
      <StoragePanel key={project.id} />
      <Panel title="About this project">
        <Facts>
          <Fact name="Project ID">
            <CopyChip text={project.id} label="project ID" />
          </Fact>
          <Fact name="Your role">{roleNames[project.role]}</Fact>
          <Fact name="Created">
            <Moment at={project.createdAt} />
          </Fact>
        </Facts>
      </Panel>
      {isLeader(project) && (
        <Panel title="Danger zone">
          <DangerZone key={project.id} />
        </Panel>
      )}
    </Page>
  );
}
