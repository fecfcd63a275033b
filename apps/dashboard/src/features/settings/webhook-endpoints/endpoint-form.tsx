import { textLimits } from '@postrider/core/base/lib/contract';
import {
  createEndpointInput,
  everyType,
  type WebhookFormat,
  webhookFormat,
} from '@postrider/core/insight/webhook-endpoints/contract';
import { useMemo, useState } from 'react';
import type { WebhookEndpoint } from '../../../lib/api.ts';
import { type Failure, foldFields } from '../../../lib/failure.ts';
import { given } from '../../../lib/given.ts';
import { Button } from '../../../ui/button.tsx';
import { DialogActions } from '../../../ui/dialog.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { formatLabels } from './endpoint-formats.rules.ts';
import { tickedTypes } from './endpoint-types.rules.ts';
import { TypeFields } from './type-fields.tsx';

interface EndpointFormProps {
  label: string;
  /** Absent for a new endpoint. */
  endpoint?: WebhookEndpoint;
  failure: Failure | null;
  /** The label of the submitting button. */
  action: string;
  pending: boolean;
  onSubmit: (input: Pick<WebhookEndpoint, 'url' | 'description' | 'types' | 'format'>) => void;
  onClose: () => void;
}

export function EndpointForm(props: EndpointFormProps) {
  const { label, endpoint, failure, action, pending, onSubmit, onClose } = props;
  const [format, setFormat] = useState<WebhookFormat>(endpoint?.format ?? 'POSTRIDER');
  const ofFields = useMemo(() => failure && foldFields(failure, 'types'), [failure]);
  return (
    <Form
      label={label}
      failure={ofFields}
      onSubmit={({ url = '', description, scope, ...values }) =>
        onSubmit({
          url,
          description: given(description) ?? null,
          format,
          types: scope === 'all' ? [everyType] : tickedTypes(values),
        })
      }
    >
      <TextField
        name="url"
        label="URL"
        type="url"
        placeholder="https://example.com/webhooks/postrider"
        hint="Events are sent there as POST requests. It must be reachable from the public internet."
        defaultValue={endpoint?.url}
        {...textLimits(createEndpointInput, 'url')}
        required
        autoFocus
      />
      <TextField
        name="description"
        label="Description"
        defaultValue={endpoint?.description ?? ''}
        {...textLimits(createEndpointInput, 'description')}
      />
      {!endpoint && (
        <SelectField
          name="format"
          label="Format"
          hint="For programs that read the webhooks of another service. It cannot be changed later."
          value={format}
          onChange={({ target }) => setFormat(webhookFormat.parse(target.value))}
        >
          {webhookFormat.options.map((each) => (
            <option key={each} value={each}>
              {formatLabels[each]}
            </option>
          ))}
        </SelectField>
      )}
      <TypeFields types={endpoint?.types ?? [everyType]} format={format} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" pending={pending}>
          {action}
        </Button>
      </DialogActions>
    </Form>
  );
}
