import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type BillingLimits, useApi } from '../../../lib/api.ts';
import { useProject } from '../../../lib/current.ts';
import { failureOf } from '../../../lib/failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { FieldRow, Form, FormActions } from '../../../ui/form.tsx';

const categories = [
  { name: 'transactional', label: 'Transactional' },
  { name: 'campaigns', label: 'Campaigns' },
  { name: 'workflows', label: 'Workflows' },
] as const;

/** An empty field clears its limit. */
const capOf = (text: string | undefined): number | null => (text?.trim() ? Number(text) : null);

export function LimitsForm({ limits }: { limits: BillingLimits }) {
  const { id } = useProject();
  const api = useApi();
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const save = useMutation(
    api.billing.setLimits.mutationOptions({
      async onSuccess() {
        await queryClient.invalidateQueries(api.billing.limits.queryFilter());
        announce('Limits saved');
      },
    }),
  );
  return (
    <Form
      label="Limits"
      failure={save.error ? failureOf(save.error) : null}
      onSubmit={({ transactional, campaigns, workflows }) =>
        save.mutate({
          id,
          transactional: capOf(transactional),
          campaigns: capOf(campaigns),
          workflows: capOf(workflows),
        })
      }
    >
      <FieldRow>
        {categories.map(({ name, label }) => (
          <TextField
            key={name}
            name={name}
            label={label}
            type="number"
            min={1}
            step={1}
            defaultValue={limits[name].limit ?? ''}
          />
        ))}
      </FieldRow>
      <p>Emails per calendar month (UTC). An empty field means no limit.</p>
      <FormActions>
        <Button kind="primary" type="submit" pending={save.isPending}>
          Save limits
        </Button>
      </FormActions>
    </Form>
  );
}
