import { useRef } from 'react';
import { Button } from '../../../ui/button.tsx';

export const imageTypes = 'image/jpeg,image/png,image/gif,image/webp';

/** Opens the file dialog. */
export function UploadButton({
  primary,
  onFiles,
}: {
  primary?: boolean;
  onFiles: (files: Iterable<File>) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button icon="upload" kind={primary ? 'primary' : 'plain'} onClick={() => input.current?.click()}>
        Upload
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={imageTypes}
        aria-label="Image files"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          // The same file can be chosen again, after a failure.
          target.value = '';
        }}
      />
    </>
  );
}
