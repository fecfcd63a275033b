import { useId, useState } from 'react';
import type { Image } from '../../../lib/api.ts';
import { useSearchText } from '../../../lib/use-search-text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { ListFrame } from '../../../ui/list-frame.tsx';
import { ImageChoice } from './image-grid.tsx';
import styles from './media-picker.module.css';
import { UploadArea } from './upload-area.tsx';
import { UploadButton } from './upload-button.tsx';
import { useImageUploads } from './use-image-uploads.ts';
import { useImages } from './use-images.ts';

export interface PickedImage {
  url: string;
  /** empty for a decorative image */
  alt: string;
  /** in pixels; null if it is unknown */
  width: number | null;
  height: number | null;
}

interface MediaPickerProps {
  onPick: (image: PickedImage) => void;
  onClose: () => void;
  /** The label of the confirming button. */
  action?: string;
  /** Whether the text for readers without images is asked for. */
  withAlt?: boolean;
}

/** A dialog to choose an image of the project, or to upload one. It holds no form, so it can be opened from inside one. */
export function MediaPicker({ onPick, onClose, action = 'Insert image', withAlt = true }: MediaPickerProps) {
  const [text, setText, search] = useSearchText();
  const { list, images, total } = useImages(search);
  const [key, setKey] = useState<string | null>(null);
  const [known, setKnown] = useState<Image | null>(null);
  const [alt, setAlt] = useState('');
  const altName = useId();
  const { uploads, dismiss, upload } = useImageUploads((image) => {
    setText('');
    setKey(image.key);
  });
  // Kept when a search leaves it out.
  const chosen = images.find((image) => image.key === key) ?? (known?.key === key ? known : null);
  const pick = () => {
    if (chosen) onPick({ url: chosen.url, alt: alt.trim(), width: chosen.width, height: chosen.height });
  };
  return (
    <Dialog title="Choose an image" onClose={onClose} wide>
      <UploadArea uploads={uploads} onDismiss={dismiss} onFiles={upload}>
        <ListFrame
          label="Images"
          search={{ label: 'Search by name', text, onChange: setText }}
          aside={<UploadButton onFiles={upload} />}
          query={list}
          shown={images.length}
          isFiltered={search !== ''}
          onClear={() => setText('')}
          empty={{
            icon: 'image',
            title: 'No images yet',
            text: <p>Upload a JPEG, PNG, GIF or WebP image of up to 10 MB, or drop it here.</p>,
            action: <UploadButton primary onFiles={upload} />,
          }}
          more={{ query: list, total }}
        >
          <div className={styles.images}>
            <ImageChoice
              images={images}
              chosen={key}
              onChoose={(image) => {
                setKey(image.key);
                setKnown(image);
              }}
            />
          </div>
        </ListFrame>
      </UploadArea>
      {withAlt && chosen && (
        <TextField
          name={altName}
          label="Alternative text"
          value={alt}
          maxLength={500}
          placeholder="Two people packing a parcel"
          hint="Describes the image for readers who don’t see it. Leave empty if it is decoration."
          onChange={({ target }) => setAlt(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            pick();
          }}
        />
      )}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" disabled={chosen === null} onClick={pick}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
