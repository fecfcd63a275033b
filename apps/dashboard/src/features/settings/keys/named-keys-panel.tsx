import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAccountApi } from '../../../lib/api.ts';
import { useProject } from '../../../lib/current.ts';
import { failureOf } from '../../../lib/failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Cell, Row, SecondLine, Table } from '../../../ui/table.tsx';
import { Ago } from '../../../ui/time.tsx';
import { CreateKey } from './create-key.tsx';
import { scopeNames } from './scope-names.ts';

const columns = [
  { label: 'Name' },
  { label: 'Key', extra: true },
  { label: 'Scope' },
  { label: 'Domains', extra: true },
  { label: 'Last used', extra: true, numeric: true },
  { label: 'Expires', extra: true, numeric: true },
  { label: 'Actions', control: <span className="visually-hidden">Actions</span> },
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
    <Panel title="Named keys" aside={<CreateKey />} flush={keys.length > 0}>
      {error && <Notice tone="bad" title={failureOf(error).message} />}
      {keys.length === 0 ? (
        <p>Create a key for each service that uses the API, with only the scope it needs.</p>
      ) : (
        <Table label="Named keys" columns={columns}>
          {keys.map(({ id, name, prefix, scope, domains, lastUsedAt, expiresAt }) => (
            <Row key={id}>
              <Cell clip>
                {name}
                <SecondLine>
                  {lastUsedAt ? (
                    <>
                      Used <Ago at={lastUsedAt} />
                    </>
                  ) : (
                    'Never used'
                  )}
                </SecondLine>
              </Cell>
              <Cell extra>
                <code>{prefix}…</code>
              </Cell>
              <Cell faint>{scopeNames[scope]}</Cell>
              <Cell extra>{domains?.join(', ') ?? 'All'}</Cell>
              <Cell extra numeric faint>
                {lastUsedAt ? <Ago at={lastUsedAt} /> : 'Never'}
              </Cell>
              <Cell extra numeric faint>
                {expiresAt ? <Ago at={expiresAt} /> : 'Never'}
              </Cell>
              <Cell numeric>
                <Button
                  kind="quiet"
                  small
                  icon="trash"
                  aria-label={`Delete the key ${name}`}
                  title="Delete key"
                  onClick={() => {
                    remove.reset();
                    setAsked({ id, name });
                  }}
                />
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
