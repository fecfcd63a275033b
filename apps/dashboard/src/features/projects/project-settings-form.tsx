import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Project, useAccountApi } from '../../lib/api.ts';
import { isLeader, useProject } from '../../lib/current.ts';
import { failureOf } from '../../lib/failure.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';

const trackingModes: { value: Project['tracking']; label: string }[] = [
  { value: 'ENABLED', label: 'All mail' },
  { value: 'MARKETING_ONLY', label: 'Marketing and headless mail, not transactional' },
  { value: 'DISABLED', label: 'No mail' },
];

/** The languages that footers and hosted pages are written in. */
const languages = ['en', 'de', 'es', 'fr', 'hi', 'it', 'ja', 'nl', 'pl', 'pt', 'zh'];
const languageNames = new Intl.DisplayNames('en', { type: 'language' });

export function ProjectSettingsForm() {
  const project = useProject();
  const api = useAccountApi();
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const update = useMutation(
    api.projects.update.mutationOptions({
      async onSuccess() {
        await queryClient.invalidateQueries(api.projects.list.queryFilter());
        announce('Settings saved');
      },
    }),
  );
  const mayChange = isLeader(project);
  const offered = languages.includes(project.language) ? languages : [project.language, ...languages];
  return (
    <Form
      label="Project settings"
      failure={update.error ? failureOf(update.error) : null}
      onSubmit={({ name = '', tracking, language = '' }) =>
        update.mutate({
          id: project.id,
          name,
          tracking: trackingModes.find(({ value }) => value === tracking)?.value ?? project.tracking,
          language,
        })
      }
    >
      {!mayChange && <Notice tone="busy" title="Only owners and admins can change these settings." />}
      <TextField
        name="name"
        label="Name"
        defaultValue={project.name}
        maxLength={100}
        required
        disabled={!mayChange}
        hint="Stands in the footer of marketing mail, and as the sender where a mail names no other."
      />
      <SelectField
        name="tracking"
        label="Track opens and clicks of"
        defaultValue={project.tracking}
        disabled={!mayChange}
        hint="A request to /v1/send can decide otherwise with its field tracking."
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
        hint="Of footers and unsubscribe pages, for contacts whose data has no locale."
      >
        {offered.map((code) => (
          <option key={code} value={code}>
            {languageNames.of(code)} ({code})
          </option>
        ))}
      </SelectField>
      <FormActions>
        <Button kind="primary" type="submit" pending={update.isPending} disabled={!mayChange}>
          Save
        </Button>
      </FormActions>
    </Form>
  );
}
