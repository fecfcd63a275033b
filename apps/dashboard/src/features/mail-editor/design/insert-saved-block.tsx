import { useMutation } from '@tanstack/react-query';
import type { Editor } from '@tiptap/core';
import { useApiClient } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import { FailureNotice } from '../../../ui/notice.tsx';
import { BlockPicker } from '../blocks/block-picker.tsx';
import { insertBlocks } from './insertions.ts';
import { nodesOf } from './saved-blocks.ts';

/** Chooses a saved block and inserts it. Its design is loaded then, because lists have none. */
export function InsertSavedBlock({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const client = useApiClient();
  const insert = useMutation({
    mutationFn: (id: string) => client.blocks.get.query({ id }),
    onSuccess(block) {
      onClose();
      insertBlocks(editor, nodesOf(editor.schema, block));
    },
  });
  return (
    <BlockPicker onPick={({ id }) => insert.mutate(id)} onClose={onClose}>
      {insert.error && <FailureNotice failure={failureOf(insert.error)} />}
    </BlockPicker>
  );
}
