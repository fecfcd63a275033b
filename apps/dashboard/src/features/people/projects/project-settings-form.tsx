import { textLimits, type Whole } from '@postrider/core/base/lib/contract';
import { updateProjectInput } from '@postrider/core/people/projects/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Project, type ProjectUpdate, useAccountApi } from '../../../lib/api.ts';
import { isLeader, useProject } from '../../../lib/current.ts';
import { languageName, languages } from '../../../lib/languages.ts';
import { useDraft } from '../../../lib/use-draft.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { CheckField, SelectField, TextField } from '../../../ui/field.tsx';
import { Form, FormActions } from '../../../ui/form.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { SuggestedField } from '../../../ui/suggested-field.tsx';
import { ApprovalFields, readApproval } from './approval-fields.tsx';

const trackingModes: { value: Project['tracking']; label: string }[] = [
  { value: 'ENABLED', label: 'All emails' },
  { value: 'MARKETING_ONLY', label: 'Marketing emails only' },
  { value: 'DISABLED', label: 'Off' },
];

const gates: { value: Project['sendGate']; label: string }[] = [
  { value: 'ADVISORY', label: 'Show errors' },
  { value: 'STRICT', label: 'Refuse to send with errors that were not accepted' },
];

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')];

/** The brand, the limits per contact, the tags of links and what consent asks for have forms of their own. */
type Settings = Whole<Omit<ProjectUpdate, 'id' | 'brand' | 'contactLimits' | 'consent' | 'utm'>, undefined>;

export function ProjectSettingsForm() {
  const project = useProject();
  const api = useAccountApi();
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const draft = useDraft('settings');
  const update = useMutation(
    api.projects.update.mutationOptions({
      async onSuccess() {
        draft.saved();
        await queryClient.invalidateQueries(api.projects.list.queryFilter());
        announce('Settings saved');
      },
    }),
  );
  const mayChange = isLeader(project);
  const offered: readonly string[] = languages.some((code) => code === project.language)
    ? languages
    : [project.language, ...languages];
  return (
    <Form
      label="Project settings"
      failure={useFailure(update.error)}
      draft={draft}
      onSubmit={(values) => {
        const { name = '', tracking, language = '', timeZone = '', sendGate, requireSecondFactor } = values;
        const settings: Settings = {
          name,
          tracking: trackingModes.find(({ value }) => value === tracking)?.value ?? project.tracking,
          language,
          timeZone: timeZone.trim().replaceAll(' ', '_'),
          sendGate: gates.find(({ value }) => value === sendGate)?.value ?? project.sendGate,
          approval: readApproval(values),
          requireSecondFactor: requireSecondFactor !== undefined,
        };
        update.mutate({ id: project.id, ...settings });
      }}
    >
      {!mayChange && <Notice tone="busy" title="Only owners and admins can change these settings." />}
      <TextField
        name="name"
        label="Name"
        defaultValue={project.name}
        {...textLimits(updateProjectInput, 'name')}
        required
        disabled={!mayChange}
        hint="Shown in the footer and as the default From name."
      />
      <SelectField
        name="tracking"
        label="Open and click tracking"
        defaultValue={project.tracking}
        disabled={!mayChange}
        hint="A request to /v1/send can override this with its tracking field."
      >
        {trackingModes.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <SelectField
        name="language"
        label="Language"
        defaultValue={project.language}
        disabled={!mayChange}
        hint="Used in footers and on unsubscribe pages, for contacts without a locale."
      >
        {offered.map((code) => (
          <option key={code} value={code}>
            {languageName(code)} ({code})
          </option>
        ))}
      </SelectField>
      <SuggestedField
        name="timeZone"
        label="Time zone"
        suggestions={zones}
        defaultValue={project.timeZone}
        required
        disabled={!mayChange}
        hint="Days in filters, conditions and periods begin and end in this time zone."
      />
      <SelectField
        name="sendGate"
        label="Checks before sending"
        defaultValue={project.sendGate}
        disabled={!mayChange}
        hint="What is wrong with a campaign, such as no postal address, is always shown. With the second choice the API refuses it too. Keys of agents are always held to that."
      >
        {gates.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <ApprovalFields approval={project.approval} disabled={!mayChange} />
      <CheckField
        name="requireSecondFactor"
        label="Members need two-step login"
        defaultChecked={project.requireSecondFactor}
        hint="Members without an authenticator app cannot open the project until they set one up under Account."
      />
      <FormActions>
        <Button kind="primary" type="submit" pending={update.isPending} disabled={!mayChange}>
          Save
        </Button>
      </FormActions>
    </Form>
  );
}
