import { blockNameLimit, type Design } from '@postrider/core/content/templates/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useApi } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { FailureNotice } from '../../../ui/notice.tsx';
import { ScrollText } from '../../../ui/scroll-text.tsx';

interface SaveBlockProps {
  body: string;
  /** The blocks that the body was made from. */
  design?: Design;
  onClose: () => void;
}

/** Asks for the name of a new block. It holds no form, so it can be opened from inside one. */
export function SaveBlock({ body, design, onClose }: SaveBlockProps) {
  const api = useApi();
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const fieldName = useId();
  const [name, setName] = useState('');
  const create = useMutation({
    ...api.blocks.create.mutationOptions(),
    async onSuccess() {
      await queryClient.invalidateQueries(api.blocks.pathFilter());
      onClose();
      announce(`Block “${name.trim()}” saved`);
    },
  });
  const save = () => {
    if (name.trim() !== '' && !create.isPending) create.mutate({ name, body, ...(design && { design }) });
  };
  return (
    <Dialog title="Save as block" onClose={onClose}>
      {create.error && <FailureNotice failure={failureOf(create.error)} />}
      <TextField
        name={fieldName}
        label="Name"
        value={name}
        maxLength={blockNameLimit}
        placeholder="Opening hours"
        onChange={({ target }) => setName(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          save();
        }}
      />
      {!design && (
        <ScrollText label="Selected code" wrap>
          {body}
        </ScrollText>
      )}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" disabled={name.trim() === ''} pending={create.isPending} onClick={save}>
          Save block
        </Button>
      </DialogActions>
    </Dialog>
  );
}
