import { type MouseEvent, useState } from 'react';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { MediaPicker } from '../media/media-picker.tsx';
import { BlockPicker } from './block-picker.tsx';
import { imageHtml, insertAt, type Place } from './insert-text.rules.ts';
import styles from './insert-tools.module.css';
import { SaveBlock } from './save-block.tsx';

interface InsertToolsProps {
  /** Name of the text area, in the same form, that holds the code. */
  field: string;
  value: string;
  onChange: (value: string) => void;
}

type Dialog = 'image' | 'block' | 'save';
type Opened = { dialog: Dialog; place: Place } | null;

/** Inserts images and saved blocks at the caret of a field of code, and saves its selection as a block. */
export function InsertTools({ field, value, onChange }: InsertToolsProps) {
  const announce = useAnnounce();
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
  const open = (dialog: Dialog) => (event: MouseEvent<HTMLButtonElement>) => {
    const area = event.currentTarget.form?.elements.namedItem(field);
    if (!(area instanceof HTMLTextAreaElement)) throw new Error(`The form has no text area ${field}`);
    const place = { start: area.selectionStart, end: area.selectionEnd };
    if (dialog === 'save' && value.slice(place.start, place.end).trim() === '')
      announce('Select the code to save first', 'note');
    else setOpened({ dialog, place });
  };
  const insert = (text: string) => {
    if (opened) onChange(insertAt(value, opened.place, text));
    close();
  };
  return (
    <div className={styles.tools}>
      <Button small kind="quiet" icon="image" onClick={open('image')}>
        Image
      </Button>
      <Button small kind="quiet" icon="template" onClick={open('block')}>
        Block
      </Button>
      <Button small kind="quiet" onClick={open('save')}>
        Save as block
      </Button>
      {opened?.dialog === 'image' && (
        <MediaPicker onPick={(image) => insert(imageHtml(image))} onClose={close} />
      )}
      {opened?.dialog === 'block' && <BlockPicker onPick={({ body }) => insert(body)} onClose={close} />}
      {opened?.dialog === 'save' && (
        <SaveBlock body={value.slice(opened.place.start, opened.place.end)} onClose={close} />
      )}
    </div>
  );
}
