import type { Campaign } from '../../lib/api.ts';
import { useProject } from '../../lib/current.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { FieldRow } from '../../ui/form.tsx';

/** Where the tags of links differ from those of the project. */
export function LinkTagFields({ utm }: Pick<Campaign, 'utm'>) {
  const { enabled, hosts } = useProject().utm;
  return (
    <FieldRow>
      <SelectField
        name="utm.enabled"
        label="Link tags"
        defaultValue={utm?.enabled == null ? '' : utm.enabled ? 'on' : 'off'}
        hint={
          hosts.length === 0
            ? 'For web analytics. The settings of the project say for which hosts, and have none yet.'
            : `For web analytics, in links to ${hosts.join(', ')}.`
        }
      >
        <option value="">{enabled ? 'As in the settings: on' : 'As in the settings: off'}</option>
        <option value="on">On</option>
        <option value="off">Off</option>
      </SelectField>
      <TextField
        name="utm.campaign"
        label="utm_campaign"
        defaultValue={utm?.campaign ?? ''}
        maxLength={100}
        placeholder="The name of the campaign"
      />
    </FieldRow>
  );
}
