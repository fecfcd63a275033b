import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAccountApi } from '../../lib/api.ts';
import { useProject } from '../../lib/current.ts';
import { failureOf } from '../../lib/failure.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Moment } from '../../ui/time.tsx';
import { CreateKey } from './create-key.tsx';

const columns = [
  { label: 'Name' },
  { label: 'Key', extra: true },
  { label: 'Scope' },
  { label: 'Domains', extra: true },
  { label: 'Last used' },
  { label: 'Expires', extra: true },
  { label: 'Actions' },
];

/** The named keys of the project, for owners and admins. */
export function NamedKeysPanel() {
  const project = useProject();
  const api = useAccountApi();
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const [asked, setAsked] = useState<{ id: string; name: string } | null>(null);
  const { data: keys = [], error } = useQuery(api.keys.list.queryOptions({ id: project.id }));
  const remove = useMutation(
    api.keys.delete.mutationOptions({
      async onSuccess() {
        await queryClient.invalidateQueries(api.keys.list.queryFilter());
        setAsked(null);
        announce('Key deleted');
      },
    }),
  );
  return (
    <Panel title="Named keys" aside={<CreateKey />}>
      {error && <Notice tone="bad" title={failureOf(error).message} />}
      {keys.length === 0 ? (
        <p>Create a key for each service that uses the API, with only the scope it needs.</p>
      ) : (
        <Table label="Named keys" columns={columns}>
          {keys.map(({ id, name, prefix, scope, domains, lastUsedAt, expiresAt }) => (
            <Row key={id}>
              <Cell clip>{name}</Cell>
              <Cell extra>
                <code>{prefix}…</code>
              </Cell>
              <Cell>{scope}</Cell>
              <Cell extra>{domains?.join(', ') ?? 'All'}</Cell>
              <Cell>{lastUsedAt ? <Moment at={lastUsedAt} /> : 'Never'}</Cell>
              <Cell extra>{expiresAt ? <Moment at={expiresAt} /> : 'Never'}</Cell>
              <Cell>
                <Button
                  kind="quiet"
                  small
                  aria-label={`Delete the key ${name}`}
                  onClick={() => {
                    remove.reset();
                    setAsked({ id, name });
                  }}
                >
                  Delete
                </Button>
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      {asked && (
        <Confirm
          title={`Delete the key “${asked.name}”?`}
          action="Delete key"
          danger
          pending={remove.isPending}
          failure={remove.error ? failureOf(remove.error) : null}
          onConfirm={() => remove.mutate({ id: project.id, keyId: asked.id })}
          onClose={() => setAsked(null)}
        >
          <p>
            Requests with it fail with 401 <code>INVALID_API_KEY</code> immediately.
          </p>
        </Confirm>
      )}
    </Panel>
  );
}
