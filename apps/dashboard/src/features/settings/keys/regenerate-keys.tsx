import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAccountApi } from '../../../lib/api.ts';
import { useProject } from '../../../lib/current.ts';
import { failureOf } from '../../../lib/failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/dialog.tsx';
import { SelectField } from '../../../ui/field.tsx';

export function RegenerateKeys() {
  const project = useProject();
  const api = useAccountApi();
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const [asked, setAsked] = useState(false);
  const [graceHours, setGraceHours] = useState(0);
  const regenerate = useMutation(
    api.projects.regenerateKeys.mutationOptions({
      async onSuccess() {
        await queryClient.invalidateQueries(api.projects.list.queryFilter());
        setAsked(false);
        announce('Both keys rotated');
      },
    }),
  );
  return (
    <>
      <Button
        kind="quiet"
        small
        icon="refresh"
        onClick={() => {
          regenerate.reset();
          setAsked(true);
        }}
      >
        Rotate keys
      </Button>
      {asked && (
        <Confirm
          title="Rotate both keys?"
          action="Rotate keys"
          danger
          pending={regenerate.isPending}
          failure={regenerate.error ? failureOf(regenerate.error) : null}
          onConfirm={() => regenerate.mutate({ id: project.id, graceHours })}
          onClose={() => setAsked(false)}
        >
          <p>
            <strong>{project.name}</strong> gets a new public and a new secret key. Requests with the old keys
            fail with 401 <code>INVALID_API_KEY</code> as soon as these stop working. Named keys are not
            affected.
          </p>
          <SelectField
            name="graceHours"
            label="The old keys stop working"
            value={graceHours}
            onChange={({ target }) => setGraceHours(Number(target.value))}
          >
            <option value={0}>immediately</option>
            <option value={1}>after 1 hour</option>
            <option value={24}>after 24 hours</option>
            <option value={168}>after 7 days</option>
          </SelectField>
        </Confirm>
      )}
    </>
  );
}
