import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useAccountApi } from '../../../lib/api.ts';
import { isLeader, useProject } from '../../../lib/current.ts';
import { useDraft } from '../../../lib/use-draft.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { CheckField, TextAreaField, TextField } from '../../../ui/field.tsx';
import { FieldRow, Form, FormActions } from '../../../ui/form.tsx';
import { hostsIn } from './hosts.rules.ts';

/** Which links of campaigns and workflows get tags for web analytics. */
export function LinkTaggingForm() {
  const project = useProject();
  const { utm } = project;
  const api = useAccountApi();
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const draft = useDraft('link-tagging');
  const update = useMutation(
    api.projects.update.mutationOptions({
      async onSuccess() {
        draft.saved();
        await queryClient.invalidateQueries(api.projects.list.queryFilter());
        announce('Link tags saved');
      },
    }),
  );
  const disabled = !isLeader(project);
  return (
    <Form
      label="Link tags"
      failure={useFailure(update.error)}
      draft={draft}
      onSubmit={(values) =>
        update.mutate({
          id: project.id,
          utm: {
            enabled: values['utm.enabled'] !== undefined,
            source: values['utm.source']?.trim() || null,
            medium: values['utm.medium']?.trim() || null,
            hosts: hostsIn(values['utm.hosts'] ?? ''),
          },
        })
      }
    >
      <CheckField
        name="utm.enabled"
        label="Tag links"
        defaultChecked={utm.enabled}
        hint="Links of campaigns and workflows then tell your web analytics where a visit comes from. A campaign can say otherwise. Links that have tags already stay as they are."
      />
      <TextAreaField
        name="utm.hosts"
        label="Hosts"
        rows={3}
        defaultValue={utm.hosts.join('\n')}
        disabled={disabled}
        placeholder="shop.example.com"
        hint="One a line. Their subdomains are tagged too, links to all other hosts are not."
      />
      <FieldRow>
        <TextField
          name="utm.source"
          label="utm_source"
          defaultValue={utm.source}
          maxLength={100}
          disabled={disabled}
        />
        <TextField
          name="utm.medium"
          label="utm_medium"
          defaultValue={utm.medium}
          maxLength={100}
          disabled={disabled}
          hint="utm_campaign is the name of the campaign or workflow."
        />
      </FieldRow>
      <FormActions>
        <Button kind="primary" type="submit" pending={update.isPending} disabled={disabled}>
          Save link tags
        </Button>
      </FormActions>
    </Form>
  );
}
