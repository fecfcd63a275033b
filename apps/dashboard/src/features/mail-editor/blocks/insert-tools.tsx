import { useState } from 'react';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { type CodeRange, codeNamed } from '../../../ui/code-handles.ts';
import { MediaPicker } from '../../common/media/media-picker.tsx';
import { BlockPicker } from './block-picker.tsx';
import { imageHtml } from './insert-text.rules.ts';
import { SaveBlock } from './save-block.tsx';

interface InsertToolsProps {
  /** Name of the field that the code editor submits. */
  field: string;
}

type Dialog = 'image' | 'block' | 'save';
type Opened = { dialog: Dialog; place: CodeRange; selected: string } | null;

/** Inserts images and saved blocks at the caret of a code editor, and saves its selection as a block. */
export function InsertTools({ field }: InsertToolsProps) {
  const announce = useAnnounce();
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
  const open = (dialog: Dialog) => () => {
    const code = codeNamed(field);
    if (code === null) {
      announce('The editor is still loading', 'note');
      return;
    }
    const place = code.selection();
    const selected = code.text().slice(place.start, place.end);
    if (dialog === 'save' && selected.trim() === '') announce('Select the code to save first', 'note');
    else setOpened({ dialog, place, selected });
  };
  const insert = (text: string) => {
    if (opened) codeNamed(field)?.replace(opened.place, text);
    close();
  };
  return (
    <>
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
      {opened?.dialog === 'save' && <SaveBlock body={opened.selected} onClose={close} />}
    </>
  );
}
