import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Image, useApi } from '../../lib/api.ts';
import { failureOf } from '../../lib/failure.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { ActionMenu } from '../../ui/menu.tsx';

export function ImageActions({ image: { id, url, filename } }: { image: Image }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const [asked, setAsked] = useState(false);
  const remove = useMutation({
    ...api.uploads.delete.mutationOptions(),
    async onSuccess() {
      setAsked(false);
      await queryClient.invalidateQueries(api.uploads.pathFilter());
      announce(`${filename} deleted`);
    },
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
        {
          label: 'Delete',
          icon: 'trash',
          danger: true,
          run() {
            remove.reset();
            setAsked(true);
          },
          dialog: asked && (
            <Confirm
              title={`Delete ${filename}?`}
              action="Delete image"
              danger
              typed="delete"
              pending={remove.isPending}
              failure={remove.error ? failureOf(remove.error) : null}
              onConfirm={() => remove.mutate({ id })}
              onClose={() => setAsked(false)}
            >
              <p>
                Emails that show this image, including those already sent, will have a gap in its place.
                Templates and campaigns that use it keep its address. This can’t be undone.
              </p>
            </Confirm>
          ),
        },
      ]}
    />
  );
}
