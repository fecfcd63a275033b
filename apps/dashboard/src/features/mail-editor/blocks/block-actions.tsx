import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SavedBlock, useApi } from '../../../lib/api.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { useDeleteRecord } from '../../../ui/delete-record.tsx';
import { ActionMenu } from '../../../ui/menu.tsx';

export function BlockActions({ block: { id, name } }: { block: SavedBlock }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const remove = useMutation({
    ...api.blocks.delete.mutationOptions(),
    async onSuccess() {
      await queryClient.invalidateQueries(api.blocks.pathFilter());
      announce(`Block “${name}” deleted`);
    },
  });
  const action = useDeleteRecord({
    label: name,
    noun: 'block',
    remove,
    onConfirm: () => remove.mutate({ id }),
    children: 'Emails that it was inserted into keep what they have.',
  });
  return <ActionMenu small label={`Actions for ${name}`} actions={[action]} />;
}
