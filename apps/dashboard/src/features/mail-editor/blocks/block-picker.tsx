import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type SavedBlock, useApi } from '../../../lib/api.ts';
import { useSearchText } from '../../../lib/use-search-text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { ListFrame } from '../../../ui/list-frame.tsx';
import { MailThumb } from '../../../ui/mail-thumb.tsx';
import { BlockActions } from './block-actions.tsx';
import styles from './block-picker.module.css';

const pageSize = 50;

interface BlockPickerProps {
  onPick: (block: SavedBlock) => void;
  onClose: () => void;
  /** Shown above the blocks. */
  children?: ReactNode;
}

/** A dialog to insert a saved block. */
export function BlockPicker({ onPick, onClose, children }: BlockPickerProps) {
  const [text, setText, search] = useSearchText();
  const list = useInfiniteQuery(
    useApi().blocks.list.infiniteQueryOptions(
      { limit: pageSize, ...(search && { search }) },
      { getNextPageParam: ({ cursor }) => cursor },
    ),
  );
  const blocks = list.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Dialog title="Insert a saved block" onClose={onClose} wide>
      {children}
      <ListFrame
        label="Saved blocks"
        noun="blocks"
        search={{ label: 'Search by name', text, onChange: setText }}
        query={list}
        shown={blocks.length}
        isFiltered={search !== ''}
        onClear={() => setText('')}
        empty={{
          icon: 'template',
          title: 'No saved blocks yet',
          text: <p>Select a part of an email in its editor and choose “Save as block”.</p>,
        }}
        more={{ query: list, total: list.data?.pages[0]?.total ?? 0 }}
      >
        <ul className={styles.blocks}>
          {blocks.map((block) => (
            <li key={block.id} className={styles.block}>
              <MailThumb html={block.body} />
              <strong className={styles.name}>{block.name}</strong>
              <Button small aria-label={`Insert ${block.name}`} onClick={() => onPick(block)}>
                Insert
              </Button>
              <BlockActions block={block} />
            </li>
          ))}
        </ul>
      </ListFrame>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
      </DialogActions>
    </Dialog>
  );
}
