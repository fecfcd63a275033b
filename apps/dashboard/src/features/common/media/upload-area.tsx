import { type DragEvent, type ReactNode, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Progress } from '../../../ui/progress.tsx';
import styles from './upload-area.module.css';
import type { Upload } from './use-image-uploads.ts';

interface UploadAreaProps {
  uploads: readonly Upload[];
  onDismiss: (id: string) => void;
  onFiles: (files: Iterable<File>) => void;
  children: ReactNode;
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files');

/** Takes dropped images, and shows the uploads above its content. */
export function UploadArea({ uploads, onDismiss, onFiles, children }: UploadAreaProps) {
  const [isOver, setOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is an extra; the button inside does the same by keyboard
    <div
      className={styles.area}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(false);
        onFiles([...event.dataTransfer.files]);
      }}
    >
      {uploads.length > 0 && (
        <ul className={styles.uploads} aria-label="Uploads">
          {uploads.map(({ id, name, percent, failure }) => (
            <li key={id}>
              {failure ? (
                <p className={styles.failure} role="alert">
                  <span>
                    <strong>{name}</strong>: {failure.message}
                    {failure.suggestion && `. ${failure.suggestion}`}
                  </span>
                  <Button kind="quiet" small aria-label={`Dismiss ${name}`} onClick={() => onDismiss(id)}>
                    Dismiss
                  </Button>
                </p>
              ) : (
                <Progress label={name} value={percent} />
              )}
            </li>
          ))}
        </ul>
      )}
      {children}
      {isOver && (
        <p className={styles.invitation} aria-hidden="true">
          Drop images to upload them
        </p>
      )}
    </div>
  );
}
