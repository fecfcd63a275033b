import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Image, useApi } from '../../../lib/api.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { useDeleteRecord } from '../../../ui/delete-record.tsx';
import { ActionMenu } from '../../../ui/menu.tsx';

export function ImageActions({ image: { id, url, filename } }: { image: Image }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const remove = useMutation({
    ...api.uploads.delete.mutationOptions(),
    async onSuccess() {
      await queryClient.invalidateQueries(api.uploads.pathFilter());
      announce(`${filename} deleted`);
    },
  });
  const deletion = useDeleteRecord({
    label: filename,
    noun: 'image',
    typed: 'delete',
    remove,
    onConfirm: () => remove.mutate({ id }),
    children:
      'Emails that show this image, including those already sent, will have a gap in its place. Templates and campaigns that use it keep its address. This can’t be undone.',
  });
  const copy = () =>
    navigator.clipboard.writeText(url).then(
      () => announce('Address copied'),
      () => announce('The address could not be copied', 'note'),
    );
  return (
    <ActionMenu
      small
      label={`Actions for ${filename}`}
      actions={[
        { label: 'Copy address', icon: 'copy', run: () => void copy() },
        {
          label: 'Open image',
          icon: 'external',
          run: () => void window.open(url, '_blank', 'noopener,noreferrer'),
        },
        deletion,
      ]}
    />
  );
}
