import type { Editor } from '@tiptap/core';
import { useEffect, useState } from 'react';
import { MediaPicker } from '../../common/media/media-picker.tsx';
import { pickedImage } from './blocks/image.tsx';
import { changeBlock } from './selected-blocks.ts';

/** Opens the images of the project where an image without one is clicked in the document. */
export function ImageChoice({ editor }: { editor: Editor }) {
  const [at, setAt] = useState<number | null>(null);
  const { view } = editor;
  useEffect(() => {
    const { dom } = view;
    const click = ({ target }: MouseEvent) => {
      const place = target instanceof Element ? target.closest('[data-block="image"]') : null;
      if (place?.matches('.mail-placeholder')) setAt(view.posAtDOM(place, 0));
    };
    dom.addEventListener('click', click);
    return () => dom.removeEventListener('click', click);
  }, [view]);
  if (at === null) return null;
  return (
    <MediaPicker
      onClose={() => setAt(null)}
      onPick={(image) => {
        changeBlock(editor, at, pickedImage(image));
        setAt(null);
      }}
    />
  );
}
